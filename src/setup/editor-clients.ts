import { type Client, nextStep, plainEntry } from './client.ts';
import { jsonSettings } from './json-settings.ts';
import { anyExists, applicationFolder, configFolder, type Place, under } from './place.ts';

const plain = jsonSettings({ comments: false });
const commented = jsonSettings({ comments: true });

export const EDITOR_CLIENTS: readonly Client[] = [
  {
    name: 'cursor',
    title: 'Cursor',
    binaries: ['cursor', 'cursor-agent'],
    traces: (place) => [under(place, place.home, '.cursor')],
    files: (place, scope) => [
      [under(place, scope === 'user' ? place.home : place.cwd, '.cursor', 'mcp.json')],
    ],
    format: commented,
    container: 'mcpServers',
    entry: plainEntry,
    next: nextStep('restart Cursor'),
  },
  {
    name: 'vscode',
    title: 'VS Code',
    binaries: ['code', 'code-insiders', 'codium'],
    traces: (place) => codeFolders(place),
    files: (place, scope) =>
      scope === 'project'
        ? [[under(place, place.cwd, '.vscode', 'mcp.json')]]
        : inUse(codeFolders(place)).map((folder) => [under(place, folder, 'mcp.json')]),
    format: commented,
    container: 'servers',
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
    next: {
      user: 'run “MCP: List Servers” and start pinhole',
      project: 'run “MCP: List Servers” and start pinhole',
    },
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    binaries: [],
    traces: (place) => [under(place, applicationFolder(place), 'Claude')],
    files: (place, scope) =>
      scope === 'user'
        ? [[under(place, applicationFolder(place), 'Claude', 'claude_desktop_config.json')]]
        : [],
    format: plain,
    container: 'mcpServers',
    entry: plainEntry,
    next: nextStep('quit Claude and open it again'),
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    binaries: ['windsurf'],
    traces: (place) => [under(place, place.home, '.codeium', 'windsurf')],
    files: (place, scope) =>
      scope === 'user' ? [[under(place, place.home, '.codeium', 'windsurf', 'mcp_config.json')]] : [],
    format: plain,
    container: 'mcpServers',
    entry: plainEntry,
    next: nextStep('refresh the MCP servers in Cascade, or restart Windsurf'),
  },
  {
    name: 'zed',
    title: 'Zed',
    binaries: ['zed', 'zeditor'],
    traces: (place) => [zedFolder(place)],
    files: (place, scope) => [
      [under(place, scope === 'user' ? zedFolder(place) : under(place, place.cwd, '.zed'), 'settings.json')],
    ],
    format: commented,
    container: 'context_servers',
    entry: plainEntry,
    next: {
      user: 'look at the agent panel; pinhole should have a green dot',
      project: 'trust the project; the agent panel then shows pinhole with a green dot',
    },
  },
  {
    name: 'cline',
    title: 'Cline',
    binaries: ['cline'],
    traces: (place) => clineFolders(place),
    files: (place, scope) =>
      scope === 'user'
        ? inUse(clineFolders(place)).map((folder) => [
            under(place, folder, 'settings', 'cline_mcp_settings.json'),
          ])
        : [],
    format: plain,
    container: 'mcpServers',
    entry: plainEntry,
    next: nextStep('look at MCP Servers in Cline; it starts pinhole by itself'),
  },
  {
    name: 'junie',
    title: 'JetBrains Junie',
    binaries: ['junie'],
    traces: (place) => [under(place, place.home, '.junie')],
    files: (place, scope) => [
      [under(place, scope === 'user' ? place.home : place.cwd, '.junie', 'mcp', 'mcp.json')],
    ],
    format: plain,
    container: 'mcpServers',
    entry: plainEntry,
    next: nextStep('look at Settings | Tools | Junie | MCP Settings'),
  },
];

/** The folders that exist, or the first where there is none yet. */
function inUse(folders: readonly string[]): readonly string[] {
  const used = folders.filter((folder) => anyExists([folder]));
  return used.length > 0 ? used : folders.slice(0, 1);
}

/** The settings folders of the editions of VS Code, the most common one first. */
function codeFolders(place: Place): readonly string[] {
  const editions = ['Code', 'Code - Insiders', 'VSCodium'];
  return editions.map((edition) => under(place, applicationFolder(place), edition, 'User'));
}

/** Cline keeps its settings inside each editor, and its command in the home folder. */
function clineFolders(place: Place): readonly string[] {
  return [
    ...codeFolders(place).map((folder) => under(place, folder, 'globalStorage', 'saoudrizwan.claude-dev')),
    under(place, place.home, '.cline', 'data'),
  ];
}

function zedFolder(place: Place): string {
  return place.platform === 'win32'
    ? under(place, applicationFolder(place), 'Zed')
    : under(place, configFolder(place), 'zed');
}
