import { closeSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { Directory } from './trigram-directory.ts';
import type { EncodedPostings } from './trigram-postings.ts';

/**
 * A segment on disk: a fixed head, the table of files and spans, the directory of trigrams, the checksums of the
 * posting pages, the posting pages. Head, tables and checksums are checked when it is opened, each page when it
 * is read, so a damaged byte cannot hide a match.
 */

const MAGIC = 'PINHOLE1';
const HEAD_BYTES = 64;
export const PAGE_BYTES = 4096;

/** The sections in memory. */
export interface SegmentSections {
  /** Files and spans, see trigram-segment-table.ts. */
  readonly table: Buffer;
  readonly postings: EncodedPostings;
}

/** The open file. */
export interface SegmentFile {
  readonly directory: Directory;
  readonly bytes: number;
  /** The group between two offsets, checked and valid until the next call. Throws {@link DamagedSegment}. */
  group(from: number, to: number): Uint8Array;
  close(): void;
}

/** The file is not what was written to it. */
export class DamagedSegment extends Error {}

/** Writes a segment under a temporary name, makes sure that it is on disk, then renames it. */
export function writeSegment(path: string, sections: SegmentSections): number {
  const { trigrams, offsets, groups } = sections.postings;
  const directory = Buffer.concat([bytesOf(trigrams), bytesOf(offsets)]);
  const sums = bytesOf(pageSums(groups));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, 0, 'latin1');
  const lengths = [sections.table.length, directory.length, sums.length, groups.length];
  const checks = [crc32(sections.table), crc32(directory), crc32(sums)];
  for (const [index, value] of [...lengths, ...checks].entries()) head.writeUInt32LE(value, 8 + index * 4);
  head.writeUInt32LE(crc32(head.subarray(0, HEAD_BYTES - 4)), HEAD_BYTES - 4);
  const parts = [head, sections.table, directory, sums, groups];
  writeDurably(path, parts);
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Writes a file completely or not at all. */
export function writeDurably(path: string, parts: readonly Uint8Array[]): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w');
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** Opens a segment and checks its tables; the table of files is not kept. */
export function openSegment(path: string): { readonly file: SegmentFile; readonly table: Buffer } {
  const file = openSync(path, 'r');
  try {
    return readSections(file);
  } catch (error) {
    closeSync(file);
    throw error instanceof DamagedSegment ? error : new DamagedSegment(String(error));
  }
}

function readSections(file: number): { readonly file: SegmentFile; readonly table: Buffer } {
  const head = readExactly(file, 0, HEAD_BYTES);
  if (head.toString('latin1', 0, 8) !== MAGIC) throw new DamagedSegment('not a segment');
  check(head.subarray(0, HEAD_BYTES - 4), head.readUInt32LE(HEAD_BYTES - 4));
  const number = (index: number) => head.readUInt32LE(8 + index * 4);
  let at = HEAD_BYTES;
  const [table, directory, sums] = [0, 1, 2].map((index) => {
    const section = readExactly(file, at, number(index));
    check(section, number(4 + index));
    at += section.length;
    return section;
  });
  if (table === undefined || directory === undefined || sums === undefined) throw new DamagedSegment('empty');
  const count = (directory.length / 4 - 1) / 2;
  const words = wordsOf(directory);
  const pages = new Pages(file, at, number(3), wordsOf(sums));
  const opened: SegmentFile = {
    directory: new Directory(words.subarray(0, count), words.subarray(count)),
    bytes: at + number(3),
    group: (from, to) => pages.read(from, to),
    close: () => closeSync(file),
  };
  return { file: opened, table };
}

/** The buffer for pages; a group is used up before the next is read. */
let scratch = Buffer.allocUnsafe(64 * 1024);

/** Reads ranges of the postings in whole pages and checks each page. */
class Pages {
  readonly #file: number;
  readonly #start: number;
  readonly #length: number;
  readonly #sums: Uint32Array;
  /** Pages that were correct once are not checked again. */
  readonly #right: Uint8Array;

  constructor(file: number, start: number, length: number, sums: Uint32Array) {
    this.#right = new Uint8Array(sums.length);
    this.#file = file;
    this.#start = start;
    this.#length = length;
    this.#sums = sums;
  }

  read(from: number, to: number): Uint8Array {
    const first = Math.floor(from / PAGE_BYTES);
    const begin = first * PAGE_BYTES;
    const end = Math.min(this.#length, Math.ceil(to / PAGE_BYTES) * PAGE_BYTES);
    if (scratch.length < end - begin) scratch = Buffer.allocUnsafe(end - begin);
    const bytes = readExactly(this.#file, this.#start + begin, end - begin, scratch);
    for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
      const page = first + at / PAGE_BYTES;
      if (this.#right[page] === 1) continue;
      check(bytes.subarray(at, at + PAGE_BYTES), this.#sums[page]);
      this.#right[page] = 1;
    }
    return bytes.subarray(from - begin, to - begin);
  }
}

function pageSums(groups: Buffer): Uint32Array {
  const sums = new Uint32Array(Math.ceil(groups.length / PAGE_BYTES));
  for (let page = 0; page < sums.length; page++) {
    sums[page] = crc32(groups.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
  }
  return sums;
}

function check(bytes: Uint8Array, expected: number | undefined): void {
  if (crc32(bytes) !== expected) throw new DamagedSegment('checksum');
}

function readExactly(file: number, at: number, length: number, into = Buffer.allocUnsafe(length)): Buffer {
  const bytes = into.subarray(0, length);
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, at + done);
    if (count === 0) throw new DamagedSegment('too short');
    done += count;
  }
  return bytes;
}

/** The bytes of a typed array in the machine's byte order; segments stay on one machine. */
export function bytesOf(words: Uint32Array | Float64Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}

/** A copy as words, aligned however the bytes were. */
export function wordsOf(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
