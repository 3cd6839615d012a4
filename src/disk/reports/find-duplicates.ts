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

export interface DuplicateSearch {
  readonly tree: Tree;
  readonly from: number;
  readonly to: number;
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
  readonly rows: readonly number[];
  readonly digest: string;
}

export interface DuplicatesFound {
  /** Largest files first. */
  readonly groups: readonly DuplicateGroup[];
  /** True if there was no time to compare all files. */
  readonly truncated: boolean;
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
  const reader = new FileReader(search);
  const groups: DuplicateGroup[] = [];
  let truncated = false;
  for (const rows of bySize(search)) {
    if (performance.now() > search.until) {
      truncated = true;
      break;
    }
    const size = float64At(search.tree.size, at(rows, 0));
    for (const alike of split(rows, (row) => reader.prefix(row)).values()) {
      if (alike.length < 2) continue;
      for (const [digest, equal] of split(alike, (row) => reader.whole(row))) {
        if (equal.length > 1) groups.push({ size, rows: equal, digest });
      }
    }
  }
  const { hashed: filesHashed, bytes: bytesRead, unreadable } = reader;
  return { groups, truncated, filesHashed, bytesRead, unreadable };
}

/** Groups of rows of files that have the same size, largest first. */
function* bySize({ tree, from, to, minSize, sizes }: DuplicateSearch): Generator<number[]> {
  const { kind, size } = tree;
  const further = furtherNames({ tree, from, to, test: undefined });
  const rows: number[] = [];
  for (let row = from; row <= to; row++) {
    const bytes = float64At(size, row);
    const wanted = bytes >= minSize && (sizes === undefined || sizes.has(bytes));
    if (wanted && (uint8At(kind, row) & KIND_MASK) === KIND.file && !further.has(row)) rows.push(row);
  }
  rows.sort((a, b) => float64At(size, b) - float64At(size, a) || a - b);
  let start = 0;
  for (let end = 1; end <= rows.length; end++) {
    if (end < rows.length && size[at(rows, end)] === size[at(rows, start)]) continue;
    if (end - start > 1) yield rows.slice(start, end);
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
  readonly #buffer = Buffer.alloc(PIECE_BYTES);

  constructor(search: DuplicateSearch) {
    this.#search = search;
  }

  prefix(row: number): string | undefined {
    return this.#open(row, (fd) => this.#digest(fd, PREFIX_BYTES));
  }

  whole(row: number): string | undefined {
    return this.#open(row, (fd, stats) => {
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

  #open(row: number, use: (fd: number, stats: Stats) => string | undefined): string | undefined {
    const { tree } = this.#search;
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
