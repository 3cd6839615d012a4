import type { Matcher } from '../../regex/matcher.ts';
import { type Part, scanLines } from '../exact/scan-lines.ts';
import { type CleanLine, matchesClean, type TextParts, TextSecrets } from '../exact/secret-line.ts';
import type { SkipReason } from '../files/source-tree.ts';
import { countLines } from '../trigram/count-lines.ts';
import type { LinePrinter, MatchRange, PrintedLine } from './line-printer.ts';
import type { PrintStyle } from './print-style.ts';

/** The content read from a file: `bytes` starts at `offset`, and spans are offsets in the file. */
export interface PrintContent {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly spans: readonly (Part & { readonly line: number })[];
  /** False if a link led elsewhere: then nothing from it is printed. */
  readonly isInPlace: () => boolean;
  readonly text: TextParts;
}

const NO_TEXT: TextParts = { first: 0, read: () => Buffer.alloc(0) };

/** Prints the matching lines of one file and the lines around them. */
export class FilePrinter {
  readonly #matcher: Matcher;
  readonly #printer: LinePrinter;
  readonly #style: PrintStyle;
  #content: PrintContent = {
    bytes: Buffer.alloc(0),
    offset: 0,
    spans: [],
    isInPlace: () => false,
    text: NO_TEXT,
  };
  #secrets = new TextSecrets(NO_TEXT);
  /** The end of the last printed line, its number, and how many context lines may follow. */
  #shownTo = 0;
  #shownLine = 0;
  #afterLeft = 0;
  #searched = 0;

  constructor(matcher: Matcher, printer: LinePrinter, style: PrintStyle) {
    this.#matcher = matcher;
    this.#printer = printer;
    this.#style = style;
  }

  /** Bytes of the last file that were searched. */
  get searched(): number {
    return this.#searched;
  }

  /** Prints one file; returns the reason if it is not searched. */
  run(contents: Iterable<PrintContent | SkipReason>): SkipReason | undefined {
    for (const content of contents) {
      if (typeof content === 'string') return content;
      if (this.#enough) break;
      this.#content = content;
      this.#secrets = new TextSecrets(content.text);
      this.#shownTo = 0;
      this.#afterLeft = 0;
      for (const span of content.spans) if (!this.#scan(span)) break;
      // With enough matches, the search ended at the last printed line.
      const end = content.bytes.length;
      this.#searched = content.offset + (this.#enough ? Math.min(this.#shownTo, end) : end);
      this.#showAfter(content.bytes.length);
    }
    return undefined;
  }

  get #enough(): boolean {
    return this.#printer.lines >= this.#style.most;
  }

  /** Returns false once enough has been found. */
  #scan(span: PrintContent['spans'][number]): boolean {
    const { bytes, offset } = this.#content;
    const from = span.from - offset;
    let counted = from;
    let { line } = span;
    const found = (start: number, end: number): boolean => {
      line += countLines(bytes, counted, start);
      counted = start;
      return this.#found(start, end, line);
    };
    const part: Part = { from, to: span.to - offset, texts: span.texts };
    if (!this.#style.invert) scanLines(this.#matcher, bytes, part, found);
    else eachLine(bytes, part, found);
    return !this.#enough;
  }

  #found(start: number, end: number, number: number): boolean {
    const clean = this.#clean(start, end);
    if ((clean !== undefined || this.#style.invert) && !this.#isWanted(start, end, clean)) return true;
    if (this.#printer.lines === 0 && !this.#content.isInPlace()) return false;
    if (this.#style.before + this.#style.after > 0) this.#showAround(start, number);
    const line = this.#line(start, end, number, clean);
    this.#printer.match(line, this.#places(line));
    this.#shownTo = end + 1;
    this.#shownLine = number;
    this.#afterLeft = this.#style.after;
    return !this.#enough;
  }

  #clean(start: number, end: number): CleanLine | undefined {
    const { bytes, offset } = this.#content;
    return this.#secrets.clean(bytes.subarray(start, end), start + offset);
  }

  #isWanted(start: number, end: number, clean: CleanLine | undefined): boolean {
    const matches =
      clean === undefined
        ? this.#matcher.test(this.#content.bytes, start, end)
        : matchesClean(this.#matcher, clean);
    return matches !== this.#style.invert;
  }

  #places(line: PrintedLine): readonly MatchRange[] {
    return this.#printer.wantsPlaces ? allMatches(this.#matcher, line) : [];
  }

  /** The context lines between the last line written and a match. */
  #showAround(start: number, number: number): void {
    this.#showAfter(start);
    const { bytes } = this.#content;
    const starts: number[] = [];
    for (let at = start; at > this.#shownTo && starts.length < this.#style.before; ) {
      at = at < 2 ? 0 : bytes.lastIndexOf(10, at - 2) + 1;
      starts.unshift(at);
    }
    for (const [index, from] of starts.entries()) this.#context(from, number - starts.length + index);
  }

  #showAfter(limit: number): void {
    for (; this.#afterLeft > 0 && this.#shownTo < limit; this.#afterLeft--)
      this.#context(this.#shownTo, this.#shownLine + 1);
  }

  #context(start: number, number: number): void {
    const { bytes } = this.#content;
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const clean = this.#clean(start, end);
    const line = this.#line(start, end, number, clean);
    // After the last match that counts there may be more matches.
    if (this.#enough && this.#isWanted(start, end, clean))
      this.#printer.match(line, this.#places(line), false);
    else this.#printer.context(line);
    this.#shownTo = end + 1;
    this.#shownLine = number;
  }

  #line(start: number, end: number, number: number, clean: CleanLine | undefined): PrintedLine {
    const { bytes, offset } = this.#content;
    const place = { number, offset: start + offset, unended: end >= bytes.length };
    return clean === undefined
      ? { bytes, from: start, to: end, ...place }
      : { bytes: clean.bytes, from: 0, to: clean.bytes.length, ...place };
  }
}

function eachLine(bytes: Buffer, part: Part, onLine: (from: number, to: number) => boolean): void {
  for (let start = part.from; start < part.to; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 || newline > part.to ? part.to : newline;
    if (!onLine(start, end)) return;
    start = end + 1;
  }
}

/** All matches in a line without overlaps, like Rust's find_iter. */
function allMatches(matcher: Matcher, { bytes, from, to, unended }: PrintedLine): MatchRange[] {
  const places: MatchRange[] = [];
  let last = -1;
  for (let at = from; at <= to; ) {
    const place = matcher.locate(bytes, from, to, at);
    if (place === undefined) break;
    const empty = place.start === place.end;
    // An empty match right after another match does not count, nor does one at the end of the file.
    if (!empty || (place.end !== last && !(unended && from + place.end === to))) places.push(place);
    last = place.end;
    // Also between the bytes of a character, as in ripgrep.
    at = from + place.end + (empty ? 1 : 0);
  }
  return places;
}
