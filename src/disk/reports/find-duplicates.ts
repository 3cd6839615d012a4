import { createHash } from 'node:crypto';
import { closeSync, readSync, type Stats } from 'node:fs';
import { at, float64At, uint8At } from '../../contract/at.ts';
import { type OpenFile, openFile } from '../../contract/open-file.ts';
import { KIND, KIND_MASK } from '../scan/node-kinds.ts';
import { systemPath } from '../scan/raw-text.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { rawPathOf } from '../tree/tree-nodes.ts';
import { HashCache } from './hash-cache.ts';
import { furtherNames } from './row-scope.ts';

/** Rows of a tree to search. */
export interface DuplicateScope {
  readonly tree: Tree;
  readonly from: number;
  readonly to: number;
}

export interface DuplicateSearch {
  readonly scopes: readonly DuplicateScope[];
  readonly minSize: number;
  /** Only files of these sizes. */
  readonly sizes?: ReadonlySet<number> | undefined;
  /** When to stop, on the clock of `performance.now()`. */
  readonly until: number;
  readonly cache: HashCache;
}

export interface DuplicateGroup {
  /** Size of each of the equal files. */
  readonly size: number;
  /** Rows; in a later scope, the nodes of the trees of the earlier scopes come on top. */
  readonly rows: readonly number[];
  readonly digest: string;
}

export interface DuplicatesFound {
  /** Largest files first. */
  readonly groups: readonly DuplicateGroup[];
  /** True if there was no time to compare all files. */
  readonly truncated: boolean;
  /** All files of at least this size were compared. */
  readonly least: number;
  readonly filesHashed: number;
  readonly bytesRead: number;
  readonly unreadable: number;
}

const PREFIX_BYTES = 4_096;
const PIECE_BYTES = 1 << 20;

/**
 * Groups files of equal content: first by size, which costs nothing, then by their first bytes, then by all of them.
 * Names of the same file are not duplicates, because removing one frees nothing.
 */
export function findDuplicates(search: DuplicateSearch): DuplicatesFound {
  const places = new Places(search.scopes);
  const reader = new FileReader(search, places);
  const groups: DuplicateGroup[] = [];
  let least = Number.POSITIVE_INFINITY;
  let begun = least;
  let truncated = false;
  for (const rows of bySize(search, places)) {
    // If the time was over while the files before these were read, they are not all there.
    truncated = performance.now() > search.until;
    if (truncated) break;
    least = begun;
    const size = places.sizeOf(at(rows, 0));
    begun = size;
    for (const alike of split(rows, (row) => reader.prefix(row)).values()) {
      if (alike.length < 2) continue;
      for (const [digest, equal] of split(alike, (row) => reader.whole(row))) {
        if (equal.length > 1) groups.push({ size, rows: equal, digest });
      }
    }
  }
  if (performance.now() > search.until) truncated = true;
  else least = begun;
  const { hashed: filesHashed, bytes: bytesRead, unreadable } = reader;
  return { groups, truncated, least, filesHashed, bytesRead, unreadable };
}

/** Finds the tree and the row of each number in a group of duplicates. */
export class Places {
  readonly #parts: readonly { readonly tree: Tree; readonly start: number }[];

  constructor(scopes: readonly Pick<DuplicateScope, 'tree'>[]) {
    let start = 0;
    this.#parts = scopes.map(({ tree }) => {
      const part = { tree, start };
      start += tree.meta.nodes;
      return part;
    });
  }

  /** Which of the scopes it is in, and where. */
  find(place: number): { readonly scope: number; readonly tree: Tree; readonly row: number } {
    const scope = this.#parts.findLastIndex(({ start }) => start <= place);
    const { tree, start } = at(this.#parts, scope);
    return { scope, tree, row: place - start };
  }

  place(scope: number, row: number): number {
    return at(this.#parts, scope).start + row;
  }

  sizeOf(place: number): number {
    const { tree, row } = this.find(place);
    return float64At(tree.size, row);
  }
}

/** Groups of files that have the same size, largest first. */
function* bySize({ scopes, minSize, sizes }: DuplicateSearch, places: Places): Generator<number[]> {
  const files: { readonly place: number; readonly bytes: number }[] = [];
  for (const [scope, { tree, from, to }] of scopes.entries()) {
    const further = furtherNames({ tree, from, to, test: undefined });
    for (let row = from; row <= to; row++) {
      const bytes = float64At(tree.size, row);
      const wanted = bytes >= minSize && (sizes === undefined || sizes.has(bytes));
      if (wanted && (uint8At(tree.kind, row) & KIND_MASK) === KIND.file && !further.has(row))
        files.push({ place: places.place(scope, row), bytes });
    }
  }
  files.sort((a, b) => b.bytes - a.bytes || a.place - b.place);
  let start = 0;
  for (let end = 1; end <= files.length; end++) {
    if (end < files.length && at(files, end).bytes === at(files, start).bytes) continue;
    if (end - start > 1) yield files.slice(start, end).map(({ place }) => place);
    start = end;
  }
}

function split(rows: readonly number[], key: (row: number) => string | undefined): Map<string, number[]> {
  const parts = new Map<string, number[]>();
  for (const row of rows) {
    const name = key(row);
    if (name === undefined) continue;
    const part = parts.get(name);
    if (part === undefined) parts.set(name, [row]);
    else part.push(row);
  }
  return parts;
}

/** Reads files that are unchanged since the scan; others count as unreadable. */
class FileReader {
  hashed = 0;
  bytes = 0;
  unreadable = 0;
  readonly #search: DuplicateSearch;
  readonly #places: Places;
  readonly #buffer = Buffer.alloc(PIECE_BYTES);

  constructor(search: DuplicateSearch, places: Places) {
    this.#search = search;
    this.#places = places;
  }

  prefix(place: number): string | undefined {
    return this.#open(place, (fd) => this.#digest(fd, PREFIX_BYTES));
  }

  whole(place: number): string | undefined {
    return this.#open(place, (fd, stats) => {
      if (stats.size <= PREFIX_BYTES) return this.#digest(fd, PREFIX_BYTES);
      const key = HashCache.key(stats);
      const known = this.#search.cache.get(key);
      if (known !== undefined) return known;
      this.hashed++;
      const digest = this.#digest(fd, Number.POSITIVE_INFINITY);
      if (digest !== undefined) this.#search.cache.set(key, digest);
      return digest;
    });
  }

  #open(place: number, use: (fd: number, stats: Stats) => string | undefined): string | undefined {
    const { tree, row } = this.#places.find(place);
    let open: OpenFile | undefined;
    try {
      // If the scan followed links, only the inode and the size show that it is the same file.
      const where = tree.meta.options.followSymlinks ? 'anywhere' : 'exact';
      open = openFile(systemPath(rawPathOf(tree, row)), where);
      const { fd, stats } = open;
      if (stats.ino % 2 ** 32 === tree.ino[row] && stats.size === tree.size[row]) return use(fd, stats);
    } catch {
      // Counted below.
    } finally {
      if (open !== undefined) closeSync(open.fd);
    }
    this.unreadable++;
    return undefined;
  }

  /** The digest of the first bytes, or undefined if there is no time left. */
  #digest(fd: number, maxBytes: number): string | undefined {
    const hash = createHash('sha256');
    let left = maxBytes;
    while (left > 0) {
      if (performance.now() > this.#search.until) return undefined;
      const read = readSync(fd, this.#buffer, 0, Math.min(PIECE_BYTES, left), null);
      if (read === 0) break;
      hash.update(this.#buffer.subarray(0, read));
      this.bytes += read;
      left -= read;
    }
    return hash.digest('hex');
  }
}
