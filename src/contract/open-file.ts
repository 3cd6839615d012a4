import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { systemCode } from './errors.ts';
import { escapedName, pathOnDisk } from './file-name.ts';
import { isInside } from './inside.ts';

/*
 * The one place that opens what somebody else may have put there: a user's file, a log, an ignore file. Opening never
 * waits (a pipe would), only plain files and folders are taken (a device may have no end), and where the descriptor
 * itself leads decides, not the path: a path can lead elsewhere a moment after it was checked.
 */

/** Where the opened file must be. */
export type Whereabouts =
  /** At the path itself, a real one: no part of it may have become a link. */
  | 'exact'
  /** The same for what follows this folder, which may itself be reached through links. */
  | { readonly below: string }
  /** In one of these folders, real paths, wherever links lead. */
  | { readonly within: readonly string[] }
  /** Wherever links lead: for files that the user's own settings name. */
  | 'anywhere';

/** Why an existing file is not opened: it is no plain file (or folder), it is elsewhere, or it is too large. */
export class NotOpened extends Error {
  override readonly name = 'NotOpened';
  readonly why: 'kind' | 'elsewhere' | 'size';

  constructor(why: NotOpened['why'], path: string | Buffer) {
    super(`${WORDS[why]}: ${path.toString()}`);
    this.why = why;
  }
}

const WORDS = {
  kind: 'not a plain file',
  elsewhere: 'a link leads to another place',
  size: 'larger than such a file may be',
} as const;

export interface OpenFile {
  readonly fd: number;
  readonly stats: Stats;
}

// Windows knows neither of the last two; there they count as 0.
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
const READ_NO_LINK = READ | constants.O_NOFOLLOW;
const LIST = READ_NO_LINK | constants.O_DIRECTORY;
/** Linux tells where a descriptor leads, and leads there without a path. */
const DESCRIPTORS = '/proc/self/fd';
const TELLS = process.platform === 'linux' && existsSync(DESCRIPTORS);

/** Opens a plain file; the caller closes it. Throws {@link NotOpened}, or what the system says. */
export function openFile(path: string | Buffer, where: Whereabouts): OpenFile {
  const file = openUnplaced(path, where);
  try {
    if (!isInPlace(file.fd, path, where)) throw new NotOpened('elsewhere', path);
    return file;
  } catch (error) {
    closeSync(file.fd);
    throw error;
  }
}

/**
 * The same without the look at where it is, which costs as much as opening: for readers of many files that ask
 * {@link isInPlace} before anything they read leaves.
 */
export function openUnplaced(path: string | Buffer, where: Whereabouts): OpenFile {
  const fd = openingPlain(path, () => openSync(onDisk(path), flagsFor(where)));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new NotOpened('kind', path);
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** What systems say when a socket is opened, or a device that nothing is behind. */
const NOT_PLAIN: ReadonlySet<string | undefined> = new Set(['ENXIO', 'ENODEV', 'EOPNOTSUPP']);

function openingPlain<T>(path: string | Buffer, opened: () => T): T {
  try {
    return opened();
  } catch (error) {
    if (NOT_PLAIN.has(systemCode(error))) throw new NotOpened('kind', path);
    throw error;
  }
}

/** True when an open file is where it must be. */
export function isInPlace(fd: number, path: string | Buffer, where: Whereabouts): boolean {
  if (where === 'anywhere') return true;
  const text = typeof path === 'string' ? path : escapedName(path);
  const location = locationOf(fd, path);
  return location !== undefined && isAllowed(location, text, where, () => isNamed(fd, path));
}

/** Opens a plain file or a folder; the caller closes it. Throws {@link NotOpened}, or what the system says. */
export async function openHandle(path: string, where: Whereabouts): Promise<FileHandle> {
  const handle = await open(pathOnDisk(path), flagsFor(where)).catch((error: unknown) =>
    openingPlain(path, () => {
      throw error;
    }),
  );
  try {
    const stats = await handle.stat();
    if (!stats.isFile() && !stats.isDirectory()) throw new NotOpened('kind', path);
    if (!isInPlace(handle.fd, path, where)) throw new NotOpened('elsewhere', path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** All bytes of a plain file with at most `most` of them; a longer one is {@link NotOpened}. */
export function readWhole(path: string | Buffer, where: Whereabouts, most: number): Buffer {
  const { bytes } = readStart(path, where, most + 1);
  if (bytes.length > most) throw new NotOpened('size', path);
  return bytes;
}

/** The first bytes of a plain file, at most `most`, and what the system said of it. */
export function readStart(
  path: string | Buffer,
  where: Whereabouts,
  most: number,
): { readonly bytes: Buffer; readonly stats: Stats } {
  const { fd, stats } = openFile(path, where);
  try {
    return { bytes: readUpTo(fd, stats.size, most), stats };
  } finally {
    closeSync(fd);
  }
}

/** Reads on where a file grew since its size was told, or has none to tell as in /proc. */
function readUpTo(fd: number, size: number, most: number): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(most, size + 1));
  for (let done = 0; ; ) {
    const count = done < bytes.length ? readSync(fd, bytes, done, bytes.length - done, done) : 0;
    done += count;
    if (count === 0 || done === most) return bytes.subarray(0, done);
    if (done === bytes.length)
      bytes = Buffer.concat([bytes], Math.min(most, Math.max(65_536, bytes.length * 2)));
  }
}

/** A folder that stays the same one while it is used, whatever becomes of its path. */
export interface OpenFolder {
  readonly fd: number;
  /** Leads to the folder without its path, where the system can do that. */
  readonly path: string;
}

/** Opens a folder; the caller closes it. Throws {@link NotOpened}, or what the system says. */
export function openFolder(path: string, where: Whereabouts = 'exact'): OpenFolder {
  const fd = openSync(pathOnDisk(path), LIST);
  try {
    if (!isInPlace(fd, path, where)) throw new NotOpened('elsewhere', path);
    return { fd, path: TELLS ? `${DESCRIPTORS}/${fd}` : path };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** An entry of a folder. */
export interface FolderEntry {
  /** As a path has it: escaped where it is not UTF-8. */
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** What is in a folder, none of whose path may be a link. */
export function listFolder(path: string): FolderEntry[] {
  const folder = openFolder(path);
  try {
    const entries = readdirSync(folder.path, { withFileTypes: true });
    return entries.some(({ name }) => name.includes('\ufffd')) ? listBytes(folder.path) : entries;
  } finally {
    closeSync(folder.fd);
  }
}

function listBytes(folder: string): FolderEntry[] {
  const entries = readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  const texts = new Set(entries.map(({ name }) => name.toString()));
  return entries.map((entry) => {
    const escaped = escapedName(entry.name);
    // Another file has these characters as its name: this one stays without a name that leads to it.
    const name = texts.has(escaped) ? entry.name.toString() : escaped;
    return { name, isFile: () => entry.isFile(), isDirectory: () => entry.isDirectory() };
  });
}

function flagsFor(where: Whereabouts): number {
  return where === 'exact' || (where !== 'anywhere' && 'below' in where) ? READ_NO_LINK : READ;
}

function isAllowed(
  location: string,
  path: string,
  where: Exclude<Whereabouts, 'anywhere'>,
  isNamedSo: () => boolean,
): boolean {
  if (where !== 'exact' && 'within' in where)
    return where.within.some((folder) => isInside(location, folder));
  const expected = where === 'exact' ? path : realpathSync(where.below) + path.slice(where.below.length);
  // Taken away or replaced since it was opened: it was there then.
  if (location === expected || location === `${expected} (deleted)`) return true;
  // Where case does not count the system may remember another spelling of the same path.
  return folded(location) === folded(expected) && isNamedSo();
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Where an open descriptor leads; undefined when that cannot be proven. */
function locationOf(fd: number, path: string | Buffer): string | undefined {
  if (TELLS) {
    const link = `${DESCRIPTORS}/${fd}`;
    return escapedName(readlinkSync(link, 'buffer'));
  }
  return isNamed(fd, path) ? escapedName(realpathSync(onDisk(path), 'buffer')) : undefined;
}

function onDisk(path: string | Buffer): string | Buffer {
  return typeof path === 'string' ? pathOnDisk(path) : path;
}

/** True when the path leads to this very file and none of its parts changed while looking. */
function isNamed(fd: number, path: string | Buffer): boolean {
  const stats = fstatSync(fd);
  const real = realpathSync(onDisk(path), 'buffer');
  const named = lstatSync(real);
  return (
    named.dev === stats.dev && named.ino === stats.ino && realpathSync(onDisk(path), 'buffer').equals(real)
  );
}
