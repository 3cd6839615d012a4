import { closeSync, openSync, writeSync } from 'node:fs';
import { uint8At } from '../../contract/at.ts';
import { numberLength, RowValues, writeNumber } from './row-values.ts';

/*
 * Writes tables into a new file in SQLite's format (https://www.sqlite.org/fileformat2.html), row by row. SQLite copies
 * such a table at once; binding the values of a million rows takes four times as long.
 */

/** The largest size SQLite has, so that no row needs a second page. */
const PAGE_BYTES = 65_536;
const MAX_PAYLOAD_BYTES = PAGE_BYTES - 64;
const LEAF_PAGE = 13;
const INTERIOR_PAGE = 5;
const FILE_HEAD = 100;

/** A page of a table, and the largest row number in it or below it. */
interface Page {
  readonly number: number;
  readonly last: number;
}

export interface TableFile {
  /** Adds a table with this CREATE statement. The first column is the row number and takes no space in the row. */
  table(create: string): TableWriter;
  close(): void;
}

export function createTableFile(file: string): TableFile {
  const handle = openSync(file, 'wx', 0o600);
  let pages = 1;
  const write = (page: Buffer, number: number) =>
    void writeSync(handle, page, 0, PAGE_BYTES, (number - 1) * PAGE_BYTES);
  const add = (page: Buffer) => {
    write(page, ++pages);
    return pages;
  };
  const tables: { readonly create: string; readonly writer: TableWriter }[] = [];
  return {
    table(create) {
      const writer = new TableWriter(add);
      tables.push({ create, writer });
      return writer;
    },
    close() {
      const schema = new TableWriter(add);
      for (const [i, { create, writer }] of tables.entries()) {
        const [, name = ''] = /^CREATE TABLE (\w+)/.exec(create) ?? [];
        schema.row(i + 1, (row) => {
          row.text('table');
          row.text(name);
          row.text(name);
          row.integer(writer.root());
          row.text(create);
        });
      }
      write(schema.firstPage(fileHead(pages)), 1);
      closeSync(handle);
    },
  };
}

function fileHead(pages: number): Buffer {
  const head = Buffer.alloc(FILE_HEAD);
  head.write('SQLite format 3\0');
  // A page size of 65,536 is written as 1; then come the format versions, and three constants.
  head.set([0, 1, 1, 1, 0, 64, 32, 32], 16);
  head.writeUInt32BE(1, 24);
  head.writeUInt32BE(pages, 28);
  head.writeUInt32BE(1, 40);
  head.writeUInt32BE(4, 44);
  head.writeUInt32BE(1, 56);
  head.writeUInt32BE(1, 92);
  head.writeUInt32BE(3_045_000, 96);
  return head;
}

export class TableWriter {
  readonly #add: (page: Buffer) => number;
  readonly #values = new RowValues();
  readonly #page = new PageCells(LEAF_PAGE, 8, 0);
  readonly #pages: Page[] = [];
  #last = 0;

  constructor(add: (page: Buffer) => number) {
    this.#add = add;
  }

  /** Adds a row, whose number must be larger than those before. Returns false, without adding it, if it is too long. */
  row(number: number, write: (values: RowValues) => void): boolean {
    const values = this.#values;
    values.typesEnd = 0;
    values.bodyEnd = 0;
    values.tooLong = false;
    write(values);
    const head = values.typesEnd + 1;
    const payload = head + values.bodyEnd;
    if (values.tooLong || payload > MAX_PAYLOAD_BYTES) return false;
    const bytes = numberLength(payload) + numberLength(number) + payload;
    if (!this.#page.fits(bytes)) this.#flush();
    const { buffer } = this.#page;
    let at = this.#page.place(bytes);
    at = writeNumber(buffer, at, payload);
    at = writeNumber(buffer, at, number);
    buffer[at++] = head;
    for (let i = 0; i < values.typesEnd; i++) buffer[at++] = uint8At(values.types, i);
    for (let i = 0; i < values.bodyEnd; i++) buffer[at++] = uint8At(values.body, i);
    this.#last = number;
    return true;
  }

  #flush(): void {
    this.#pages.push({ number: this.#add(this.#page.finished()), last: this.#last });
    this.#page.clear();
  }

  /** Writes what is left, and returns the number of the root page. */
  root(): number {
    this.#flush();
    let level: readonly Page[] = this.#pages;
    while (level.length > 1) level = this.#above(level);
    return level[0]?.number ?? 0;
  }

  /** The pages that point to these. */
  #above(level: readonly Page[]): Page[] {
    const above: Page[] = [];
    const page = new PageCells(INTERIOR_PAGE, 12, 0);
    for (const [i, { number, last }] of level.entries()) {
      const bytes = 4 + numberLength(last);
      if (i === level.length - 1 || !page.fits(bytes)) {
        // The last page below has no cell: its number goes into the header.
        page.buffer.writeUInt32BE(number, 8);
        above.push({ number: this.#add(page.finished()), last });
        page.clear();
        continue;
      }
      const at = page.place(bytes);
      page.buffer.writeUInt32BE(number, at);
      writeNumber(page.buffer, at + 4, last);
    }
    return above;
  }

  /** The rows of a small table, on the first page of a file. */
  firstPage(head: Buffer): Buffer {
    const page = new PageCells(LEAF_PAGE, 8, FILE_HEAD);
    const { buffer, cells } = this.#page;
    for (const { from, to } of cells) {
      const at = page.place(to - from);
      buffer.copy(page.buffer, at, from, to);
    }
    head.copy(page.buffer);
    return page.finished();
  }
}

/** A page being filled: pointers from the start, cells from the end. */
class PageCells {
  readonly buffer = Buffer.alloc(PAGE_BYTES);
  readonly #type: number;
  readonly #start: number;
  readonly #first: number;
  #pointers: number;
  #content = PAGE_BYTES;
  #count = 0;

  constructor(type: number, head: number, start: number) {
    this.#type = type;
    this.#start = start;
    this.#first = start + head;
    this.#pointers = this.#first;
  }

  /** Reuses the same memory for the next page: a million rows have two thousand pages. */
  clear(): void {
    this.buffer.fill(0);
    this.#pointers = this.#first;
    this.#content = PAGE_BYTES;
    this.#count = 0;
  }

  fits(bytes: number): boolean {
    return this.#pointers + 2 + bytes <= this.#content;
  }

  /** The position for a cell of this many bytes. */
  place(bytes: number): number {
    this.#content -= bytes;
    this.buffer.writeUInt16BE(this.#content, this.#pointers);
    this.#pointers += 2;
    this.#count++;
    return this.#content;
  }

  /** The cells, in order. */
  get cells(): readonly { readonly from: number; readonly to: number }[] {
    const starts = Array.from({ length: this.#count }, (_, i) =>
      this.buffer.readUInt16BE(this.#first + 2 * i),
    );
    return starts.map((from, i) => ({ from, to: starts[i - 1] ?? PAGE_BYTES }));
  }

  finished(): Buffer {
    this.buffer[this.#start] = this.#type;
    this.buffer.writeUInt16BE(this.#count, this.#start + 3);
    this.buffer.writeUInt16BE(this.#content % PAGE_BYTES, this.#start + 5);
    return this.buffer;
  }
}
