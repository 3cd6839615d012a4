import { join } from 'node:path';
import { jsonSettings } from './json-settings.ts';
import { anyExists, applicationFolder, onPath, type Place } from './place.ts';
import type { Entry, SettingsFormat } from './settings-format.ts';
import { tomlSettings } from './toml-settings.ts';

export const CLIENT_NAMES = ['claude', 'codex', 'gemini', 'cursor', 'vscode', 'opencode'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

export const SCOPES = ['user', 'project'] as const;
export type Scope = (typeof SCOPES)[number];

/** The command line that starts the MCP server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** A program that can use MCP servers, and where and how it stores them. */
export interface Client {
  readonly name: ClientName;
  readonly title: string;
  /** Programs on PATH that show that it is installed. */
  readonly binaries: readonly string[];
  /** Files or folders that show that it is in use. */
  readonly traces: (place: Place) => readonly string[];
  /**
   * Settings files to write, each as a list of possible names: the first that exists is used, otherwise the first is
   * created. There are several files where editions of the program have their own.
   */
  readonly files: (place: Place, scope: Scope) => readonly (readonly string[])[];
  readonly format: SettingsFormat;
  /** The key that holds the servers. */
  readonly container: string;
  readonly entry: (launch: Launch) => Entry;
  /** What the person has to do next. */
  readonly next: Readonly<Record<Scope, string>>;
}

const plain = jsonSettings({ comments: false });
const commented = jsonSettings({ comments: true });
const restart = (title: string) => `restart ${title}`;

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    binaries: ['claude'],
    traces: (place) => [claudeFolder(place), claudeState(place)],
    files: (place, scope) => [[scope === 'user' ? claudeState(place) : join(place.cwd, '.mcp.json')]],
    format: plain,
    container: 'mcpServers',
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
    next: {
      user: 'start a new session; /mcp should list it',
      project: 'start a new session there and approve the server once',
    },
  },
  {
    name: 'codex',
    title: 'Codex',
    binaries: ['codex'],
    traces: (place) => [codexFolder(place)],
    files: (place, scope) => [
      [join(scope === 'user' ? codexFolder(place) : join(place.cwd, '.codex'), 'config.toml')],
    ],
    format: tomlSettings,
    container: 'mcp_servers',
    entry: ({ command, args }) => ({ command, args }),
    next: {
      user: 'start a new session; /mcp should list it',
      project: 'start a new session there; Codex reads this file in projects you trust',
    },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    binaries: ['gemini'],
    traces: (place) => [join(geminiHome(place), '.gemini')],
    files: (place, scope) => [
      [join(scope === 'user' ? geminiHome(place) : place.cwd, '.gemini', 'settings.json')],
    ],
    format: commented,
    container: 'mcpServers',
    entry: ({ command, args }) => ({ command, args }),
    next: {
      user: 'start a new session in a folder you trust; /mcp should list it',
      project: 'trust the folder and start a new session there',
    },
  },
  {
    name: 'cursor',
    title: 'Cursor',
    binaries: ['cursor', 'cursor-agent'],
    traces: ({ home }) => [join(home, '.cursor')],
    files: ({ home, cwd }, scope) => [[join(scope === 'user' ? home : cwd, '.cursor', 'mcp.json')]],
    format: commented,
    container: 'mcpServers',
    entry: ({ command, args }) => ({ command, args }),
    next: { user: restart('Cursor'), project: `${restart('Cursor')} in this project` },
  },
  {
    name: 'vscode',
    title: 'VS Code',
    binaries: ['code', 'code-insiders', 'codium'],
    traces: (place) => codeFolders(place),
    files: (place, scope) => {
      if (scope === 'project') return [[join(place.cwd, '.vscode', 'mcp.json')]];
      const used = codeFolders(place).filter((folder) => anyExists([folder]));
      return (used.length > 0 ? used : codeFolders(place).slice(0, 1)).map((folder) => [
        join(folder, 'mcp.json'),
      ]);
    },
    format: commented,
    container: 'servers',
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
    next: {
      user: 'run “MCP: List Servers” and start pinhole',
      project: 'run “MCP: List Servers” and start pinhole',
    },
  },
  {
    name: 'opencode',
    title: 'opencode',
    binaries: ['opencode'],
    traces: (place) => [opencodeFolder(place)],
    files: (place, scope) => {
      const folder = scope === 'user' ? opencodeFolder(place) : place.cwd;
      return [[join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')]];
    },
    format: commented,
    container: 'mcp',
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    next: { user: restart('opencode'), project: `${restart('opencode')} in this project` },
  },
];

/** Whether the client seems to be installed for this user. */
export function isInstalled(client: Client, place: Place): boolean {
  return anyExists(client.traces(place)) || client.binaries.some((name) => onPath(name, place) !== undefined);
}

function claudeFolder({ home, env }: Place): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude');
}

function claudeState({ home, env }: Place): string {
  return join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
}

function codexFolder({ home, env }: Place): string {
  return env.CODEX_HOME || join(home, '.codex');
}

function geminiHome({ home, env }: Place): string {
  return env.GEMINI_CLI_HOME || home;
}

function opencodeFolder({ home, env }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
}

/** The settings folders of the editions of VS Code, the most common one first. */
function codeFolders(place: Place): readonly string[] {
  const editions = ['Code', 'Code - Insiders', 'VSCodium'];
  return editions.map((edition) => join(applicationFolder(place), edition, 'User'));
}
