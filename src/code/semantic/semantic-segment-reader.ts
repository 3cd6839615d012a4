import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { memoryRows, type RowSource, type Vectors } from '../embed/vectors.ts';
import type { PackedTexts } from '../words/packed-texts.ts';
import type { WordIndexData } from '../words/word-index.ts';
import type { Segment } from './semantic-segment.ts';
import { type Header, MAGIC, PREFIX_BYTES, padded } from './semantic-segment-layout.ts';

/** More bytes of rows than this stay in the file and are read one by one. */
const MAX_ROW_BYTES_IN_MEMORY = 64 * 1024 * 1024;

/** A segment read from a file; `close` it when it is no longer needed. */
export interface OpenSegment {
  readonly segment: Segment;
  readonly bytes: number;
  close(): void;
}

/** Opens a segment; throws if the file is incomplete or of another version. */
export function openSegment(file: string): OpenSegment {
  const handle = openSync(file, 'r');
  try {
    return readSegment(handle);
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function readSegment(handle: number): OpenSegment {
  const prefix = readAt(handle, 0, PREFIX_BYTES);
  if (prefix.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('not a segment of this version');
  const jsonBytes = prefix.readUInt32LE(8);
  const header = parseHeader(readAt(handle, PREFIX_BYTES, jsonBytes).toString('utf8'));
  const body = padded(PREFIX_BYTES + jsonBytes);
  const bytes = fstatSync(handle).size;
  const rows = header.sections.find(([name]) => name === 'chunk.rows') ?? ['chunk.rows', 0, 0];
  if (bytes < body + rows[1] + rows[2]) throw new Error('the segment file was cut short');
  const inFile = rows[2] > MAX_ROW_BYTES_IN_MEMORY;
  const memory = readAt(handle, body, inFile ? rows[1] : rows[1] + rows[2]);
  const { dimensions } = header;
  const chunkRows = inFile
    ? fileRows(handle, body + rows[1], dimensions)
    : memoryRows(new Int8Array(memory.buffer, memory.byteOffset + rows[1], rows[2]), dimensions);
  if (!inFile) closeSync(handle);
  return {
    segment: assemble(header, memory, chunkRows),
    bytes,
    close: () => {
      if (inFile) closeSync(handle);
    },
  };
}

function assemble(header: Header, memory: Buffer, chunkRows: RowSource): Segment {
  const places = new Map(header.sections.map(([name, start, bytes]) => [name, { start, bytes }]));
  const place = (name: string): { start: number; bytes: number } => {
    const found = places.get(name);
    if (found === undefined) throw new Error(`the segment has no ${name}`);
    return found;
  };
  const bytes = (name: string): Uint8Array => {
    const { start, bytes: length } = place(name);
    return new Uint8Array(memory.buffer, memory.byteOffset + start, length);
  };
  const numbers = (name: string): Uint32Array => {
    const { start, bytes: length } = place(name);
    return new Uint32Array(memory.buffer, memory.byteOffset + start, length / 4);
  };
  const floats = (name: string): Float32Array => {
    const { start, bytes: length } = place(name);
    return new Float32Array(memory.buffer, memory.byteOffset + start, length / 4);
  };
  const texts = (name: string): PackedTexts => ({
    textAt: numbers(`${name}.at`),
    textBytes: bytes(`${name}.bytes`),
  });
  const { dimensions } = header;
  const vectors = (name: string, rows?: RowSource): Vectors => {
    const factors = floats(`${name}.factors`);
    const inMemory = (): RowSource => {
      const { start, bytes: length } = place(`${name}.rows`);
      return memoryRows(new Int8Array(memory.buffer, memory.byteOffset + start, length), dimensions);
    };
    return {
      dimensions,
      count: factors.length,
      source: rows ?? inMemory(),
      factors,
      signs: numbers(`${name}.signs`),
      sum: floats(`${name}.sum`),
    };
  };
  const words: WordIndexData = {
    ...texts('words'),
    order: numbers('words.order'),
    starts: numbers('words.starts'),
    frequencies: numbers('words.frequencies'),
    postings: bytes('words.postings'),
  };
  return {
    model: header.model,
    files: header.files,
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
    chunkVectors: vectors('chunk', chunkRows),
  };
}

function fileRows(handle: number, start: number, dimensions: number): RowSource {
  const row = new Int8Array(dimensions);
  return {
    row(at) {
      readSync(handle, row, 0, dimensions, start + at * dimensions);
      return row;
    },
  };
}

function readAt(handle: number, start: number, bytes: number): Buffer {
  // Its own buffer, because typed arrays over it need an aligned start.
  const buffer = Buffer.from(new ArrayBuffer(bytes));
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
