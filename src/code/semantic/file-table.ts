import { at, float64At, uint32At } from '../../contract/at.ts';
import type { IndexedFile } from './semantic-segment.ts';

/** size, time. */
const WIDE = 2;
/** language and roles, lines, first chunk, end of chunks. */
const NARROW = 4;
/** The languages of a segment take the lowest bits of their number, its roles the others. */
const LANGUAGE_BITS = 8;

/**
 * The files of a segment in columns: as objects, those of a large tree would take several times the memory. The folder of
 * several files is stored once.
 */
export class FileTable {
  readonly length: number;
  /** The text of all files. */
  readonly textBytes: number;
  readonly #folders: PackedColumn;
  readonly #folderOf: Uint32Array;
  readonly #names: PackedColumn;
  readonly #hashes: PackedColumn;
  readonly #wide: Float64Array;
  readonly #narrow: Uint32Array;
  readonly #languages: (string | undefined)[] = [];

  constructor(files: readonly IndexedFile[]) {
    this.length = files.length;
    this.textBytes = files.reduce((sum, { size }) => sum + size, 0);
    const folders = new Map<string, number>();
    this.#folderOf = Uint32Array.from(files, ({ path }) => {
      const folder = path.slice(0, nameStart(path));
      const known = folders.get(folder) ?? folders.size;
      folders.set(folder, known);
      return known;
    });
    this.#folders = new PackedColumn([...folders.keys()]);
    this.#names = new PackedColumn(files.map(({ path }) => path.slice(nameStart(path))));
    this.#hashes = new PackedColumn(files.map(({ hash }) => hash));
    this.#wide = new Float64Array(WIDE * files.length);
    this.#narrow = new Uint32Array(NARROW * files.length);
    for (const [number, { size, mtimeMs, language, lines, roles, chunkFrom, chunkTo }] of files.entries()) {
      let known = this.#languages.indexOf(language);
      if (known === -1) known = this.#languages.push(language) - 1;
      this.#wide.set([size, mtimeMs], WIDE * number);
      this.#narrow.set([known | (roles << LANGUAGE_BITS), lines, chunkFrom, chunkTo], NARROW * number);
    }
  }

  path(number: number): string {
    return this.#folders.text(uint32At(this.#folderOf, number)) + this.#names.text(number);
  }

  /** Whether the path of a file has these bytes. */
  hasPath(number: number, bytes: Buffer): boolean {
    const folder = uint32At(this.#folderOf, number);
    const split = this.#folders.size(folder);
    return (
      bytes.length === split + this.#names.size(number) &&
      this.#folders.equals(folder, bytes, 0, split) &&
      this.#names.equals(number, bytes, split, bytes.length)
    );
  }

  size(number: number): number {
    return float64At(this.#wide, WIDE * number);
  }

  mtimeMs(number: number): number {
    return float64At(this.#wide, WIDE * number + 1);
  }

  hash(number: number): string {
    return this.#hashes.text(number);
  }

  /** Its chunks within the segment: the first, and one after the last. */
  chunks(number: number): readonly [from: number, to: number] {
    const place = NARROW * number;
    return [uint32At(this.#narrow, place + 2), uint32At(this.#narrow, place + 3)];
  }

  at(number: number): IndexedFile {
    const place = NARROW * number;
    const [chunkFrom, chunkTo] = this.chunks(number);
    const kind = uint32At(this.#narrow, place);
    return {
      path: this.path(number),
      hash: this.hash(number),
      size: this.size(number),
      mtimeMs: this.mtimeMs(number),
      // The list may contain undefined, so it is not read with `at`.
      language: this.#languages[kind & ((1 << LANGUAGE_BITS) - 1)],
      lines: uint32At(this.#narrow, place + 1),
      roles: kind >>> LANGUAGE_BITS,
      chunkFrom,
      chunkTo,
    };
  }

  *[Symbol.iterator](): Generator<IndexedFile> {
    for (let number = 0; number < this.length; number++) yield this.at(number);
  }
}

/** Where the name of a file begins in its path. */
const nameStart = (path: string): number => path.lastIndexOf('/') + 1;

/** Texts as bytes, one after another. */
class PackedColumn {
  readonly #ends: Uint32Array;
  readonly #bytes: Buffer;

  constructor(texts: readonly string[]) {
    this.#ends = new Uint32Array(texts.length + 1);
    for (const [number, text] of texts.entries())
      this.#ends[number + 1] = uint32At(this.#ends, number) + Buffer.byteLength(text);
    // A buffer of its own: small ones would keep the pool that they are cut from.
    this.#bytes = Buffer.alloc(uint32At(this.#ends, texts.length));
    for (const [number, text] of texts.entries()) this.#bytes.write(text, uint32At(this.#ends, number));
  }

  text(number: number): string {
    return this.#bytes.toString('utf8', uint32At(this.#ends, number), uint32At(this.#ends, number + 1));
  }

  /** How many bytes a text has. */
  size(number: number): number {
    return uint32At(this.#ends, number + 1) - uint32At(this.#ends, number);
  }

  equals(number: number, bytes: Buffer, from: number, to: number): boolean {
    const [start, end] = [uint32At(this.#ends, number), uint32At(this.#ends, number + 1)];
    return this.#bytes.compare(bytes, from, to, start, end) === 0;
  }
}

/** Files of several tables, numbered consecutively. */
export class FileList {
  readonly length: number;
  readonly #tables: readonly FileTable[];
  readonly #starts: Uint32Array;

  constructor(tables: readonly FileTable[]) {
    this.#tables = tables;
    this.#starts = new Uint32Array(tables.length);
    let length = 0;
    for (const [place, table] of tables.entries()) {
      this.#starts[place] = length;
      length += table.length;
    }
    this.length = length;
  }

  at(file: number): IndexedFile {
    const place = this.#place(file);
    return at(this.#tables, place).at(file - uint32At(this.#starts, place));
  }

  path(file: number): string {
    const place = this.#place(file);
    return at(this.#tables, place).path(file - uint32At(this.#starts, place));
  }

  /** Whether the path of a file has these bytes. */
  hasPath(file: number, bytes: Buffer): boolean {
    const place = this.#place(file);
    return at(this.#tables, place).hasPath(file - uint32At(this.#starts, place), bytes);
  }

  #place(file: number): number {
    if (file < 0 || file >= this.length) throw new RangeError(`The index has no file ${file}.`);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (uint32At(this.#starts, middle) <= file) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
