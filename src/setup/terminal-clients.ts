import { isObject } from '../contract/guards.ts';
import { type Client, nextStep, plainEntry } from './client.ts';
import { jsonSettings } from './json-settings.ts';
import { applicationFolder, configFolder, type Place, under } from './place.ts';
import { SERVER_NAME } from './settings-format.ts';
import { tomlSettings } from './toml-settings.ts';
import { yamlSettings } from './yaml-settings.ts';

const plain = jsonSettings({ comments: false });
const commented = jsonSettings({ comments: true });
const newSession = 'start a new session; /mcp should list it';

export const TERMINAL_CLIENTS: readonly Client[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    binaries: ['claude'],
    traces: (place) => [claudeFolder(place), claudeState(place)],
    files: (place, scope) => [[scope === 'user' ? claudeState(place) : under(place, place.cwd, '.mcp.json')]],
    format: plain,
    container: 'mcpServers',
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
    // `claude mcp add` without --scope writes an entry for one folder.
    elsewhere: ({ projects }) =>
      Object.keys(isObject(projects) ? projects : {}).map((folder) => [
        'projects',
        folder,
        'mcpServers',
        SERVER_NAME,
      ]),
    next: { user: newSession, project: 'start a new session there and approve the server once' },
  },
  {
    name: 'codex',
    title: 'Codex',
    binaries: ['codex'],
    traces: (place) => [codexFolder(place)],
    files: (place, scope) => [
      [
        under(
          place,
          scope === 'user' ? codexFolder(place) : under(place, place.cwd, '.codex'),
          'config.toml',
        ),
      ],
    ],
    format: tomlSettings,
    container: 'mcp_servers',
    entry: plainEntry,
    next: {
      user: newSession,
      project: 'start a new session there; Codex reads this file in projects you trust',
    },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    binaries: ['gemini'],
    traces: (place) => [under(place, geminiHome(place), '.gemini')],
    files: (place, scope) => [
      [under(place, scope === 'user' ? geminiHome(place) : place.cwd, '.gemini', 'settings.json')],
    ],
    format: commented,
    container: 'mcpServers',
    entry: plainEntry,
    next: {
      user: 'start a new session in a folder you trust; /mcp should list it',
      project: 'trust the folder and start a new session there',
    },
  },
  {
    name: 'opencode',
    title: 'opencode',
    binaries: ['opencode'],
    traces: (place) => [opencodeFolder(place)],
    files: (place, scope) => {
      const folder = scope === 'user' ? opencodeFolder(place) : place.cwd;
      return [[under(place, folder, 'opencode.json'), under(place, folder, 'opencode.jsonc')]];
    },
    format: commented,
    container: 'mcp',
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    initial: ['enabled'],
    next: nextStep('restart opencode'),
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    binaries: ['copilot'],
    traces: (place) => [copilotFolder(place)],
    files: (place, scope) =>
      scope === 'user' ? [[under(place, copilotFolder(place), 'mcp-config.json')]] : [],
    format: plain,
    container: 'mcpServers',
    entry: ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] }),
    initial: ['tools'],
    next: nextStep('start a new session; /mcp show should list it'),
  },
  {
    name: 'goose',
    title: 'Goose',
    binaries: ['goose'],
    traces: (place) => [gooseFolder(place)],
    files: (place, scope) => (scope === 'user' ? [[under(place, gooseFolder(place), 'config.yaml')]] : []),
    format: yamlSettings,
    container: 'extensions',
    entry: ({ command, args }) => ({
      enabled: true,
      type: 'stdio',
      name: SERVER_NAME,
      cmd: command,
      args,
    }),
    initial: ['enabled', 'name'],
    next: nextStep('start a new session'),
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    binaries: ['qwen'],
    traces: (place) => [under(place, place.home, '.qwen')],
    files: (place, scope) => [
      [under(place, scope === 'user' ? place.home : place.cwd, '.qwen', 'settings.json')],
    ],
    format: commented,
    container: 'mcpServers',
    entry: plainEntry,
    next: { user: newSession, project: 'trust the folder and start a new session there' },
  },
  {
    name: 'kilo',
    title: 'Kilo CLI',
    binaries: ['kilo', 'kilocode'],
    traces: (place) => [kiloFolder(place)],
    files: (place, scope) => {
      const folder = scope === 'user' ? kiloFolder(place) : place.cwd;
      return [[under(place, folder, 'kilo.json'), under(place, folder, 'kilo.jsonc')]];
    },
    format: commented,
    container: 'mcp',
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    initial: ['enabled'],
    next: nextStep('restart Kilo; kilo mcp list should show it as connected'),
  },
  {
    name: 'kimi',
    title: 'Kimi Code',
    binaries: ['kimi'],
    traces: (place) => [under(place, place.home, '.kimi-code')],
    files: (place, scope) => [
      [under(place, scope === 'user' ? place.home : place.cwd, '.kimi-code', 'mcp.json')],
    ],
    format: plain,
    container: 'mcpServers',
    entry: plainEntry,
    next: nextStep(newSession),
  },
  {
    name: 'droid',
    title: 'Droid',
    binaries: ['droid'],
    traces: (place) => [under(place, place.home, '.factory')],
    files: (place, scope) => [
      [under(place, scope === 'user' ? place.home : place.cwd, '.factory', 'mcp.json')],
    ],
    format: plain,
    container: 'mcpServers',
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
    next: nextStep('start a new session; droid mcp list should show it as connected'),
  },
  {
    name: 'pi',
    title: 'pi',
    binaries: ['pi'],
    traces: (place) => [piFolder(place)],
    files: (place, scope) => [
      [under(place, scope === 'user' ? piFolder(place) : under(place, place.cwd, '.pi'), 'mcp.json')],
    ],
    format: plain,
    container: 'mcpServers',
    entry: plainEntry,
    next: {
      user: 'start a new session (pi 1.0 or newer); pi mcp list should show it',
      project: 'trust the folder and start a new session there (pi 1.0 or newer)',
    },
  },
];

function piFolder(place: Place): string {
  return place.env.PI_CODING_AGENT_DIR || under(place, place.home, '.pi', 'agent');
}

function kiloFolder(place: Place): string {
  return under(place, configFolder(place), 'kilo');
}

function claudeFolder(place: Place): string {
  return place.env.CLAUDE_CONFIG_DIR || under(place, place.home, '.claude');
}

function claudeState(place: Place): string {
  return under(place, place.env.CLAUDE_CONFIG_DIR || place.home, '.claude.json');
}

function codexFolder(place: Place): string {
  return place.env.CODEX_HOME || under(place, place.home, '.codex');
}

function geminiHome(place: Place): string {
  return place.env.GEMINI_CLI_HOME || place.home;
}

function opencodeFolder(place: Place): string {
  return under(place, configFolder(place), 'opencode');
}

function copilotFolder(place: Place): string {
  return place.env.COPILOT_HOME || under(place, place.home, '.copilot');
}

function gooseFolder(place: Place): string {
  return place.platform === 'win32'
    ? under(place, applicationFolder(place), 'Block', 'goose', 'config')
    : under(place, configFolder(place), 'goose');
}
