import type { Place } from './place.ts';
import type { Entry, EntryPath, SettingsFormat } from './settings-format.ts';

export const CLIENT_NAMES = [
  'claude',
  'codex',
  'gemini',
  'cursor',
  'vscode',
  'opencode',
  'claude-desktop',
  'windsurf',
  'zed',
  'cline',
  'copilot',
  'junie',
  'goose',
  'qwen',
  'kilo',
  'kimi',
  'droid',
  'pi',
] as const;
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
   * created. There are several files where editions of the program have their own, and none where the client has no
   * settings of that scope.
   */
  readonly files: (place: Place, scope: Scope) => readonly (readonly string[])[];
  readonly format: SettingsFormat;
  /** The key that holds the servers. */
  readonly container: string;
  readonly entry: (launch: Launch) => Entry;
  /** Keys of the entry that belong to the person once it exists, such as a switch. */
  readonly initial?: readonly string[];
  /** Where else in the same file entries for Pinhole can be. */
  readonly elsewhere?: (settings: Readonly<Record<string, unknown>>) => readonly EntryPath[];
  /** What the person has to do next. */
  readonly next: Readonly<Record<Scope, string>>;
}

/** Both scopes in the same words. */
export function nextStep(what: string): Client['next'] {
  return { user: what, project: `${what} in this project` };
}

/** The usual form of an entry. */
export function plainEntry({ command, args }: Launch): Entry {
  return { command, args };
}
