import { isObject } from '../../contract/guards.ts';
import type { ChunkKind } from '../chunk/chunk.ts';
import type { Vectors } from '../embed/vectors.ts';
import type { PackedTexts } from '../words/packed-texts.ts';
import type { WordIndexData } from '../words/word-index.ts';

/** What the index knows about a file. */
export interface IndexedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Of the content, so that a touched but unchanged file is not read into the index again. */
  readonly hash: string;
  /** As the file was when it was read: what tells that it may have changed since. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly language?: string | undefined;
  readonly lines: number;
  /** Bits of ROLE. */
  readonly roles: number;
  /** Its chunks, as numbers within the segment: first, and one after the last. */
  readonly chunkFrom: number;
  readonly chunkTo: number;
}

/** Name, kind and place of a chunk. */
export interface ChunkLabel {
  readonly kind: ChunkKind;
  readonly symbol?: string | undefined;
  readonly breadcrumb: readonly string[];
}

/** A finished, never changed part of the index: some files with everything known about them. */
export interface Segment {
  /** Name of the model that made the vectors. */
  readonly model: string;
  readonly files: readonly IndexedFile[];
  readonly lineStart: Uint32Array;
  readonly lineEnd: Uint32Array;
  /** Words of each chunk. */
  readonly length: Uint32Array;
  /** The label of each chunk, as JSON. */
  readonly labels: PackedTexts;
  readonly words: WordIndexData;
  /** The names a chunk declares, as runs of term ids: `defined` of chunk c are runs definedAt[c] to definedAt[c+1]. */
  readonly definedAt: Uint32Array;
  readonly runAt: Uint32Array;
  readonly runTerms: Uint32Array;
  readonly chunkVectors: Vectors;
  readonly fileVectors: Vectors;
  readonly pathVectors: Vectors;
}

const KINDS: readonly ChunkKind[] = ['function', 'class', 'type', 'module', 'value', 'section', 'block'];

/** Reads a label as it is stored. */
export function parseLabel(json: string): ChunkLabel {
  const raw: unknown = JSON.parse(json);
  const record = isObject(raw) ? raw : {};
  const kind = 'kind' in record ? KINDS.find((one) => one === record.kind) : undefined;
  const breadcrumb =
    'breadcrumb' in record && Array.isArray(record.breadcrumb) ? record.breadcrumb.map(String) : [];
  const symbol = 'symbol' in record && typeof record.symbol === 'string' ? record.symbol : undefined;
  return { kind: kind ?? 'block', symbol, breadcrumb };
}
