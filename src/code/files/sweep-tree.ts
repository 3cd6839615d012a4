import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { at, float64At } from '../../contract/at.ts';
import { Thread } from '../../threads/thread.ts';
import { noteRepository, type Outside, outsideOf } from './outside-state.ts';
import { comparePaths } from './path-order.ts';
import { type SkipCounts, type SkipReason, type SourceFile, sameFile } from './source-tree.ts';
import type { SweepMethods } from './sweep-tree.worker.ts';
import { walk } from './walk-tree.ts';
import type { WatchedFolder } from './watch-folders.ts';

/** Everything that one check of a whole tree found. */
export interface Sweep {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly folders: readonly WatchedFolder[];
  readonly skipped: SkipCounts;
  /** The state that no watch reports, as it was when the rules were read. */
  readonly outside: Outside;
}

/** A sweep as it is sent between threads: columns instead of objects, names joined by NUL. */
export interface SweepColumns {
  /**
   * Bytes of UTF-8, because a part of a long text keeps all of it in memory, with two bytes per character if one of
   * them is not Latin.
   */
  readonly paths: Uint8Array;
  /** size, mtime, ctime, inode, hidden for each path. */
  readonly numbers: Float64Array;
  /** Path and id of each folder in turn. */
  readonly folders: string;
  readonly skipped: SkipCounts;
  readonly outside: Outside;
}

const COLUMNS = 5;

/** A walk that takes longer than this moves to its own thread. */
const IN_PLACE_MS = 15;

class TooSlow extends Error {}

/**
 * Checks every file of a tree; large trees are walked in a thread. Files of a large tree that are as in `before` are the
 * same objects, because indexes keep them: every check would leave another copy of the tree in memory.
 */
export async function sweep(root: string, before: ReadonlyMap<string, SourceFile>): Promise<Sweep> {
  const deadline = performance.now() + IN_PLACE_MS;
  try {
    return collect(root, () => {
      if (performance.now() > deadline) throw new TooSlow();
    });
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    return unpack(await sweepInThread(root), before);
  }
}

function collect(root: string, eachFolder: () => void): Sweep {
  const files = new Map<string, SourceFile>();
  const rest = walkAll(root, (file) => files.set(file.path, file), eachFolder);
  return { files, ...rest };
}

/** Walks a tree; its files are only told, because a large tree has many. */
function walkAll(
  root: string,
  eachFile: (file: SourceFile) => void,
  eachFolder: () => void,
): Omit<Sweep, 'files'> {
  const folders: WatchedFolder[] = [];
  const outside = outsideOf(root);
  const skipped: Partial<Record<SkipReason, number>> = {};
  walk(root, {
    file: eachFile,
    folder: ({ path, id, repository }) => {
      eachFolder();
      folders.push({ path, id });
      if (repository) noteRepository(join(root, path), outside);
    },
    skipped: (_path, reason) => {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    },
  });
  return { folders, skipped, outside };
}

/** The sweep of a tree in the form that is cheap to send between threads, in path order. */
export function packedSweep(root: string): SweepColumns {
  const found: string[] = [];
  let columns = new Float64Array(COLUMNS << 12);
  const { folders, skipped, outside } = walkAll(
    root,
    ({ path, size, mtimeMs, ctimeMs, ino, hidden }) => {
      const from = found.length * COLUMNS;
      if (from === columns.length) columns = doubled(columns);
      columns.set([size, mtimeMs, ctimeMs, ino, hidden ? 1 : 0], from);
      // The walk joins a path from its parts; as bytes and back it is one text.
      found.push(Buffer.from(path).toString());
    },
    () => {},
  );
  // Sorted here, in a thread, so that sorting them later takes no time.
  const order = Uint32Array.from(found.keys()).sort((a, b) => comparePaths(at(found, a), at(found, b)));
  const paths = Buffer.alloc(found.reduce((sum, path) => sum + Buffer.byteLength(path) + 1, 0));
  const numbers = new Float64Array(found.length * COLUMNS);
  let end = 0;
  for (const [place, number] of order.entries()) {
    end += paths.write(at(found, number), end) + 1;
    numbers.set(columns.subarray(number * COLUMNS, (number + 1) * COLUMNS), place * COLUMNS);
  }
  return {
    paths,
    numbers,
    folders: folders.flatMap(({ path, id }) => [path, id]).join('\0'),
    skipped,
    outside,
  };
}

function doubled(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** Files turned into objects between two turns of the event loop. */
const UNPACK_AT_ONCE = 20_000;

async function unpack(
  { paths, numbers, folders, skipped, outside }: SweepColumns,
  before: ReadonlyMap<string, SourceFile>,
): Promise<Sweep> {
  const files = new Map<string, SourceFile>();
  const names = Buffer.from(paths.buffer, paths.byteOffset, paths.byteLength);
  for (let from = 0, at = 0; from < names.length; at += COLUMNS) {
    const end = names.indexOf(0, from);
    const found: SourceFile = {
      path: names.toString('utf8', from, end),
      size: plain(float64At(numbers, at)),
      mtimeMs: float64At(numbers, at + 1),
      ctimeMs: float64At(numbers, at + 2),
      ino: plain(float64At(numbers, at + 3)),
      hidden: numbers[at + 4] === 1,
    };
    const known = before.get(found.path);
    const file =
      known !== undefined && sameFile(known, found) && known.hidden === found.hidden ? known : found;
    files.set(file.path, file);
    from = end + 1;
    if (files.size % UNPACK_AT_ONCE === 0) await nextTurn();
  }
  return { files, folders: unpackFolders(folders), skipped, outside };
}

/** The same number, without the object that V8 keeps for each number from an array of doubles. */
function plain(value: number): number {
  const small = value | 0;
  return small === value ? small : value;
}

function unpackFolders(joined: string): WatchedFolder[] {
  const fields = joined === '' ? [] : joined.split('\0');
  const folders: WatchedFolder[] = [];
  for (let field = 0; field < fields.length; field += 2)
    folders.push({ path: at(fields, field), id: at(fields, field + 1) });
  return folders;
}

function sweepInThread(root: string): Promise<SweepColumns> {
  const thread = new Thread<SweepMethods>(new URL('./sweep-tree.worker.ts', import.meta.url));
  return thread.once('sweep', root);
}
