import { FLAG } from '../scan/node-kinds.ts';
import type { Chunk } from '../scan/scan-stage.ts';
import type { DirFacts } from './build-tree.ts';
import { rootName, type Tree } from './disk-tree.ts';
import type { Extensions, Owners } from './label-numbers.ts';
import { BIG, lowerBound } from './tree-nodes.ts';

const ROW_COLUMNS = ['id', 'size', 'blocks', 'mtime', 'ino', 'ext', 'owner', 'kind'] as const;
type RowColumn = Tree[(typeof ROW_COLUMNS)[number]];

/** Appends rows to a tree that is being made: from what was read, or from the generation before. */
export class RowWriter {
  /** The next row. */
  row = 0;
  readonly big: [number, number][] = [];
  /** Rows of the earlier tree that are in the new one. */
  readonly seen: Uint8Array;
  readonly #tree: Tree;
  readonly #earlier: Tree | undefined;
  readonly #extensions: Extensions;
  readonly #owners: Owners;
  #nameBytes = 0;
  #links = 0;

  constructor(tree: Tree, earlier: Tree | undefined, extensions: Extensions, owners: Owners) {
    this.#tree = tree;
    this.#earlier = earlier;
    this.#extensions = extensions;
    this.#owners = owners;
    this.seen = new Uint8Array(earlier?.meta.nodes ?? 0);
  }

  /** The row of the root of a first generation; its facts follow. */
  root(path: string): void {
    this.#nameBytes += this.#tree.names.write(rootName(path), this.#nameBytes);
    this.row++;
  }

  /** Copies rows of the earlier tree that all lie in folder `parent`. */
  kept(from: number, to: number, parent: number): void {
    const first = this.row;
    this.#copy(from, to);
    this.#tree.parent.fill(parent, first, this.row);
  }

  /** Copies rows of the earlier tree together with their folders, whose numbers move by `shift`. */
  keptWhole(from: number, to: number, shift: number): void {
    const earlier = this.#earlier;
    const first = this.row;
    this.#copy(from, to);
    if (earlier === undefined) return;
    const { parent } = this.#tree;
    for (let i = from; i < to; i++) parent[first + i - from] = (earlier.parent[i] ?? 0) + shift;
  }

  /** Copies entries that were read into folder `parent`. */
  read({ view, nameAt }: Chunk, from: number, to: number, parent: number): void {
    const tree = this.#tree;
    const nameStart = nameAt[from] ?? 0;
    const nameEnd = nameAt[to] ?? 0;
    const nameShift = this.#nameBytes - nameStart;
    copyBytes(tree.names, this.#nameBytes, view.names, nameStart, nameEnd);
    let row = this.row;
    for (let at = from; at < to; at++, row++) {
      const kind = view.kind[at] ?? 0;
      const blocks = view.blocks[at] ?? 0;
      const start = nameAt[at] ?? 0;
      tree.kind[row] = kind;
      tree.size[row] = view.size[at] ?? 0;
      tree.blocks[row] = Math.min(BIG, blocks);
      tree.mtime[row] = view.mtime[at] ?? 0;
      tree.ino[row] = view.ino[at] ?? 0;
      tree.owner[row] = this.#owners.numberOf(view.owner[at] ?? 0);
      tree.nameAt[row] = start + nameShift;
      tree.parent[row] = parent;
      tree.ext[row] = this.#extensions.numberOf(view.names, start, nameAt[at + 1] ?? 0);
      if (blocks >= BIG) this.big.push([row, blocks]);
      if ((kind & FLAG.linked) !== 0) {
        const link = lowerBound(view.linkAt, at, view.linkAt.length);
        const key = linkKey(view.linkDev[link] ?? 0, view.linkIno[link] ?? 0);
        this.#link(row, key, view.linkCount[link] ?? 0);
      }
    }
    this.row = row;
    this.#nameBytes += nameEnd - nameStart;
  }

  /** Replaces what a folder's row says by what was seen just before it was read. */
  facts(row: number, facts: DirFacts): void {
    const tree = this.#tree;
    tree.kind[row] = facts.kind;
    tree.size[row] = facts.size;
    tree.blocks[row] = Math.min(BIG, facts.blocks);
    tree.mtime[row] = facts.mtime;
    tree.ino[row] = facts.ino;
    tree.owner[row] = this.#owners.numberOf(facts.owner);
  }

  end(): void {
    this.#tree.nameAt[this.row] = this.#nameBytes;
  }

  #copy(from: number, to: number): void {
    const earlier = this.#earlier;
    if (earlier === undefined || to <= from) return;
    const tree = this.#tree;
    const { row } = this;
    const nameStart = earlier.nameAt[from] ?? 0;
    const nameEnd = earlier.nameAt[to] ?? 0;
    const nameShift = this.#nameBytes - nameStart;
    copyBytes(tree.names, this.#nameBytes, earlier.names, nameStart, nameEnd);
    for (const column of ROW_COLUMNS) copyColumn(tree[column], earlier[column], from, to, row);
    for (let i = from; i < to; i++) tree.nameAt[row + i - from] = (earlier.nameAt[i] ?? 0) + nameShift;
    this.seen.fill(1, from, to);
    for (const [at, blocks] of earlier.big)
      if (at >= from && at < to) this.big.push([row + at - from, blocks]);
    for (let i = lowerBound(earlier.linkRow, from, earlier.linkRow.length); i < earlier.linkRow.length; i++) {
      const at = earlier.linkRow[i] ?? 0;
      if (at >= to) break;
      this.#link(row + at - from, earlier.linkKey[i] ?? 0, earlier.linkCount[i] ?? 0);
    }
    this.#nameBytes += nameEnd - nameStart;
    this.row += to - from;
  }

  #link(row: number, key: number, count: number): void {
    this.#tree.linkRow[this.#links] = row;
    this.#tree.linkKey[this.#links] = key;
    this.#tree.linkCount[this.#links++] = count;
  }
}

function copyColumn(into: RowColumn, from: RowColumn, start: number, end: number, at: number): void {
  if (end - start === 1) into[at] = from[start] ?? 0;
  else into.set(from.subarray(start, end), at);
}

function copyBytes(into: Uint8Array, at: number, from: Uint8Array, start: number, end: number): void {
  // A view costs more than a few bytes copied one by one.
  if (end - start > 64) into.set(from.subarray(start, end), at);
  else for (let i = start; i < end; i++) into[at + i - start] = from[i] ?? 0;
}

/** One number for a file across its names. Inode numbers of a second device are set apart. */
export function linkKey(dev: number, ino: number): number {
  return ino + (dev % 4096) * 2 ** 40;
}
