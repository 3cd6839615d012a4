import { createHash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { readStart } from '../../contract/open-file.ts';
import type { Provider } from '../model/event.ts';
import { filled, object, parseJson } from '../model/log-json.ts';
import { wholeFile } from '../read/source.ts';

/** A folder that a client keeps its logs in. */
export interface LogFolder {
  readonly provider: Provider;
  readonly path: string;
}

/** What the place of a log tells about its session. */
export interface LogFile {
  readonly provider: Provider;
  readonly path: string;
  readonly archived: boolean;
  /** The copy in the archive, where the log itself is gone. */
  readonly keptAt?: string | undefined;
  readonly id?: string | undefined;
  readonly parentId?: string | undefined;
  readonly cwd?: string | undefined;
  readonly agentName?: string | undefined;
  /** The call of the parent that started this session. */
  readonly spawnCall?: string | undefined;
}

/** The folders of all clients: where their own environment variables point, else their defaults. */
export function logFolders(env: NodeJS.ProcessEnv = process.env): readonly LogFolder[] {
  const home = env.HOME || homedir();
  const configured = (env.CLAUDE_CONFIG_DIR ?? '').split(',').map((path) => path.trim());
  const claude = configured.some((path) => path !== '')
    ? configured.filter((path) => path !== '')
    : [join(home, '.claude'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'claude')];
  const codex = env.CODEX_HOME || join(home, '.codex');
  const gemini = join(env.GEMINI_CLI_HOME || home, '.gemini');
  return [
    ...claude.map((path) => ({ provider: 'claude_code' as const, path: join(resolve(path), 'projects') })),
    { provider: 'codex', path: join(resolve(codex), 'sessions') },
    { provider: 'codex', path: join(resolve(codex), 'archived_sessions') },
    { provider: 'gemini', path: join(resolve(gemini), 'tmp') },
  ];
}

const NOT_LOGS = new Set([
  'sessions-index.json',
  'session_index.jsonl',
  'history.jsonl',
  'logs.json',
  'projects.json',
  'settings.json',
]);
const NOT_LOG_FOLDERS = new Set(['tool-results', 'tool-outputs', 'memory', 'checkpoints', 'shell-snapshots']);
const DEPTH = 12;

/** Every log below the folders. A folder that is there and cannot be read is told. */
export function findLogs(
  folders: readonly LogFolder[],
  unreadable: (folder: string, error: unknown) => void = () => {},
): readonly LogFile[] {
  const found = new Map<string, LogFile>();
  for (const { provider, path } of folders) {
    for (const file of walk(path, DEPTH, unreadable)) {
      if (!found.has(file) && isLog(file, provider)) found.set(file, describe(file, provider));
    }
  }
  return [...found.values()];
}

/** Whether a path is a log of this client, by its name alone. */
export function isLog(path: string, provider: Provider): boolean {
  const name = basename(path);
  if (NOT_LOGS.has(name) || name.endsWith('.meta.json') || name.startsWith('.')) return false;
  if (path.split(sep).some((part) => NOT_LOG_FOLDERS.has(part))) return false;
  if (name.endsWith('.jsonl')) return true;
  if (provider === 'codex') return name.endsWith('.jsonl.zst');
  return provider === 'gemini' && name.endsWith('.json') && !name.startsWith('checkpoint-');
}

function* walk(
  folder: string,
  depth: number,
  unreadable: (folder: string, error: unknown) => void,
): Generator<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (existsSync(folder)) unreadable(folder, error);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth > 0 && !NOT_LOG_FOLDERS.has(entry.name)) yield* walk(path, depth - 1, unreadable);
    } else if (entry.isFile()) yield path;
  }
}

const WHOLE_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Reads the place of a log: its name, the folders above it, and small files beside it. */
export function describe(path: string, provider: Provider, keptAt?: string): LogFile {
  const at = keptAt?.replace(/\.gz$/, '') ?? path;
  const name = basename(path).replace(/\.(?:jsonl|json|jsonl\.zst)$/, '');
  const base = { provider, path, archived: path.includes(`${sep}archived_sessions${sep}`), keptAt };
  if (provider === 'claude_code') {
    const agent = /^agent-(.+)$/.exec(name)?.[1];
    if (agent !== undefined) return { ...base, id: agent, ...parentFolder(dirname(path)), ...agentMeta(at) };
    return UUID.test(name) ? { ...base, id: name } : base;
  }
  if (provider === 'codex') return base;
  return { ...base, ...parentFolder(path), cwd: geminiProject(at) };
}

/** Logs of subagents lie in a folder that has the name of their parent session. */
function parentFolder(path: string): Partial<LogFile> {
  const name = basename(dirname(path));
  return WHOLE_UUID.test(name) ? { parentId: name } : {};
}

function agentMeta(path: string): Partial<LogFile> {
  const meta = object(parseJson(readSmall(path.replace(/\.jsonl$/, '.meta.json')) ?? ''));
  return { agentName: filled(meta.agentType), spawnCall: filled(meta.toolUseId) };
}

/**
 * `tmp/<slug>/.project_root` holds the path that the slug stands for; so does `projects.json` above `tmp`. Folders of
 * older versions are named by the hash of the path.
 */
function geminiProject(path: string): string | undefined {
  const chats = path.lastIndexOf(`${sep}chats${sep}`);
  if (chats < 0) return undefined;
  const folder = path.slice(0, chats);
  const root = filled(readSmall(join(folder, '.project_root'))?.trim());
  if (root !== undefined) return root;
  const { projects } = object(parseJson(readSmall(join(dirname(dirname(folder)), 'projects.json')) ?? ''));
  const slug = basename(folder);
  return Object.entries(object(projects)).find(
    ([project, name]) => name === slug || createHash('sha256').update(project).digest('hex') === slug,
  )?.[0];
}

const SMALL = 1 << 20;

/** The beginning of a small file, or of its copy in the archive. */
function readSmall(path: string): string | undefined {
  try {
    return readStart(path, { below: dirname(path) }, SMALL).bytes.toString('utf8');
  } catch {
    // Not there, or a link: its copy, or none.
  }
  try {
    return wholeFile(`${path}.gz`, dirname(path), SMALL).toString('utf8');
  } catch {
    return undefined;
  }
}
