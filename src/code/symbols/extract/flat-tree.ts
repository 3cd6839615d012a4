import type { Language, Tree } from 'web-tree-sitter';
import { int32At, uint8At, uint16At } from '../../../contract/at.ts';

/** No node. */
export const NONE = -1;

/** The names of a grammar's nodes and fields by their ids. */
export interface GrammarNames {
  readonly types: readonly string[];
  readonly fields: readonly string[];
  /** Node types to keep: named ones. */
  readonly kept: readonly boolean[];
}

/** What tree-sitter calls a part that it could not parse. */
const ERROR_ID = 0xffff;

/** The names of a grammar; the one after the last type is for errors. */
export function grammarNames(language: Language): GrammarNames {
  const types = Array.from({ length: language.types.length }, (_, id) => language.types[id] ?? '');
  return {
    types: [...types, 'ERROR'],
    fields: Array.from({ length: language.fields.length }, (_, id) => language.fields[id] ?? ''),
    kept: [...types.map((_, id) => language.nodeTypeIsNamed(id)), true],
  };
}

/**
 * The named nodes of a syntax tree in the order of the text, as columns. Reading a node of web-tree-sitter costs
 * several calls into WebAssembly; here a node is read once, and everything else is arithmetic.
 */
export class FlatTree {
  readonly names: GrammarNames;
  text = '';
  count = 0;
  #types = new Uint16Array(1024);
  #fields = new Uint8Array(1024);
  #starts = new Int32Array(1024);
  #ends = new Int32Array(1024);
  #parents = new Int32Array(1024);
  #next = new Int32Array(1024);
  #lineStarts = new Int32Array(1024);
  lines = 0;

  constructor(names: GrammarNames) {
    this.names = names;
  }

  /** Reads a tree in place of the previous one. */
  read(tree: Tree, text: string): void {
    this.text = text;
    this.#readLines(text);
    const { kept, types } = this.names;
    const errorType = types.length - 1;
    const cursor = tree.walk();
    let count = 0;
    let parent = NONE;
    try {
      for (;;) {
        const id = cursor.nodeTypeId;
        const type = id === ERROR_ID ? errorType : id;
        if (kept[type] === true) {
          if (count === this.#types.length) this.#grow();
          this.#types[count] = type;
          this.#fields[count] = cursor.currentFieldId;
          this.#starts[count] = cursor.startIndex;
          this.#ends[count] = cursor.endIndex;
          this.#parents[count] = parent;
          const node = count++;
          if (cursor.gotoFirstChild()) {
            parent = node;
            continue;
          }
          this.#next[node] = count;
        }
        while (!cursor.gotoNextSibling()) {
          if (parent === NONE || !cursor.gotoParent()) {
            this.count = count;
            return;
          }
          this.#next[parent] = count;
          parent = int32At(this.#parents, parent);
        }
      }
    } finally {
      cursor.delete();
    }
  }

  #readLines(text: string): void {
    let count = 1;
    this.#lineStarts[0] = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      if (count === this.#lineStarts.length) this.#lineStarts = doubled(this.#lineStarts, Int32Array);
      this.#lineStarts[count++] = at + 1;
    }
    this.lines = text === '' ? 0 : text.endsWith('\n') ? count - 1 : count;
  }

  #grow(): void {
    this.#types = doubled(this.#types, Uint16Array);
    this.#fields = doubled(this.#fields, Uint8Array);
    this.#starts = doubled(this.#starts, Int32Array);
    this.#ends = doubled(this.#ends, Int32Array);
    this.#parents = doubled(this.#parents, Int32Array);
    this.#next = doubled(this.#next, Int32Array);
  }

  typeId(node: number): number {
    return uint16At(this.#types, node);
  }

  type(node: number): string {
    return node === NONE ? '' : (this.names.types[uint16At(this.#types, node)] ?? '');
  }

  fieldId(node: number): number {
    return uint8At(this.#fields, node);
  }

  fieldName(node: number): string {
    return this.names.fields[uint8At(this.#fields, node)] ?? '';
  }

  start(node: number): number {
    return int32At(this.#starts, node);
  }

  end(node: number): number {
    return int32At(this.#ends, node);
  }

  parent(node: number): number {
    return int32At(this.#parents, node);
  }

  /** The first node after a node and everything in it. */
  after(node: number): number {
    return int32At(this.#next, node);
  }

  isLeaf(node: number): boolean {
    return this.after(node) === node + 1;
  }

  textOf(node: number): string {
    return node === NONE ? '' : this.text.slice(this.start(node), this.end(node));
  }

  firstChild(node: number): number {
    return this.isLeaf(node) ? NONE : node + 1;
  }

  nextSibling(node: number): number {
    const next = this.after(node);
    const parent = this.parent(node);
    return parent !== NONE && next < this.after(parent) ? next : NONE;
  }

  *children(node: number): Generator<number> {
    for (let child = this.firstChild(node); child !== NONE; child = this.nextSibling(child)) yield child;
  }

  /** The first child in a field. */
  field(node: number, name: string): number {
    if (node === NONE) return NONE;
    for (let child = this.firstChild(node); child !== NONE; child = this.nextSibling(child))
      if (this.fieldName(child) === name) return child;
    return NONE;
  }

  /** The first child of one of the types. */
  child(node: number, ...types: readonly string[]): number {
    if (node === NONE) return NONE;
    for (let child = this.firstChild(node); child !== NONE; child = this.nextSibling(child))
      if (types.includes(this.type(child))) return child;
    return NONE;
  }

  /** The first node of one of the types below a node. */
  below(node: number, ...types: readonly string[]): number {
    if (node === NONE) return NONE;
    for (let at = node + 1; at < this.after(node); at++) if (types.includes(this.type(at))) return at;
    return NONE;
  }

  /** The line of a place in the text, from 0. */
  lineAt(offset: number): number {
    let low = 0;
    let high = Math.max(0, this.lines - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (int32At(this.#lineStarts, middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Where a line starts, counted from 0. */
  lineStart(line: number): number {
    return int32At(this.#lineStarts, line);
  }
}

function doubled<Column extends Uint8Array | Uint16Array | Int32Array>(
  column: Column,
  Kind: new (length: number) => Column,
): Column {
  const larger = new Kind(column.length * 2);
  larger.set(column);
  return larger;
}
