import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
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
  writeFileSync(temporary, withPadding(Buffer.concat([prefix, json])), { mode: 0o600 });
  // One by one, because all of them together are as large as the segment.
  for (const [, numbers] of sections) appendFileSync(temporary, withPadding(numbers));
  renameSync(temporary, file);
  return padded(PREFIX_BYTES + json.length) + length;
}

/** The bytes of an array, with zeros up to where the next one may start. */
function withPadding({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const missing = padded(byteLength) - byteLength;
  return missing === 0 ? bytes : Buffer.concat([bytes, new Uint8Array(missing)]);
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
