import { uint32At } from '../../contract/at.ts';
import type { Requirement } from '../../regex/literals.ts';
import { KeyReader, type Selection } from './key-reader.ts';
import { openSegment } from './trigram-segment-file.ts';
import { decodeTable, type IndexedFile, SPAN_WIDTH, type Spans } from './trigram-segment-table.ts';

/** A part of a file that may match. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Number of the line at `from`. */
  readonly line: number;
  /** If one of several texts is required, bit n says that the n-th may be here. */
  readonly texts?: number | undefined;
}

/** A segment that is open for searches. */
export interface Segment {
  readonly path: string;
  readonly bytes: number;
  /** The files that may match, by number and in order, each with the spans that may; all if nothing is required. */
  candidates(need: Requirement): Iterable<readonly [file: number, spans: readonly Span[]]>;
  close(): void;
}

/** Opens a segment file and returns its files too, which it does not keep. Throws DamagedSegment. */
export function openSegmentReader(path: string): { segment: Segment; files: readonly IndexedFile[] } {
  const { file, table } = openSegment(path);
  const { files, spans, blocks } = decodeTable(table);
  const reader = new KeyReader(file, blocks);
  const starts = blockStarts(spans, blocks);
  const segment: Segment = {
    path,
    bytes: file.bytes,
    candidates: (need) => matchingSpans(spans, starts, reader.select(need)),
    close: () => file.close(),
  };
  return { segment, files };
}

/** The first span of each block, and one more: spans are ordered by block as well as by file. */
function blockStarts({ numbers, count }: Spans, blocks: number): Uint32Array {
  const starts = new Uint32Array(blocks + 1).fill(count);
  for (let index = count - 1; index >= 0; index--) starts[uint32At(numbers, index * SPAN_WIDTH + 1)] = index;
  for (let block = blocks - 1; block >= 0; block--)
    starts[block] = Math.min(uint32At(starts, block), uint32At(starts, block + 1));
  return starts;
}

function* matchingSpans(
  { numbers, count }: Spans,
  starts: Uint32Array,
  { blocks, alternatives }: Selection,
): Iterable<readonly [number, readonly Span[]]> {
  let file = -1;
  let found: Span[] = [];
  for (const [from, to] of blocks === undefined ? [[0, count] as const] : spanRanges(blocks, starts)) {
    for (let index = from; index < to; index++) {
      const at = index * SPAN_WIDTH;
      const owner = uint32At(numbers, at);
      if (owner !== file) {
        if (found.length > 0) yield [file, found];
        file = owner;
        found = [];
      }
      found.push({
        from: uint32At(numbers, at + 2),
        to: uint32At(numbers, at + 3),
        line: uint32At(numbers, at + 4),
        ...(alternatives.length > 0 ? { texts: membership(alternatives, uint32At(numbers, at + 1)) } : {}),
      });
    }
  }
  if (found.length > 0) yield [file, found];
}

/** Bit n is set when the n-th bitmap has the block. */
function membership(bitmaps: readonly Uint32Array[], block: number): number {
  let mask = 0;
  for (const [index, bitmap] of bitmaps.entries())
    mask |= ((uint32At(bitmap, block >> 5) >>> (block & 31)) & 1) << index;
  return mask;
}

/** The range of spans of each block in a bitmap. */
function* spanRanges(blocks: Uint32Array, starts: Uint32Array): Iterable<readonly [number, number]> {
  for (const [word, bits] of blocks.entries()) {
    for (let left = bits; left !== 0; left &= left - 1) {
      const block = (word << 5) + (31 - Math.clz32(left & -left));
      yield [uint32At(starts, block), uint32At(starts, block + 1)];
    }
  }
}
