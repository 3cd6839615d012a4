import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { memoryRows, type RowSource, type Vectors } from '../embed/vectors.ts';
import {
  type ByteSource,
  memoryBytes,
  memoryNumbers,
  type NumberSource,
  storedNumbers,
} from '../words/byte-source.ts';
import type { PackedTexts } from '../words/packed-texts.ts';
import type { StoredWords } from '../words/word-index.ts';
import { FileTable } from './file-table.ts';
import type { Segment } from './semantic-segment.ts';
import { type Header, MAGIC, PREFIX_BYTES, padded } from './semantic-segment-layout.ts';

/**
 * How many bytes of segments are in memory, over all trees. Others stay in their files, but for the lists of files, the
 * factors of vectors, and what tells where terms are.
 */
const MAX_BYTES_IN_MEMORY = 20 * 1024 * 1024;
/** Segments of a few files, which edits make, are always in memory: there are few, and each file stays open. */
const SMALL_BYTES = 256 * 1024;
/** Rows that are read from a file at once: those of one source file follow each other. */
const ROWS_AT_ONCE = 16;

/** A segment read from a file; `close` it when it is no longer needed. */
export interface OpenSegment {
  readonly segment: Segment;
  readonly bytes: number;
  /** Whether vectors and postings are in memory too. */
  readonly inMemory: boolean;
  close(): void;
}

let bytesInMemory = 0;

function fitsInMemory(bytes: number): boolean {
  return bytes <= SMALL_BYTES || bytesInMemory + bytes <= MAX_BYTES_IN_MEMORY;
}

/** Opens a segment; throws if the file is incomplete or of another version. */
export function openSegment(file: string, fits = fitsInMemory): OpenSegment {
  const handle = openSync(file, 'r');
  try {
    const bytes = fstatSync(handle).size;
    const inMemory = fits(bytes);
    const segment = readSegment(handle, bytes, inMemory);
    if (!inMemory) return { segment, bytes, inMemory, close: () => closeSync(handle) };
    bytesInMemory += bytes;
    closeSync(handle);
    const close = () => {
      bytesInMemory -= bytes;
    };
    return { segment, bytes, inMemory, close };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function readSegment(handle: number, bytes: number, inMemory: boolean): Segment {
  const prefix = readAt(handle, 0, PREFIX_BYTES);
  if (prefix.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('not a segment of this version');
  const jsonBytes = prefix.readUInt32LE(8);
  const header = parseHeader(readAt(handle, PREFIX_BYTES, jsonBytes).toString('utf8'));
  const body = padded(PREFIX_BYTES + jsonBytes);
  const end = Math.max(0, ...header.sections.map(([, start, length]) => start + length));
  if (bytes < body + end) throw new Error('the segment file was cut short');
  const places = new Map(header.sections.map(([name, start, length]) => [name, { start, length }]));
  const place = (name: string): { start: number; length: number } => {
    const found = places.get(name);
    if (found === undefined) throw new Error(`the segment has no ${name}`);
    return found;
  };
  const memory = inMemory ? readAt(handle, body, end) : undefined;
  const section = (name: string): Buffer => {
    const { start, length } = place(name);
    return memory?.subarray(start, start + length) ?? readAt(handle, body + start, length);
  };
  const source = (name: string): ByteSource => {
    if (inMemory) return memoryBytes(section(name));
    const { start, length } = place(name);
    return { length, read: (from, to, into) => readAt(handle, body + start + from, to - from, into) };
  };
  return assemble(header, section, source, inMemory);
}

function assemble(
  { model, files, dimensions }: Header,
  section: (name: string) => Buffer,
  source: (name: string) => ByteSource,
  inMemory: boolean,
): Segment {
  const heldNumbers = (name: string): Uint32Array => {
    const { buffer, byteOffset, length } = section(name);
    return new Uint32Array(buffer, byteOffset, length / 4);
  };
  const floats = (name: string): Float32Array => {
    const { buffer, byteOffset, length } = section(name);
    return new Float32Array(buffer, byteOffset, length / 4);
  };
  const numbers = (name: string): NumberSource =>
    inMemory ? memoryNumbers(heldNumbers(name)) : storedNumbers(source(name));
  const texts = (name: string): PackedTexts => ({
    textAt: numbers(`${name}.at`),
    textBytes: source(`${name}.bytes`),
  });
  const vectors = (name: string): Vectors => {
    const factors = floats(`${name}.factors`);
    return {
      dimensions,
      count: factors.length,
      source: rowsOf(source(`${name}.rows`), dimensions, inMemory),
      factors,
      signs: numbers(`${name}.signs`),
      sum: floats(`${name}.sum`),
    };
  };
  const words: StoredWords = {
    terms: {
      filter: heldNumbers('terms.filter'),
      firstAt: heldNumbers('terms.firstAt'),
      firstBytes: section('terms.firstBytes'),
      blockAt: heldNumbers('terms.blockAt'),
      postingAt: heldNumbers('terms.postingAt'),
      blocks: source('terms.blocks'),
    },
    postings: source('postings'),
  };
  return {
    model,
    files: new FileTable(files),
    lineStart: numbers('lineStart'),
    lineEnd: numbers('lineEnd'),
    length: numbers('length'),
    definedAt: numbers('definedAt'),
    runAt: numbers('runAt'),
    runTerms: numbers('runTerms'),
    labels: texts('labels'),
    words,
    pathVectors: vectors('path'),
    fileVectors: vectors('file'),
    chunkVectors: vectors('chunk'),
  };
}

/** Rows of vectors from memory, or from a file, some at a time. */
function rowsOf(bytes: ByteSource, dimensions: number, inMemory: boolean): RowSource {
  if (inMemory) return memoryRows(signed(bytes.read(0, bytes.length)), dimensions);
  const count = bytes.length / dimensions;
  let from = 0;
  let rows: Int8Array = new Int8Array(0);
  return {
    row(at) {
      if (at < from || (at - from) * dimensions >= rows.length) {
        from = at;
        rows = signed(bytes.read(at * dimensions, Math.min(count, at + ROWS_AT_ONCE) * dimensions));
      }
      return rows.subarray((at - from) * dimensions, (at - from + 1) * dimensions);
    },
  };
}

const signed = ({ buffer, byteOffset, length }: Uint8Array): Int8Array =>
  new Int8Array(buffer, byteOffset, length);

function readAt(handle: number, start: number, bytes: number, into?: ArrayBuffer): Buffer {
  // Its own buffer, because typed arrays over it need an aligned start.
  const own = into === undefined || into.byteLength < bytes ? new ArrayBuffer(bytes) : into;
  const buffer = Buffer.from(own, 0, bytes);
  for (let done = 0; done < bytes; ) {
    const read = readSync(handle, buffer, done, bytes - done, start + done);
    if (read === 0) throw new Error('the segment file was cut short');
    done += read;
  }
  return buffer;
}

function parseHeader(json: string): Header {
  const raw: unknown = JSON.parse(json);
  if (typeof raw !== 'object' || raw === null || !('files' in raw) || !('sections' in raw)) {
    throw new Error('the segment has no header');
  }
  return raw as Header; // written by `writeSegment` of the same version, as the magic shows
}
