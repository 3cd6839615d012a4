/**
 * What the searches know about a source folder: which files it has now, and what changed since.
 *
 * ```ts
 * const tree = openTree('/srv/project', { watch: true });
 * await tree.refresh();                       // right as of this moment
 * for (const file of tree.files.values()) …   // every file that no ignore rule hides
 * tree.onChange(({ changed, removed }) => …)  // called inside later refreshes, before they resolve
 * ```
 */

import type { PathTable } from './path-table.ts';

/** A regular file under a root, as it was at the last check. */
export interface SourceFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** A dot file, or a file in a dot folder, that no rule shows: searched only on request. */
  readonly hidden: boolean;
  /** In a linked worktree of a repository of the same tree: only exact searches read it, as ranked ones have a copy. */
  readonly linked?: boolean | undefined;
}

/** Why something under a root is not searched. */
export type SkipReason = 'unreadable' | 'too_large' | 'binary' | 'minified';

/** Numbers of files that were left out, by reason. */
export type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;

/** The changes that one refresh found, as paths relative to the root. */
export interface TreeChange {
  /** New files, and files whose size, time or inode changed. */
  readonly changed: readonly SourceFile[];
  readonly removed: readonly string[];
}

/** How far `files` can be trusted. */
export interface Freshness {
  /** Grows by one with every change seen. */
  readonly generation: number;
  /** True if `files` has every change made before the refresh was requested. */
  readonly fresh: boolean;
  /** Why not, in a few words, when `fresh` is false. */
  readonly reason?: string;
}

/**
 * The files of a tree. Each path has a number that never changes. To look at all files, loop over the numbers: paths and
 * objects are made only when you ask for them.
 */
export interface SourceFiles {
  readonly paths: PathTable;
  readonly size: number;
  has(path: string): boolean;
  get(path: string): SourceFile | undefined;
  keys(): Iterable<string>;
  values(): Iterable<SourceFile>;
  /** The numbers of all files. */
  numbers(): Iterable<number>;
  /** Whether the tree has a file with this number. */
  isListed(number: number): boolean;
  /** Whether the tree has it, not hidden and not in a linked worktree. */
  isShown(number: number): boolean;
  at(number: number): SourceFile | undefined;
  sizeAt(number: number): number;
  mtimeAt(number: number): number;
  ctimeAt(number: number): number;
}

/** One source folder, its files, and their changes. */
export interface SourceTree {
  /** Absolute, real path. */
  readonly root: string;
  readonly files: SourceFiles;
  /** Folders that no ignore rule hides; '' is the root. */
  readonly folders: ReadonlySet<string>;
  /** Folders, and files without a usable name, that could not be read. */
  readonly unreadable: readonly string[];
  /** Linked worktrees of repositories in this tree. */
  readonly worktrees: readonly string[];
  /** Brings `files` up to date: reads the watcher's events, or checks every file where nothing is watched. */
  refresh(signal?: AbortSignal): Promise<Freshness>;
  /** Listens to changes; the returned function stops it. Listeners run inside `refresh`, in order. */
  onChange(listener: (change: TreeChange) => void): () => void;
  close(): Promise<void>;
}

/** Whether both describe the same state of the same file. */
export function sameFile(a: SourceFile, b: SourceFile): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;
}
