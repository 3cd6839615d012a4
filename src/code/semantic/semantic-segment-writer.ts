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
  const header: Header = { model, dimensions: chunkVectors.dimensions, files: [...files], sections: table };
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
  const all = <Read>(source: { readonly length: number; read(from: number, to: number): Read }): Read =>
    source.read(0, source.length);
  const { terms } = words;
  return {
    lineStart: all(segment.lineStart),
    lineEnd: all(segment.lineEnd),
    length: all(segment.length),
    definedAt: all(segment.definedAt),
    runAt: all(segment.runAt),
    runTerms: all(segment.runTerms),
    'labels.at': all(labels.textAt),
    'labels.bytes': all(labels.textBytes),
    'terms.filter': terms.filter,
    'terms.firstAt': terms.firstAt,
    'terms.firstBytes': terms.firstBytes,
    'terms.blockAt': terms.blockAt,
    'terms.postingAt': terms.postingAt,
    'terms.blocks': all(terms.blocks),
    postings: all(words.postings),
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
    [`${name}.signs`]: vectors.signs.read(0, vectors.signs.length),
    [`${name}.sum`]: vectors.sum,
    [`${name}.rows`]: rows,
  };
}
