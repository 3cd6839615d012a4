import { float64At } from '../../contract/at.ts';
import type { SkipReason, SourceFile } from '../files/source-tree.ts';
import { bytesOf, DamagedSegment, wordsOf } from './trigram-segment-file.ts';

/** A file as it was when the segment was built. */
export interface IndexedFile extends SourceFile {
  /** Set if the content is not searched. */
  readonly skip: SkipReason | undefined;
}

/** Spans of the files: which bytes of which file are in which block. */
export interface Spans {
  readonly count: number;
  /** Five numbers per span: file, block, first byte, end, number of the first line. Ordered by file and position. */
  readonly numbers: Uint32Array;
}

export const SPAN_WIDTH = 5;

const SKIPS: readonly (SkipReason | undefined)[] = [
  undefined,
  'too_large',
  'binary',
  'minified',
  'unreadable',
];
const FILE_WIDTH = 5;

/** The table section of a segment. */
export function encodeTable(files: readonly IndexedFile[], spans: Spans, blocks: number): Buffer {
  const numbers = new Float64Array(files.length * FILE_WIDTH);
  for (const [index, file] of files.entries()) {
    const flags = SKIPS.indexOf(file.skip) * 2 + (file.hidden ? 1 : 0);
    numbers.set([file.size, file.mtimeMs, file.ctimeMs, file.ino, flags], index * FILE_WIDTH);
  }
  const paths = Buffer.from(files.map((file) => file.path).join('\0'));
  const head = Uint32Array.of(files.length, spans.count, blocks, paths.length);
  const spanNumbers = spans.numbers.subarray(0, spans.count * SPAN_WIDTH);
  return Buffer.concat([bytesOf(head), bytesOf(numbers), bytesOf(spanNumbers), paths]);
}

export interface Table {
  readonly files: readonly IndexedFile[];
  readonly spans: Spans;
  readonly blocks: number;
}

/** Reads a table section back. */
export function decodeTable(bytes: Buffer): Table {
  const [fileCount = 0, spanCount = 0, blocks = 0, pathBytes = 0] = wordsOf(bytes.subarray(0, 16));
  const spansAt = 16 + fileCount * FILE_WIDTH * 8;
  const pathsAt = spansAt + spanCount * SPAN_WIDTH * 4;
  if (pathsAt + pathBytes !== bytes.length) throw new DamagedSegment('table');
  const copy = bytes.buffer.slice(bytes.byteOffset + 16, bytes.byteOffset + spansAt);
  const numbers = new Float64Array(copy);
  const paths = bytes.toString('utf8', pathsAt);
  const files = (fileCount === 0 ? [] : paths.split('\0')).map((path, index) => {
    const at = index * FILE_WIDTH;
    const flags = float64At(numbers, at + 4);
    return {
      path,
      size: float64At(numbers, at),
      mtimeMs: float64At(numbers, at + 1),
      ctimeMs: float64At(numbers, at + 2),
      ino: float64At(numbers, at + 3),
      hidden: flags % 2 === 1,
      skip: SKIPS[flags >> 1],
    };
  });
  return { files, spans: { count: spanCount, numbers: wordsOf(bytes.subarray(spansAt, pathsAt)) }, blocks };
}
