import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import type { Vectors } from '../embed/vectors.ts';
import type { Segment } from './semantic-segment.ts';
import { type Header, MAGIC, PREFIX_BYTES, padded } from './semantic-segment-layout.ts';

type Numbers = Uint8Array | Int8Array | Uint32Array | Float32Array;

/** Writes a segment under a temporary name and renames it, so that a half-written one is never found. */
export function writeSegment(file: string, segment: Segment): number {
  const sections = Object.entries(sectionsOf(segment));
  const table: [string, number, number][] = [];
  let length = 0;
  for (const [name, { byteLength }] of sections) {
    table.push([name, length, byteLength]);
    length += padded(byteLength);
  }
  const { model, files, chunkVectors } = segment;
  const header: Header = { model, dimensions: chunkVectors.dimensions, files, sections: table };
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(MAGIC, 0, 'latin1');
  prefix.writeUInt32LE(json.length, 8);
  const temporary = `${file}.${process.pid}`;
  const handle = openSync(temporary, 'w', 0o600);
  try {
    writePadded(handle, Buffer.concat([prefix, json]));
    for (const [, numbers] of sections) writePadded(handle, numbers);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  return padded(PREFIX_BYTES + json.length) + length;
}

/** Writes bytes where the last ones ended, and zeros up to where an array may start. */
function writePadded(handle: number, { buffer, byteOffset, byteLength }: Numbers): void {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (const part of [bytes, new Uint8Array(padded(byteLength) - byteLength)])
    for (let done = 0; done < part.length; ) done += writeSync(handle, part, done);
}

/** Everything but the files, as named arrays; the large rows are last. */
function sectionsOf(segment: Segment): Record<string, Numbers> {
  const { words, labels, chunkVectors, fileVectors, pathVectors } = segment;
  return {
    lineStart: segment.lineStart,
    lineEnd: segment.lineEnd,
    length: segment.length,
    definedAt: segment.definedAt,
    runAt: segment.runAt,
    runTerms: segment.runTerms,
    'labels.at': labels.textAt,
    'labels.bytes': labels.textBytes,
    'words.at': words.textAt,
    'words.bytes': words.textBytes,
    'words.order': words.order,
    'words.starts': words.starts,
    'words.frequencies': words.frequencies,
    'words.postings': words.postings.read(0, words.postings.length),
    ...vectorSections('path', pathVectors),
    ...vectorSections('file', fileVectors),
    ...vectorSections('chunk', chunkVectors),
  };
}

function vectorSections(name: string, vectors: Vectors): Record<string, Numbers> {
  const { source, count, dimensions } = vectors;
  const rows = source.rows ?? new Int8Array(count * dimensions);
  if (source.rows === undefined) for (let at = 0; at < count; at++) rows.set(source.row(at), at * dimensions);
  return {
    [`${name}.factors`]: vectors.factors,
    [`${name}.signs`]: vectors.signs,
    [`${name}.sum`]: vectors.sum,
    [`${name}.rows`]: rows,
  };
}
