import type { ErrorCounts } from './node-kinds.ts';

/**
 * A scanner process writes frames: a head of 16 bytes (type, length of the payload, two spare) and a payload. Entries
 * are sent as columns, so that both ends copy memory and make no objects.
 */
export const FRAME = { entries: 1, idle: 2, gave: 3, done: 4 } as const;
export const HEAD_BYTES = 16;
export const ENTRIES_HEAD_BYTES = 32;

/** A folder to read. */
export interface DirTask {
  /** Which folder it is, see {@link makeRef}. */
  readonly ref: number;
  /** As raw text, see raw-text.ts. */
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
  readonly depth: number;
  /** Names of sub-folders, as raw text, that are known and unchanged: listed but not entered. */
  readonly known?: readonly string[] | undefined;
}

/** What a scanner is told to do, as one line of JSON. */
export type ScannerCommand =
  | { readonly op: 'start'; readonly options: WalkOptions; readonly index: number }
  | { readonly op: 'scan'; readonly dirs: readonly DirTask[] }
  | { readonly op: 'give' }
  | { readonly op: 'end' };

export interface WalkOptions {
  readonly root: string;
  readonly rootDev: number;
  readonly oneFileSystem: boolean;
  readonly followSymlinks: boolean;
  readonly depthLimit: number | undefined;
  readonly exclude: readonly string[];
  /** Folders that followed links may lead into. */
  readonly allowed: readonly string[];
}

export interface ErrorSample {
  readonly path: string;
  readonly kind: string;
}

export interface WalkReport {
  readonly errors: ErrorCounts;
  readonly samples: readonly ErrorSample[];
}

const MAX_DIRS_PER_SCANNER = 2 ** 27;
/** With this scanner number, a ref is a folder number of the earlier tree (0 is the root). */
export const EARLIER = 31;

/** Identifies a folder across processes: the scanner that saw it, and its number among that scanner's folders. */
export function makeRef(scanner: number, number: number): number {
  if (number >= MAX_DIRS_PER_SCANNER)
    throw new RangeError('A scanner can number at most 134 million folders.');
  return scanner * MAX_DIRS_PER_SCANNER + number;
}

export function refScanner(ref: number): number {
  return Math.floor(ref / MAX_DIRS_PER_SCANNER);
}

export function refNumber(ref: number): number {
  return ref % MAX_DIRS_PER_SCANNER;
}

/** The columns of one payload of entries. In each listing, files come before folders. */
export interface EntriesView {
  readonly size: Float64Array;
  readonly blocks: Float64Array;
  readonly ctime: Float64Array;
  readonly linkDev: Float64Array;
  readonly linkIno: Float64Array;
  readonly ino: Uint32Array;
  readonly mtime: Uint32Array;
  readonly details: Uint32Array;
  readonly owner: Uint32Array;
  readonly listingRef: Uint32Array;
  readonly listingFiles: Uint32Array;
  readonly listingDirs: Uint32Array;
  readonly listingErrors: Uint32Array;
  readonly linkAt: Uint32Array;
  readonly linkCount: Uint32Array;
  readonly nameLength: Uint16Array;
  readonly kind: Uint8Array;
  readonly names: Uint8Array;
}

export interface EntriesCounts {
  readonly entries: number;
  readonly listings: number;
  readonly dirs: number;
  readonly links: number;
  readonly nameBytes: number;
  /** Folders the scanner still has to read. */
  readonly pending: number;
}

/** Lays the columns over a payload, to write or to read. `at` must be a multiple of 8. */
export function entriesView(buffer: ArrayBufferLike, at: number, counts: EntriesCounts): EntriesView {
  let offset = at + ENTRIES_HEAD_BYTES;
  const f64 = (n: number) => {
    const view = new Float64Array(buffer, offset, n);
    offset += n * 8;
    return view;
  };
  const u32 = (n: number) => {
    const view = new Uint32Array(buffer, offset, n);
    offset += n * 4;
    return view;
  };
  const u16 = (n: number) => {
    const view = new Uint16Array(buffer, offset, n);
    offset += n * 2;
    return view;
  };
  const bytes = (n: number) => {
    const view = new Uint8Array(buffer, offset, n);
    offset += n;
    return view;
  };
  const { entries, listings, dirs, links, nameBytes } = counts;
  return {
    size: f64(entries),
    blocks: f64(entries),
    ctime: f64(dirs),
    linkDev: f64(links),
    linkIno: f64(links),
    ino: u32(entries),
    mtime: u32(entries),
    details: u32(entries),
    owner: u32(entries),
    listingRef: u32(listings),
    listingFiles: u32(listings),
    listingDirs: u32(listings),
    listingErrors: u32(listings),
    linkAt: u32(links),
    linkCount: u32(links),
    nameLength: u16(entries),
    kind: bytes(entries),
    names: bytes(nameBytes),
  };
}

/** The size of a payload of entries, rounded up to a multiple of 8. */
export function entriesBytes(counts: EntriesCounts): number {
  const { entries, listings, dirs, links, nameBytes } = counts;
  const bytes = ENTRIES_HEAD_BYTES + entries * 35 + dirs * 8 + links * 24 + listings * 16 + nameBytes;
  return Math.ceil(bytes / 8) * 8;
}
