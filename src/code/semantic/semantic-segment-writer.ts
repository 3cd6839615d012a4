import { renameSync, writeFileSync } from 'node:fs';
import { at } from '../../contract/at.ts';
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
  const body = padded(PREFIX_BYTES + json.length);
  const out = Buffer.alloc(body + length);
  out.write(MAGIC, 0, 'latin1');
  out.writeUInt32LE(json.length, 8);
  json.copy(out, PREFIX_BYTES);
  for (const [index, [, { buffer, byteOffset, byteLength }]] of sections.entries()) {
    const [, start] = at(table, index);
    Buffer.from(buffer, byteOffset, byteLength).copy(out, body + start);
  }
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, out, { mode: 0o600 });
  renameSync(temporary, file);
  return out.length;
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
    'words.postings': words.postings,
    ...vectorSections('path', pathVectors),
    ...vectorSections('file', fileVectors),
    ...vectorSections('chunk', chunkVectors),
  };
}

function vectorSections(name: string, vectors: Vectors): Record<string, Numbers> {
  const rows = new Int8Array(vectors.count * vectors.dimensions);
  for (let at = 0; at < vectors.count; at++) rows.set(vectors.source.row(at), at * vectors.dimensions);
  return {
    [`${name}.factors`]: vectors.factors,
    [`${name}.signs`]: vectors.signs,
    [`${name}.sum`]: vectors.sum,
    [`${name}.rows`]: rows,
  };
}
