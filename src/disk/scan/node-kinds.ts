import { at } from '../../contract/at.ts';
/** What a node is: the low two bits of its kind byte. */
export const KIND = { file: 0, dir: 1, symlink: 2, other: 3 } as const;
export const KIND_MASK = 3;
export const KIND_NAMES = ['file', 'dir', 'symlink', 'other'] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** Facts about a node: the high bits of its kind byte. */
export const FLAG = {
  /** The file has more than one name. */
  linked: 4,
  /** The system refused to read it. */
  error: 8,
  /** A folder of another file system; not entered. */
  otherFileSystem: 16,
  /** Matches an exclude pattern; not counted and not entered. */
  excluded: 32,
  /** A folder at the depth limit: its totals include what is below, but no nodes are kept. */
  tooDeep: 64,
} as const;

/** A folder with one of these flags is in the index, but nothing below it. */
export const NOT_ENTERED = FLAG.excluded | FLAG.otherFileSystem | FLAG.tooDeep;

/** How many errors are kept as samples, of all that are counted. */
export const MAX_ERROR_SAMPLES = 20;

/** Why something could not be read. */
export const ERROR_KINDS = ['permission', 'vanished', 'replaced', 'name_too_long', 'io', 'other'] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];
export type ErrorCounts = Readonly<Partial<Record<ErrorKind, number>>>;

/** The kind of error for a system error code. */
export function errorKind(code: string | undefined): ErrorKind {
  if (code === 'EACCES' || code === 'EPERM') return 'permission';
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESTALE') return 'vanished';
  if (code === 'ENAMETOOLONG') return 'name_too_long';
  if (code === 'EIO') return 'io';
  return 'other';
}

/** The name of a node's kind. */
export function kindName(kind: number): KindName {
  return at(KIND_NAMES, kind & KIND_MASK);
}

/** True for the kind byte of a folder. */
export function isDir(kind: number): boolean {
  return (kind & KIND_MASK) === KIND.dir;
}
