import { isUtf8 } from 'node:buffer';
import type { ByteSink } from './byte-sink.ts';
import type { MatchRange, PrintedLine } from './line-printer.ts';

/** The totals of a file, or of all files. */
export interface SearchNumbers {
  readonly lines: number;
  readonly matches: number;
  readonly bytes: number;
}

const NO_TIME = { secs: 0, nanos: 0, human: '0.000000s' };

/** Writes the messages of `rg --json` about one file. */
export class JsonMessages {
  readonly #sink: ByteSink;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  begin(name: string): void {
    this.#message('begin', { path: { text: name } });
  }

  line(type: 'match' | 'context', name: string, line: PrintedLine, places: readonly MatchRange[]): void {
    const { bytes, from, to, unended } = line;
    const text = unended ? bytes.subarray(from, to) : Buffer.concat([bytes.subarray(from, to), NEWLINE]);
    this.#message(type, {
      path: { text: name },
      lines: textOf(text),
      line_number: line.number,
      absolute_offset: line.offset,
      submatches: places.map(({ start, end }) => ({
        match: textOf(bytes.subarray(from + start, from + end)),
        start,
        end,
      })),
    });
  }

  end(name: string, { lines, matches, bytes }: SearchNumbers): void {
    const stats = {
      elapsed: NO_TIME,
      searches: 1,
      searches_with_match: 1,
      bytes_searched: bytes,
      bytes_printed: this.#sink.length,
      matched_lines: lines,
      matches,
    };
    this.#message('end', { path: { text: name }, binary_offset: null, stats });
  }

  #message(type: string, data: object): void {
    this.#sink.text(`${JSON.stringify({ type, data })}\n`);
  }
}

const NEWLINE = Buffer.from('\n');

function textOf(bytes: Buffer): { text: string } | { bytes: string } {
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { bytes: bytes.toString('base64') };
}

/** The last message of `rg --json`. */
export function summaryMessage(
  sums: SearchNumbers & { readonly files: number; readonly searched: number; readonly printed: number },
  ms: number,
): string {
  const elapsed = {
    human: `${(ms / 1000).toFixed(6)}s`,
    nanos: Math.round((ms % 1000) * 1e6),
    secs: Math.floor(ms / 1000),
  };
  const stats = {
    bytes_printed: sums.printed,
    bytes_searched: sums.bytes,
    elapsed,
    matched_lines: sums.lines,
    matches: sums.matches,
    searches: sums.searched,
    searches_with_match: sums.files,
  };
  return `${JSON.stringify({ data: { elapsed_total: elapsed, stats }, type: 'summary' })}\n`;
}
