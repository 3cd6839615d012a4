import { at, float64At, uint32At } from '../../contract/at.ts';
import type { IndexedFile } from './semantic-segment.ts';

/** size, time. */
const WIDE = 2;
/** language, lines, roles, first chunk, end of chunks. */
const NARROW = 5;

/** The files of a segment in columns: as objects, those of a large tree would take three times the memory. */
export class FileTable {
  readonly length: number;
  /** The text of all files. */
  readonly textBytes: number;
  /** The path of file n is between pathAt[n] and pathAt[n + 1]. */
  readonly pathAt: Uint32Array;
  readonly pathBytes: Buffer;
  readonly #hashAt: Uint32Array;
  readonly #hashes: Buffer;
  readonly #wide: Float64Array;
  readonly #narrow: Uint32Array;
  readonly #languages: (string | undefined)[] = [];

  constructor(files: readonly IndexedFile[]) {
    this.length = files.length;
    this.textBytes = files.reduce((sum, { size }) => sum + size, 0);
    [this.pathAt, this.pathBytes] = joined(files.map(({ path }) => path));
    [this.#hashAt, this.#hashes] = joined(files.map(({ hash }) => hash));
    this.#wide = new Float64Array(WIDE * files.length);
    this.#narrow = new Uint32Array(NARROW * files.length);
    for (const [number, { size, mtimeMs, language, lines, roles, chunkFrom, chunkTo }] of files.entries()) {
      let known = this.#languages.indexOf(language);
      if (known === -1) known = this.#languages.push(language) - 1;
      this.#wide.set([size, mtimeMs], WIDE * number);
      this.#narrow.set([known, lines, roles, chunkFrom, chunkTo], NARROW * number);
    }
  }

  path(number: number): string {
    return this.pathBytes.toString('utf8', uint32At(this.pathAt, number), uint32At(this.pathAt, number + 1));
  }

  size(number: number): number {
    return float64At(this.#wide, WIDE * number);
  }

  mtimeMs(number: number): number {
    return float64At(this.#wide, WIDE * number + 1);
  }

  hash(number: number): string {
    const from = uint32At(this.#hashAt, number);
    return this.#hashes.toString('latin1', from, uint32At(this.#hashAt, number + 1));
  }

  /** Its chunks within the segment: the first, and one after the last. */
  chunks(number: number): readonly [from: number, to: number] {
    const place = NARROW * number;
    return [uint32At(this.#narrow, place + 3), uint32At(this.#narrow, place + 4)];
  }

  at(number: number): IndexedFile {
    const place = NARROW * number;
    const [chunkFrom, chunkTo] = this.chunks(number);
    // The list may contain undefined, so it is not read with `at`.
    const language = this.#languages[uint32At(this.#narrow, place)];
    return {
      path: this.path(number),
      hash: this.hash(number),
      size: this.size(number),
      mtimeMs: this.mtimeMs(number),
      language,
      lines: uint32At(this.#narrow, place + 1),
      roles: uint32At(this.#narrow, place + 2),
      chunkFrom,
      chunkTo,
    };
  }

  *[Symbol.iterator](): Generator<IndexedFile> {
    for (let number = 0; number < this.length; number++) yield this.at(number);
  }
}

function joined(texts: readonly string[]): [Uint32Array, Buffer] {
  const ends = new Uint32Array(texts.length + 1);
  for (const [number, text] of texts.entries())
    ends[number + 1] = uint32At(ends, number) + Buffer.byteLength(text);
  const bytes = Buffer.alloc(uint32At(ends, texts.length));
  for (const [number, text] of texts.entries()) bytes.write(text, uint32At(ends, number));
  return [ends, bytes];
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
  hasPath(file: number, bytes: Buffer, from: number, to: number): boolean {
    const place = this.#place(file);
    const { pathAt, pathBytes } = at(this.#tables, place);
    const number = file - uint32At(this.#starts, place);
    const start = uint32At(pathAt, number);
    const end = uint32At(pathAt, number + 1);
    return end - start === to - from && pathBytes.compare(bytes, from, to, start, end) === 0;
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
