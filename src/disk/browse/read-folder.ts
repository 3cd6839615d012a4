import { closeSync, type Dirent, lstatSync, type Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { fail, systemCode } from '../../contract/errors.ts';
import { NotOpened, type OpenFolder, openFolder } from '../../contract/open-file.ts';
import { callInspect } from '../calls.ts';
import { isBroken } from '../filter/link-targets.ts';
import { capped } from '../sizes.ts';
import type { Sort } from './shells.ts';

export type Kind = 'dir' | 'file' | 'symlink' | 'other';

/** One entry of a folder, as it is on the disk now. */
export interface LiveEntry {
  readonly name: string;
  readonly kind: Kind;
  readonly size: number;
  readonly modified: number;
}

const CONCURRENT_STATS = 64;
/** The entries of a page: a look at one takes a tenth of handing it to another thread. */
const FEW_STATS = 32;

export function kindOf(entry: Dirent | Stats): Kind {
  if (entry.isDirectory()) return 'dir';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

/** All entries of a folder, without those that disappear while it is read. */
export async function readFolder(folder: string, signal: AbortSignal): Promise<LiveEntry[]> {
  return withFolder(folder, (path) => entriesOf(path, signal)).catch((error: unknown) =>
    unreadable(folder, error),
  );
}

async function entriesOf(folder: string, signal: AbortSignal): Promise<LiveEntry[]> {
  // As bytes, because a name that is not UTF-8 cannot be read as text.
  const names = await readdir(folder, { encoding: 'buffer' });
  const prefix = Buffer.from(`${folder}/`);
  const entries: LiveEntry[] = [];
  for (let start = 0; start < names.length; start += CONCURRENT_STATS) {
    signal.throwIfAborted();
    const part = names.slice(start, start + CONCURRENT_STATS).map(async (name) => {
      const stats = await lstat(Buffer.concat([prefix, name])).catch(() => undefined);
      if (stats === undefined) return;
      const { size, mtimeMs } = stats;
      entries.push({
        name: name.toString('utf8'),
        kind: kindOf(stats),
        size: capped(size),
        modified: Math.trunc(mtimeMs),
      });
    });
    await Promise.all(part);
  }
  return entries;
}

/** The facts about some entries of a folder; undefined for each that cannot be read. */
export async function entryStats(
  folder: string,
  names: readonly (string | undefined)[],
): Promise<readonly (Stats | undefined)[]> {
  const read = names.length <= FEW_STATS ? async (path: string) => statNow(path) : stat;
  const readAll = (path: string) =>
    Promise.all(names.map((name) => (name === undefined ? undefined : read(`${path}/${name}`))));
  return withFolder(folder, readAll).catch(() => []);
}

const stat = (path: string) => lstat(path).catch(() => undefined);

function statNow(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Where a link in a folder leads; nothing if it cannot be read. Its target is not opened. */
export async function linkAt(
  folder: string,
  name: string,
): Promise<{ target?: string; broken?: true | undefined }> {
  const read = async (path: string) => {
    const link = `${path}/${name}`;
    return { target: await readlink(link), broken: (await isBroken(link)) ? (true as const) : undefined };
  };
  return withFolder(folder, read).catch(() => ({}));
}

/** Opens a folder and passes a path to it that no swapped link can redirect. */
async function withFolder<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  const open: OpenFolder = openFolder(folder);
  try {
    return await use(open.path);
  } finally {
    closeSync(open.fd);
  }
}

/** How many files and folders are directly in a folder; undefined if it cannot be read. */
export async function countChildren(folder: string): Promise<{ files: number; dirs: number } | undefined> {
  try {
    const entries = await withFolder(folder, (path) => readdir(path, { withFileTypes: true }));
    const dirs = entries.filter((entry) => entry.isDirectory()).length;
    return { files: entries.length - dirs, dirs };
  } catch {
    return undefined;
  }
}

/** What an entry is sorted by; by size, folders come first, because their size is unknown. */
export function sortKey(entry: LiveEntry, sort: Sort): readonly [number, string] {
  if (sort === 'name') return [0, entry.name];
  if (sort === 'modified') return [-entry.modified, entry.name];
  return [entry.kind === 'dir' ? Number.MIN_SAFE_INTEGER : -entry.size, entry.name];
}

export function compareKeys(a: readonly [number, string], b: readonly [number, string]): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  return a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0;
}

function unreadable(folder: string, error: unknown): never {
  const code = systemCode(error);
  if (error instanceof NotOpened) fail('not_found', `The folder '${folder}' was replaced by a link.`);
  if (code === 'ENOTDIR')
    fail('invalid_parameter', `'${folder}' is not a folder.`, { next: callInspect({ path: folder }) });
  if (code === 'ENOENT') fail('not_found', `The folder '${folder}' no longer exists.`);
  if (code === 'EACCES' || code === 'EPERM') fail('path_not_allowed', `Permission denied: '${folder}'.`);
  throw error;
}
