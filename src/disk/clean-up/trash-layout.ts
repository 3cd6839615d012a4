import { randomInt } from 'node:crypto';
import { type PlatformPath, posix, win32 } from 'node:path';

/** A trash folder: what was thrown away, and a record of where each item came from. */
export interface TrashFolders {
  readonly files: string;
  readonly info: string;
}

/** How a system keeps trash: the FreeDesktop specification, that of the Finder, or the Recycle Bin. */
export interface TrashLayout {
  /** The trash in the user's own folder, if there is one apart from those of the file systems. */
  own(home: string, env: NodeJS.ProcessEnv): TrashFolders | undefined;
  /** The trash at the top of a file system; `user` is a number, or a SID on Windows. */
  atTop(top: string, user: string): TrashFolders;
  /** The names of an item and its record; `attempt` counts names that were taken. */
  names(path: string, attempt: number): { readonly file: string; readonly record: string };
  record(item: { readonly path: string; readonly size: number }, now: number): string | Uint8Array;
  /** The record of an item in the trash. */
  recordOf(trashed: string): string;
}

const freedesktop: TrashLayout = {
  own: (home, env) =>
    pair(posix, posix.join(env.XDG_DATA_HOME || posix.join(home, '.local', 'share'), 'Trash')),
  atTop: (top, user) => pair(posix, posix.join(top, `.Trash-${user}`)),
  names(path, attempt) {
    const file = numbered(posix.basename(path), attempt);
    return { file, record: `${file}.trashinfo` };
  },
  record: trashInfo,
  recordOf: (trashed) =>
    posix.join(posix.dirname(posix.dirname(trashed)), 'info', `${posix.basename(trashed)}.trashinfo`),
};

/** The Finder keeps no records beside the items; ours are in a hidden folder among them. */
const RECORDS = '.pinhole';
const finder: TrashLayout = {
  own: (home) => finderFolders(posix.join(home, '.Trash')),
  atTop: (top, user) => finderFolders(posix.join(top, '.Trashes', user)),
  names: freedesktop.names,
  record: trashInfo,
  recordOf: (trashed) => posix.join(posix.dirname(trashed), RECORDS, `${posix.basename(trashed)}.trashinfo`),
};

/** Each drive has one folder per user; `$I…` records where `$R…` came from. */
const recycleBin: TrashLayout = {
  own: () => undefined,
  atTop(top, user) {
    const folder = win32.join(top, '$Recycle.Bin', user);
    return { files: folder, info: folder };
  },
  names(path) {
    const id = Array.from({ length: 6 }, () => randomInt(36).toString(36).toUpperCase()).join('');
    const name = `${id}${win32.extname(path)}`;
    return { file: `$R${name}`, record: `$I${name}` };
  },
  record: recycleRecord,
  recordOf: (trashed) => win32.join(win32.dirname(trashed), `$I${win32.basename(trashed).slice(2)}`),
};

export function trashLayout(platform: NodeJS.Platform): TrashLayout {
  return platform === 'win32' ? recycleBin : platform === 'darwin' ? finder : freedesktop;
}

function pair(paths: PlatformPath, folder: string): TrashFolders {
  return { files: paths.join(folder, 'files'), info: paths.join(folder, 'info') };
}

function finderFolders(folder: string): TrashFolders {
  return { files: folder, info: posix.join(folder, RECORDS) };
}

function numbered(name: string, attempt: number): string {
  return attempt === 0 ? name : `${name}.${attempt}`;
}

function trashInfo({ path }: { readonly path: string }, now: number): string {
  const date = new Date(now).toISOString().slice(0, 19);
  return `[Trash Info]\nPath=${encodeURI(path)}\nDeletionDate=${date}\n`;
}

/** Windows counts 100 ns since 1601; this is 1970 in that count. */
const FILETIME_1970 = 116_444_736_000_000_000n;

/** Version 2 of the record: version, size, time, length of the path with its closing zero, path in UTF-16. */
function recycleRecord(
  { path, size }: { readonly path: string; readonly size: number },
  now: number,
): Buffer {
  const name = Buffer.from(`${path}\0`, 'utf16le');
  const head = Buffer.alloc(28);
  head.writeBigInt64LE(2n, 0);
  head.writeBigInt64LE(BigInt(size), 8);
  head.writeBigInt64LE(BigInt(now) * 10_000n + FILETIME_1970, 16);
  head.writeInt32LE(name.length / 2, 24);
  return Buffer.concat([head, name]);
}
