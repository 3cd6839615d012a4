import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve, sep } from 'node:path';
import { systemCode } from '../../contract/errors.ts';
import { isInside } from '../../contract/inside.ts';
import type { RepoPath } from '../ingest/repo-path.ts';
import { fileOfStored, storedPath } from '../read/stored.ts';
import { providerWith } from './index.ts';
import { UnknownLog, writerOf } from './log-writer.ts';
import type { LogPlace, Provider, Unreadable } from './provider.ts';

/** A folder that an agent keeps its logs in, or one file of logs. */
export interface LogFolder {
  /** The id of the agent's provider. */
  readonly provider: string;
  readonly path: string;
}

export interface LogFile extends LogPlace {
  /** The agent that wrote it, which need not be the one whose folder it is in. */
  readonly provider: string;
  readonly path: string;
  /** The copy in the archive, if the log itself is gone. */
  readonly keptAt?: string | undefined;
  /** Size and modification time of a session in a store. */
  readonly stamp?: { readonly size: number; readonly mtimeMs: number } | undefined;
  /** Absent for logs on this machine. */
  readonly origin?: LogOrigin | undefined;
}

/** What is known about a log that another machine sent: it cannot be looked up on this disk. */
export interface LogOrigin {
  readonly machine: string;
  readonly person: string;
  /** The same for all checkouts of a repository: the address of its remote, else its folder. */
  readonly project: string | undefined;
  /** The path of a file in its repository. */
  placeOf(path: string): RepoPath;
}

/** The folders of all agents: where their environment variables point, else their defaults. */
export function logFolders(
  providers: readonly Provider[],
  env: NodeJS.ProcessEnv = process.env,
): readonly LogFolder[] {
  const home = env.HOME || homedir();
  return providers.flatMap((provider) =>
    provider.logFolders(env, home).map((path) => ({ provider: provider.id, path: resolve(path) })),
  );
}

const MAX_DEPTH = 12;

/** Every log below the folders; `unreadable` is called for folders that exist but cannot be read. */
export function findLogs(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  unreadable: Unreadable = () => {},
): readonly LogFile[] {
  const found = new Map<string, LogFile>();
  for (const folder of folders) {
    const provider = providerWith(providers, folder.provider);
    if (provider === undefined) continue;
    for (const path of filesBelow(folder.path, provider, MAX_DEPTH, unreadable)) {
      if (!hasLogName(provider, basename(path))) continue;
      for (const log of logsIn(providers, provider, path, unreadable))
        if (!found.has(log.path)) found.set(log.path, log);
    }
  }
  return [...found.values()];
}

/** The logs in a file: the file itself, or the sessions it contains. */
function logsIn(
  providers: readonly Provider[],
  provider: Provider,
  path: string,
  unreadable: Unreadable,
): readonly LogFile[] {
  const { store } = provider;
  if (store === undefined || !isStore(provider, path)) {
    const writer = writerOf(providers, provider, path, path);
    if (writer === undefined) unreadable(path, new UnknownLog());
    return writer === undefined ? [] : [logFile(writer, path)];
  }
  try {
    return store.sessions(path).map(({ id, size, changedMs }) => ({
      ...logFile(provider, storedPath(path, id)),
      stamp: { size, mtimeMs: changedMs },
    }));
  } catch (error) {
    unreadable(path, error);
    return [];
  }
}

/** The sessions of a store that a changed path belongs to: the store itself, or the journal beside it. */
export function storedLogsAt(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  path: string,
  unreadable: Unreadable,
): readonly LogFile[] {
  const file = path.replace(/-(?:wal|journal)$/, '');
  const folder = folders.find((one) => isInside(file, one.path));
  const provider = folder && providerWith(providers, folder.provider);
  if (provider === undefined || !isStore(provider, file) || !hasLogName(provider, basename(file))) return [];
  return logsIn(providers, provider, file, unreadable);
}

/** The log that a path in one of the folders names, or undefined if it is not a log. */
export function logAt(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  path: string,
  keptAt?: string,
): LogFile | undefined {
  const folder = folders.find((one) => isInside(path, one.path));
  const provider = folder && providerWith(providers, folder.provider);
  if (folder === undefined || provider === undefined) return undefined;
  const parts = path.slice(folder.path.length).split(sep);
  const inOther = parts.some((part) => provider.otherFolders?.includes(part));
  const named = fileOfStored(path) ?? (isStore(provider, path) ? '' : path);
  if (inOther || !hasLogName(provider, basename(named))) return undefined;
  const writer = writerOf(providers, provider, path, keptAt ?? path);
  return writer && logFile(writer, path, keptAt);
}

/** A log with what its location says: its name, the folders above it, and small files beside it. */
export function logFile(provider: Provider, path: string, keptAt?: string): LogFile {
  const readAt = keptAt?.replace(/\.gz$/, '') ?? path;
  return { provider: provider.id, path, keptAt, ...provider.place(path, readAt) };
}

/** Whether a file holds sessions, instead of being one. */
function isStore({ store }: Provider, path: string): boolean {
  return store !== undefined && (store.files?.test(path) ?? true);
}

function hasLogName({ logEndings, otherFiles }: Provider, name: string): boolean {
  if (otherFiles?.test(name) === true) return false;
  return logEndings.some((ending) => name === ending || (!name.startsWith('.') && name.endsWith(ending)));
}

function* filesBelow(
  folder: string,
  provider: Provider,
  depth: number,
  unreadable: Unreadable,
): Generator<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR' && hasLogName(provider, basename(folder))) yield folder;
    else if (existsSync(folder)) unreadable(folder, error);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth > 0 && provider.otherFolders?.includes(entry.name) !== true)
      yield* filesBelow(path, provider, depth - 1, unreadable);
  }
}
