import { basename } from 'node:path';
import type { ErrorCounts } from '../scan/node-kinds.ts';
import type { ErrorSample } from '../scan/scanner-frames.ts';

/** How a root is scanned; stored with the index so that a rescan uses the same options. */
export interface ScanOptions {
  readonly followSymlinks: boolean;
  readonly oneFileSystem: boolean;
  readonly depthLimit: number | undefined;
  readonly exclude: readonly string[];
  /** True: imported, perhaps from another machine; never scanned. */
  readonly imported?: boolean | undefined;
}

/** Facts about an index that are not columns. Times are milliseconds since 1970. */
export interface TreeMeta {
  readonly root: string;
  readonly options: ScanOptions;
  /** Increases with every rescan that is kept. */
  readonly generation: number;
  /** When the scan began: later changes are not in it. */
  readonly scannedAt: number;
  /** When every file was last checked; folders were checked at `scannedAt`. */
  readonly verifiedAt: number;
  readonly tookMs: number;
  /** The next node id to assign; ids are never reused. */
  readonly nextId: number;
  readonly nodes: number;
  readonly dirs: number;
  readonly links: number;
  readonly nameBytes: number;
  /** What the numbers in the columns `ext` and `owner` stand for. */
  readonly extensions: readonly string[];
  readonly owners: readonly number[];
  /** Rows with too many blocks for their column, and the number of blocks. */
  readonly big: readonly (readonly [number, number])[];
  readonly errors: ErrorCounts;
  readonly errorSamples: readonly ErrorSample[];
}

/**
 * One generation of an index as columns. Rows are in preorder, and the files of a folder come before its sub-folders:
 * the files of folder `d` are the `dirFiles[d]` rows after `dirRow[d]`, its first sub-folder is folder `d + 1`, and
 * the sibling after folder `c` is `c + dirDirs[c] + 1`. Read columns with the functions of contract/at.ts.
 */
export interface Tree {
  readonly meta: TreeMeta;
  readonly buffer: SharedArrayBuffer;
  /** Persistent node id of each row. */
  readonly id: Uint32Array;
  /** Number of the folder that contains the row; the root contains itself. */
  readonly parent: Uint32Array;
  readonly nameAt: Uint32Array;
  readonly names: Buffer;
  readonly size: Float64Array;
  /** Allocated blocks of 512 bytes; see `diskOf`. */
  readonly blocks: Uint32Array;
  /** Seconds since 1970. */
  readonly mtime: Uint32Array;
  /** Low 32 bits of the inode number, to recognise renamed nodes. */
  readonly ino: Uint32Array;
  /** Permissions, and milliseconds of the modification; see `keptDetails`. */
  readonly details: Uint32Array;
  readonly ext: Uint16Array;
  readonly owner: Uint16Array;
  readonly kind: Uint8Array;
  /** Columns of folders, by folder number. */
  readonly dirRow: Uint32Array;
  /** Last row below the folder. */
  readonly dirLast: Uint32Array;
  readonly dirTime: Float64Array;
  /** Bytes of everything below, including the folder itself: allocated bytes, and sizes. */
  readonly dirDisk: Float64Array;
  readonly dirSize: Float64Array;
  /** Files directly in the folder. */
  readonly dirFiles: Uint32Array;
  /** All files and folders below. */
  readonly dirAllFiles: Uint32Array;
  readonly dirDirs: Uint32Array;
  /** Latest modification below. */
  readonly dirNewest: Uint32Array;
  readonly dirErrors: Uint32Array;
  /** Hard links in row order: a key that all names of a file share, and the system's count of its names. */
  readonly linkRow: Uint32Array;
  readonly linkKey: Float64Array;
  readonly linkCount: Uint32Array;
  readonly big: ReadonlyMap<number, number>;
}

type Counts = Pick<TreeMeta, 'nodes' | 'dirs' | 'links' | 'nameBytes'>;

/** The name of the root's own row. */
export function rootName(root: string): string {
  return basename(root) || root;
}

/** The size in bytes of the columns of a tree; the first version had no details. */
export function treeBytes({ nodes, dirs, links, nameBytes }: Counts, hasDetails = true): number {
  return round8(nodes * (hasDetails ? 41 : 37) + 4 + dirs * 52 + links * 16 + nameBytes);
}

/** The columns of a tree with zeros for the details that it does not have. */
export function withEmptyDetails(buffer: SharedArrayBuffer, meta: TreeMeta): SharedArrayBuffer {
  const whole = new SharedArrayBuffer(treeBytes(meta));
  const { details } = treeOver(whole, meta);
  const [from, into] = [new Uint8Array(buffer), new Uint8Array(whole)];
  into.set(from.subarray(0, details.byteOffset));
  const end = details.byteOffset + details.byteLength;
  into.set(from.subarray(details.byteOffset, details.byteOffset + into.length - end), end);
  return whole;
}

/** False for a tree of the first version; one that was imported need not have any. */
export function hasDetails({ meta, details }: Tree): boolean {
  return meta.options.imported === true || details[0] !== 0;
}

/** Lays the columns of a tree over a buffer, the widest first, so that each is aligned. */
export function treeOver(buffer: SharedArrayBuffer, meta: TreeMeta): Tree {
  let at = 0;
  const place = (bytes: number) => {
    const start = at;
    at += bytes;
    return start;
  };
  const f64 = (n: number) => new Float64Array(buffer, place(n * 8), n);
  const u32 = (n: number) => new Uint32Array(buffer, place(n * 4), n);
  const u16 = (n: number) => new Uint16Array(buffer, place(n * 2), n);
  const { nodes, dirs, links } = meta;
  return {
    meta,
    buffer,
    big: new Map(meta.big),
    size: f64(nodes),
    dirTime: f64(dirs),
    dirDisk: f64(dirs),
    dirSize: f64(dirs),
    linkKey: f64(links),
    id: u32(nodes),
    parent: u32(nodes),
    nameAt: u32(nodes + 1),
    blocks: u32(nodes),
    mtime: u32(nodes),
    ino: u32(nodes),
    details: u32(nodes),
    dirRow: u32(dirs),
    dirLast: u32(dirs),
    dirFiles: u32(dirs),
    dirAllFiles: u32(dirs),
    dirDirs: u32(dirs),
    dirNewest: u32(dirs),
    dirErrors: u32(dirs),
    linkRow: u32(links),
    linkCount: u32(links),
    ext: u16(nodes),
    owner: u16(nodes),
    kind: new Uint8Array(buffer, place(nodes), nodes),
    names: Buffer.from(buffer, place(meta.nameBytes), meta.nameBytes),
  };
}

function round8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
