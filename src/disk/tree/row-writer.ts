import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { FLAG } from '../scan/node-kinds.ts';
import type { Chunk } from '../scan/scan-stage.ts';
import type { DirFacts } from './build-tree.ts';
import type { Extensions, Owners } from './label-numbers.ts';
import { rootName, type Tree } from './tree-columns.ts';
import { lowerBound, TOO_MANY_BLOCKS } from './tree-nodes.ts';

const ROW_COLUMNS = ['id', 'size', 'blocks', 'mtime', 'ino', 'details', 'ext', 'owner', 'kind'] as const;
type RowColumn = Tree[(typeof ROW_COLUMNS)[number]];

/** Appends rows to a tree that is being built: entries that were read, or rows of the previous generation. */
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

  /** Adds the root of a first generation; its facts are added later. */
  root(path: string): void {
    this.#nameBytes += this.#tree.names.write(rootName(path), this.#nameBytes);
    this.row++;
  }

  /** Copies rows of the earlier tree that are all directly in folder `parent`. */
  kept(from: number, to: number, parent: number): void {
    const first = this.row;
    this.#copy(from, to);
    this.#tree.parent.fill(parent, first, this.row);
  }

  /** Copies rows of the earlier tree with their folders, whose numbers change by `shift`. */
  keptWhole(from: number, to: number, shift: number): void {
    const earlier = this.#earlier;
    const first = this.row;
    this.#copy(from, to);
    if (earlier === undefined) return;
    const { parent } = this.#tree;
    for (let i = from; i < to; i++) parent[first + i - from] = uint32At(earlier.parent, i) + shift;
  }

  /** Copies entries that were read into folder `parent`. */
  read({ view, nameAt }: Chunk, from: number, to: number, parent: number): void {
    const tree = this.#tree;
    const nameStart = uint32At(nameAt, from);
    const nameEnd = uint32At(nameAt, to);
    const nameShift = this.#nameBytes - nameStart;
    copyBytes(tree.names, this.#nameBytes, view.names, nameStart, nameEnd);
    let row = this.row;
    for (let at = from; at < to; at++, row++) {
      const kind = uint8At(view.kind, at);
      const blocks = float64At(view.blocks, at);
      const start = uint32At(nameAt, at);
      tree.kind[row] = kind;
      tree.size[row] = float64At(view.size, at);
      tree.blocks[row] = Math.min(TOO_MANY_BLOCKS, blocks);
      tree.mtime[row] = uint32At(view.mtime, at);
      tree.ino[row] = uint32At(view.ino, at);
      tree.details[row] = uint32At(view.details, at);
      tree.owner[row] = this.#owners.numberOf(uint32At(view.owner, at));
      tree.nameAt[row] = start + nameShift;
      tree.parent[row] = parent;
      tree.ext[row] = this.#extensions.numberOf(view.names, start, uint32At(nameAt, at + 1));
      if (blocks >= TOO_MANY_BLOCKS) this.big.push([row, blocks]);
      if ((kind & FLAG.linked) !== 0) {
        const link = lowerBound(view.linkAt, at, view.linkAt.length);
        const key = linkKey(float64At(view.linkDev, link), float64At(view.linkIno, link));
        this.#link(row, key, uint32At(view.linkCount, link));
      }
    }
    this.row = row;
    this.#nameBytes += nameEnd - nameStart;
  }

  /** Replaces the facts in a folder's row by those read just before its listing. */
  facts(row: number, facts: DirFacts): void {
    const tree = this.#tree;
    tree.kind[row] = facts.kind;
    tree.size[row] = facts.size;
    tree.blocks[row] = Math.min(TOO_MANY_BLOCKS, facts.blocks);
    tree.mtime[row] = facts.mtime;
    tree.ino[row] = facts.ino;
    tree.details[row] = facts.details;
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
    const nameStart = uint32At(earlier.nameAt, from);
    const nameEnd = uint32At(earlier.nameAt, to);
    const nameShift = this.#nameBytes - nameStart;
    copyBytes(tree.names, this.#nameBytes, earlier.names, nameStart, nameEnd);
    for (const column of ROW_COLUMNS) copyColumn(tree[column], earlier[column], from, to, row);
    for (let i = from; i < to; i++) tree.nameAt[row + i - from] = uint32At(earlier.nameAt, i) + nameShift;
    this.seen.fill(1, from, to);
    for (const [at, blocks] of earlier.big)
      if (at >= from && at < to) this.big.push([row + at - from, blocks]);
    for (let i = lowerBound(earlier.linkRow, from, earlier.linkRow.length); i < earlier.linkRow.length; i++) {
      const at = uint32At(earlier.linkRow, i);
      if (at >= to) break;
      this.#link(row + at - from, float64At(earlier.linkKey, i), uint32At(earlier.linkCount, i));
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
  const value = from[start];
  if (value === undefined) throw new RangeError(`The earlier tree has no row ${start}.`);
  if (end - start === 1) into[at] = value;
  else into.set(from.subarray(start, end), at);
}

function copyBytes(into: Uint8Array, at: number, from: Uint8Array, start: number, end: number): void {
  if (end > from.length) throw new RangeError(`There are ${from.length} bytes of names, not ${end}.`);
  // Making a view costs more than copying a few bytes one by one; the check above makes the default unreachable.
  if (end - start > 64) into.set(from.subarray(start, end), at);
  else for (let i = start; i < end; i++) into[at + i - start] = from[i] ?? 0;
}

/** One number for all names of a file. Inode numbers of different devices are kept apart. */
export function linkKey(dev: number, ino: number): number {
  return ino + (dev % 4096) * 2 ** 40;
}
