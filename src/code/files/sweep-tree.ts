import { join } from 'node:path';
import { at, float64At } from '../../contract/at.ts';
import { Thread } from '../../threads/thread.ts';
import { ownText } from '../words/own-text.ts';
import type { FileState, ListedFiles } from './listed-files.ts';
import { NumberSet } from './number-set.ts';
import { noteRepository, type Outside, outsideOf } from './outside-state.ts';
import type { SweepMethods } from './sweep-tree.worker.ts';
import { walk } from './walk-tree.ts';
import type { WatchedFolder } from './watch-folders.ts';

/** What one check of a whole tree found. */
export interface Sweep {
  /** New files, and files that are not as the tree knows them. */
  readonly changed: readonly ChangedRows[];
  /** Numbers of files that are gone. */
  readonly removed: readonly number[];
  readonly folders: readonly WatchedFolder[];
  readonly unreadable: readonly string[];
  readonly worktrees: readonly string[];
  /** The state that no watch reports, as it was when the rules were read. */
  readonly outside: Outside;
}

/** Some files: the number of each in the tree, and its columns. */
interface ChangedRows {
  readonly numbers: Uint32Array;
  readonly columns: Float64Array;
}

/** A part of a sweep as it is sent between threads: columns instead of objects, names joined by NUL. */
export interface SweepPart {
  readonly paths: string;
  /** size, mtime, ctime, inode, and HIDDEN and LINKED for each path. */
  readonly columns: Float64Array;
  /** Path and id of each folder in turn. */
  readonly folders: string;
}

/** What a sweep knows at its end. */
export type SweepEnd = Pick<Sweep, 'unreadable' | 'worktrees' | 'outside'>;

const COLUMNS = 5;
const HIDDEN = 1;
const LINKED = 2;

/** A walk that takes longer than this moves to its own thread. */
const IN_PLACE_MS = 15;

/** Files in one part. */
const PART_FILES = 4_000;

class TooSlow extends Error {}

/** Compares every file of a tree with what is known; large trees are walked in a thread, which sends part after part. */
export async function sweep(root: string, files: ListedFiles): Promise<Sweep> {
  const deadline = performance.now() + IN_PLACE_MS;
  try {
    const comparison = new Comparison(files);
    const end = walkInParts(
      root,
      (part) => comparison.take(part),
      () => {
        if (performance.now() > deadline) throw new TooSlow();
      },
    );
    return comparison.finish(end);
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    const comparison = new Comparison(files);
    const thread = new Thread<SweepMethods>(new URL('./sweep-tree.worker.ts', import.meta.url));
    const end = await thread.once('sweep', root, { onEvent: (part) => comparison.take(part) });
    return comparison.finish(end);
  }
}

/** The numbers of changed files and their state. */
export function* changedStates({ changed }: Sweep): Generator<readonly [number: number, state: FileState]> {
  for (const { numbers, columns } of changed)
    for (const [place, number] of numbers.entries()) yield [number, stateAt(columns, place * COLUMNS)];
}

/** Walks a tree and sends what it finds, in path order, in parts. */
export function walkInParts(root: string, send: (part: SweepPart) => void, eachFolder: () => void): SweepEnd {
  const outside = outsideOf(root);
  const unreadable: string[] = [];
  const worktrees: string[] = [];
  let paths: string[] = [];
  let folders: string[] = [];
  const columns = new Float64Array(COLUMNS * PART_FILES);
  const flush = () => {
    const used = columns.slice(0, COLUMNS * paths.length);
    send({ paths: paths.join('\0'), columns: used, folders: folders.join('\0') });
    paths = [];
    folders = [];
  };
  walk(root, {
    file: ({ path, size, mtimeMs, ctimeMs, ino, hidden, linked }) => {
      const kind = (hidden ? HIDDEN : 0) | (linked ? LINKED : 0);
      columns.set([size, mtimeMs, ctimeMs, ino, kind], COLUMNS * paths.length);
      if (paths.push(path) === PART_FILES) flush();
    },
    folder: ({ path, id, repository }) => {
      eachFolder();
      folders.push(path, id);
      if (repository) noteRepository(join(root, path), outside);
    },
    unreadable: (path) => unreadable.push(path),
    worktree: (path) => worktrees.push(path),
  });
  flush();
  return { unreadable, worktrees, outside };
}

/** Compares what a sweep finds with the files of a tree, part by part, without changing them. */
class Comparison {
  readonly #files: ListedFiles;
  readonly #seen = new NumberSet();
  readonly #changed: ChangedRows[] = [];
  readonly #folders: WatchedFolder[] = [];

  constructor(files: ListedFiles) {
    this.#files = files;
  }

  take({ paths, columns, folders }: SweepPart): void {
    const changed: number[] = [];
    const places: number[] = [];
    for (const [place, path] of paths === '' ? [] : paths.split('\0').entries()) {
      const number = this.#files.paths.add(path);
      this.#seen.add(number);
      if (this.#files.isAt(number, stateAt(columns, place * COLUMNS))) continue;
      changed.push(number);
      places.push(place);
    }
    if (changed.length > 0)
      this.#changed.push({ numbers: Uint32Array.from(changed), columns: picked(columns, places) });
    const fields = folders === '' ? [] : folders.split('\0');
    for (let field = 0; field < fields.length; field += 2)
      this.#folders.push({ path: ownText(at(fields, field)), id: ownText(at(fields, field + 1)) });
  }

  finish(end: SweepEnd): Sweep {
    const removed: number[] = [];
    for (const number of this.#files.numbers()) if (!this.#seen.has(number)) removed.push(number);
    return { changed: this.#changed, removed, folders: this.#folders, ...end };
  }
}

/** The columns of some files. */
function picked(columns: Float64Array, places: readonly number[]): Float64Array {
  if (places.length * COLUMNS === columns.length) return columns;
  const some = new Float64Array(places.length * COLUMNS);
  for (const [to, from] of places.entries())
    some.set(columns.subarray(from * COLUMNS, (from + 1) * COLUMNS), to * COLUMNS);
  return some;
}

function stateAt(columns: Float64Array, from: number): FileState {
  return {
    size: float64At(columns, from),
    mtimeMs: float64At(columns, from + 1),
    ctimeMs: float64At(columns, from + 2),
    ino: float64At(columns, from + 3),
    hidden: (float64At(columns, from + 4) & HIDDEN) !== 0,
    linked: (float64At(columns, from + 4) & LINKED) !== 0,
  };
}
