import { skipReason, textOf } from '../files/file-content.ts';
import type { SourceFile } from '../files/source-tree.ts';
import { countLines } from './count-lines.ts';
import { MAX_BLOCKS, PostingsBuilder } from './trigram-postings.ts';
import type { Span } from './trigram-segment.ts';
import { writeSegment } from './trigram-segment-file.ts';
import { encodeTable, type IndexedFile, SPAN_WIDTH } from './trigram-segment-table.ts';

/** Text in one block: small enough to search in a moment, large enough that its keys are shared by many lines. */
const BLOCK_BYTES = 32 * 1024;
/** Small files share a block up to this: sharing makes the index smaller, but a hit opens all of them. */
const SHARED_BYTES = 8 * 1024;
const SHARED_FILES = 4;
const NEWLINE = 10;

/** Characters outside ASCII that differ from k and s only in case: indexed under both forms. */
const KELVIN = Buffer.from('\u212A');
const LONG_S = Buffer.from('\u017F');

/** True if text that is compared regardless of case may hide a k or s outside ASCII. */
export function hasFoldedStrangers(bytes: Buffer): boolean {
  return bytes.includes(KELVIN) || bytes.includes(LONG_S);
}

/** Puts files into blocks and writes them as one segment. Reused for many segments. */
export class SegmentWriter {
  readonly #postings = new PostingsBuilder();
  #files: IndexedFile[] = [];
  #spans: number[] = [];
  #filled = 0;
  #sharing = 0;

  /** True when no more files should be added. */
  get full(): boolean {
    return this.#postings.blocks > MAX_BLOCKS - 4096;
  }

  /** Adds a file with what was read of it; undefined when it could not be read. */
  add(file: SourceFile, read: Buffer | undefined): void {
    const text = read === undefined ? undefined : textOf(read);
    const skip = text === undefined ? 'unreadable' : skipReason(text.bytes);
    const index = this.#files.push({ ...file, skip }) - 1;
    if (read === undefined || text === undefined || skip !== undefined) return;
    const { bytes: content, offset } = text;
    if (this.#filled + content.length > SHARED_BYTES || this.#sharing === SHARED_FILES) this.#closeBlock();
    this.#sharing++;
    if (text.converted) {
      // Offsets in the file are not offsets in the text, so one span covers all of it.
      this.#addSpan(index, content, 0, content.length, { from: 0, to: read.length, line: 1 });
      this.#closeBlock();
      return;
    }
    for (let from = 0, line = 1; from < content.length; ) {
      const to = blockEnd(content, from);
      this.#addSpan(index, content, from, to, { from: from + offset, to: to + offset, line });
      if (to === content.length) break;
      this.#closeBlock();
      line += countLines(content, from, to);
      from = to;
    }
  }

  /** Writes the segment and starts the next one; returns its size in bytes. */
  write(path: string): number {
    this.#closeBlock();
    const blocks = this.#postings.blocks;
    const postings = this.#postings.finish();
    const numbers = Uint32Array.from(this.#spans);
    const table = encodeTable(this.#files, { count: numbers.length / SPAN_WIDTH, numbers }, blocks);
    this.#files = [];
    this.#spans = [];
    return writeSegment(path, { table, postings });
  }

  #addSpan(file: number, content: Buffer, from: number, to: number, span: Span): void {
    this.#spans.push(file, this.#postings.blocks, span.from, span.to, span.line);
    this.#postings.add(content, from, to);
    const part = content.subarray(from, to);
    if (hasFoldedStrangers(part)) {
      const folded = Buffer.from(
        part.toString('latin1').replaceAll('\xe2\x84\xaa', 'k').replaceAll('\xc5\xbf', 's'),
        'latin1',
      );
      this.#postings.add(folded, 0, folded.length);
    }
    this.#filled += to - from;
  }

  #closeBlock(): void {
    if (this.#filled === 0) return;
    this.#postings.closeBlock();
    this.#filled = 0;
    this.#sharing = 0;
  }
}

/** The end of the block that begins at `from`: after a line break, unless a single line is longer. */
function blockEnd(content: Buffer, from: number): number {
  if (content.length - from <= BLOCK_BYTES) return content.length;
  const last = content.lastIndexOf(NEWLINE, from + BLOCK_BYTES - 1);
  if (last >= from) return last + 1;
  const next = content.indexOf(NEWLINE, from + BLOCK_BYTES);
  return next === -1 ? content.length : next + 1;
}
