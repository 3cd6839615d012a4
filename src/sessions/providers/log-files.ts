import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve, sep } from 'node:path';
import { providerWith } from './index.ts';
import type { LogPlace, Provider, Unreadable } from './provider.ts';

/** A folder that an agent keeps its logs in. */
export interface LogFolder {
  /** The id of the agent's provider. */
  readonly provider: string;
  readonly path: string;
}

export interface LogFile extends LogPlace {
  readonly provider: string;
  readonly path: string;
  /** The copy in the archive, where the log itself is gone. */
  readonly keptAt?: string | undefined;
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

/** Every log below the folders; `unreadable` hears of a folder that exists but cannot be read. */
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
      if (!found.has(path) && hasLogName(provider, basename(path))) found.set(path, logFile(provider, path));
    }
  }
  return [...found.values()];
}

/** The log of one of the folders that a path names, or undefined when it is not a log. */
export function logAt(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  path: string,
  keptAt?: string,
): LogFile | undefined {
  const folder = folders.find((one) => path.startsWith(`${one.path}/`));
  const provider = folder && providerWith(providers, folder.provider);
  if (folder === undefined || provider === undefined) return undefined;
  const parts = path.slice(folder.path.length).split(sep);
  const inOther = parts.some((part) => provider.otherFolders?.includes(part));
  return inOther || !hasLogName(provider, basename(path)) ? undefined : logFile(provider, path, keptAt);
}

/** A log with what its place says: its name, the folders above it, and small files beside it. */
export function logFile(provider: Provider, path: string, keptAt?: string): LogFile {
  const readAt = keptAt?.replace(/\.gz$/, '') ?? path;
  return { provider: provider.id, path, keptAt, ...provider.place(path, readAt) };
}

function hasLogName({ logEndings, otherFiles }: Provider, name: string): boolean {
  if (name.startsWith('.') || otherFiles?.test(name) === true) return false;
  return logEndings.some((ending) => name.endsWith(ending));
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
    if (existsSync(folder)) unreadable(folder, error);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth > 0 && provider.otherFolders?.includes(entry.name) !== true)
      yield* filesBelow(path, provider, depth - 1, unreadable);
  }
}
