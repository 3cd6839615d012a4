import { isObject } from '../../contract/guards.ts';
import type { ChunkKind } from '../chunk/chunk.ts';
import type { Vectors } from '../embed/vectors.ts';
import type { NumberSource } from '../words/byte-source.ts';
import type { PackedTexts } from '../words/packed-texts.ts';
import type { StoredWords } from '../words/word-index.ts';
import type { FileTable } from './file-table.ts';

/** What the index knows about a file. */
export interface IndexedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Hash of the content, so that a touched but unchanged file is not indexed again. */
  readonly hash: string;
  /** Size and time of the file when it was read, to notice that it may have changed. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly language?: string | undefined;
  readonly lines: number;
  /** Bits of {@link ROLE}. */
  readonly roles: number;
  /** Its chunks within the segment: the first, and one after the last. */
  readonly chunkFrom: number;
  readonly chunkTo: number;
}

/** Name and kind of a chunk, and what encloses it. */
export interface ChunkLabel {
  readonly kind: ChunkKind;
  readonly symbol?: string | undefined;
  readonly breadcrumb: readonly string[];
}

/** A part of the index that never changes: some files with everything known about them. */
export interface Segment {
  /** Name of the model that made the vectors. */
  readonly model: string;
  readonly files: FileTable;
  readonly lineStart: NumberSource;
  readonly lineEnd: NumberSource;
  /** Number of words in each chunk. */
  readonly length: NumberSource;
  /** The label of each chunk, as JSON. */
  readonly labels: PackedTexts;
  readonly words: StoredWords;
  /**
   * The names that a chunk declares: those of chunk c are the runs definedAt[c] to definedAt[c + 1], and the terms of
   * run r are runTerms[runAt[r]] to runTerms[runAt[r + 1]].
   */
  readonly definedAt: NumberSource;
  readonly runAt: NumberSource;
  readonly runTerms: NumberSource;
  readonly chunkVectors: Vectors;
  readonly fileVectors: Vectors;
  readonly pathVectors: Vectors;
}

const KINDS: readonly ChunkKind[] = ['function', 'class', 'type', 'module', 'value', 'section', 'block'];

/** Parses a stored label. */
export function parseLabel(json: string): ChunkLabel {
  const raw: unknown = JSON.parse(json);
  const record = isObject(raw) ? raw : {};
  const kind = 'kind' in record ? KINDS.find((one) => one === record.kind) : undefined;
  const breadcrumb =
    'breadcrumb' in record && Array.isArray(record.breadcrumb) ? record.breadcrumb.map(String) : [];
  const symbol = 'symbol' in record && typeof record.symbol === 'string' ? record.symbol : undefined;
  return { kind: kind ?? 'block', symbol, breadcrumb };
}
