/** What a node is: the low two bits of its kind byte. */
export const KIND = { file: 0, dir: 1, symlink: 2, other: 3 } as const;
export const KIND_MASK = 3;
export const KIND_NAMES = ['file', 'dir', 'symlink', 'other'] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** Facts on a node: the high bits of its kind byte. */
export const FLAG = {
  /** More than one name leads to the same data. */
  linked: 4,
  /** The system refused to tell about it. */
  error: 8,
  /** A folder of another file system; not entered. */
  otherFileSystem: 16,
  /** Matches an exclude pattern; not counted and not entered. */
  excluded: 32,
  /** A folder at the depth limit: what is below counts in its totals, and is not kept. */
  tooDeep: 64,
} as const;

/** Folders with any of these are in the index, but not what is below them. */
export const NOT_ENTERED = FLAG.excluded | FLAG.otherFileSystem | FLAG.tooDeep;

/** Why something could not be read. */
export const ERROR_KINDS = ['permission', 'vanished', 'replaced', 'name_too_long', 'io', 'other'] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];
export type ErrorCounts = Readonly<Partial<Record<ErrorKind, number>>>;

/** The kind behind a system error code. */
export function errorKind(code: string | undefined): ErrorKind {
  if (code === 'EACCES' || code === 'EPERM') return 'permission';
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESTALE') return 'vanished';
  if (code === 'ENAMETOOLONG') return 'name_too_long';
  if (code === 'EIO') return 'io';
  return 'other';
}

/** The name of a node's kind. */
export function kindName(kind: number): KindName {
  return KIND_NAMES[kind & KIND_MASK] ?? 'other';
}

/** True for the kind byte of a folder. */
export function isDir(kind: number): boolean {
  return (kind & KIND_MASK) === KIND.dir;
}
