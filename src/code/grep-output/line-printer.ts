import { redact } from '../../contract/redact.ts';
import { ByteSink } from './byte-sink.ts';
import { JsonMessages } from './json-messages.ts';
import { COLOURS, type PrintedFile, type PrintStyle, painted } from './print-style.ts';

/** A match in a line, in bytes. */
export interface MatchRange {
  readonly start: number;
  readonly end: number;
}

/** A line to print, without its line break. */
export interface PrintedLine {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly number: number;
  /** Where the line starts in the file. */
  readonly offset: number;
  /** The file ends without a line break here. */
  readonly unended: boolean;
}

/** Prints the lines of one file after the other. */
export class LinePrinter {
  readonly #style: PrintStyle;
  readonly #sink = new ByteSink();
  readonly #json: JsonMessages;
  #name = '';
  #lead = '';
  #last = 0;
  #lines = 0;
  #matches = 0;

  constructor(style: PrintStyle) {
    this.#style = style;
    this.#json = new JsonMessages(this.#sink);
  }

  /** Whether the positions of the matches in a line are needed. */
  get wantsPlaces(): boolean {
    const { form, colour, columns, invert } = this.#style;
    return !invert && (form === 'only' || form === 'json' || (form === 'lines' && (colour || columns)));
  }

  get lines(): number {
    return this.#lines;
  }

  begin(name: string): void {
    this.#name = name;
    this.#last = 0;
    this.#lines = 0;
    this.#matches = 0;
    this.#sink.length = 0;
  }

  /** Prints a matching line; after the maximum number of lines it is shown but not counted. */
  match(line: PrintedLine, places: readonly MatchRange[], counts = true): void {
    if (this.#lines === 0) this.#open();
    if (counts) {
      this.#lines++;
      this.#matches += places.length;
    }
    if (this.#style.form === 'json') this.#json.line('match', this.#name, line, places);
    else if (this.#style.form !== 'counts') this.#write(line, ':', places);
  }

  context(line: PrintedLine): void {
    if (this.#style.form === 'counts') return;
    // Context before the first match.
    if (this.#lines === 0 && this.#sink.length === 0) this.#open();
    if (this.#style.form === 'json') this.#json.line('context', this.#name, line, []);
    else this.#write(line, '-', []);
  }

  /** What was printed for the file; undefined without a match. */
  end(fileBytes: number): PrintedFile | undefined {
    const { form } = this.#style;
    const printed = this.#sink.length;
    const numbers = { lines: this.#lines, matches: this.#matches, bytes: fileBytes, printed };
    if (this.#lines === 0) return undefined;
    if (form === 'json') this.#json.end(this.#name, numbers);
    return { name: this.#name, text: this.#sink.take(), ...numbers };
  }

  #open(): void {
    if (this.#sink.length > 0) return;
    const { form, names } = this.#style;
    // Redacted only here, because most files have no match.
    this.#name = redact(this.#name);
    this.#lead = names === 'inline' ? painted(this.#style, COLOURS.name, this.#name) : '';
    if (form === 'json') this.#json.begin(this.#name);
    else if (names === 'heading' && form !== 'counts')
      this.#sink.text(`${painted(this.#style, COLOURS.name, this.#name)}${this.#style.nul ? '\0' : '\n'}`);
  }

  #write(line: PrintedLine, mark: ':' | '-', places: readonly MatchRange[]): void {
    const style = this.#style;
    if (style.before + style.after > 0 && this.#last > 0 && line.number > this.#last + 1)
      this.#sink.text(style.gap);
    this.#last = line.number;
    if (style.form === 'only' && mark === ':' && !style.invert) {
      for (const { start, end } of places) {
        this.#prefix(line, start, mark, line.offset + start);
        this.#painted(line, style.trim ? Math.min(end, trimmed(line, start)) : start, end);
        this.#sink.text('\n');
      }
      return;
    }
    this.#prefix(line, places[0]?.start ?? 0, mark, line.offset);
    const first = style.trim ? trimmed(line, 0) : 0;
    let at = line.from + first;
    if (style.colour)
      for (const { start: begin, end } of joined(places)) {
        if (end <= first) continue;
        const start = Math.max(begin, first);
        this.#sink.copy(line.bytes, at, line.from + start);
        this.#painted(line, start, end);
        at = line.from + end;
      }
    this.#sink.copy(line.bytes, at, line.to);
    this.#sink.text('\n');
  }

  #painted(line: PrintedLine, start: number, end: number): void {
    if (this.#style.colour) this.#sink.text(painted(this.#style, COLOURS.match, '').slice(0, -4));
    this.#sink.copy(line.bytes, line.from + start, line.from + end);
    if (this.#style.colour) this.#sink.text('\u001b[0m');
  }

  #prefix({ number }: PrintedLine, start: number, mark: ':' | '-', offset: number): void {
    const style = this.#style;
    let lead = this.#lead === '' ? '' : this.#lead + (style.nul ? '\0' : mark);
    if (style.numbers) lead += painted(style, COLOURS.number, String(number)) + mark;
    if (style.columns && mark === ':') lead += painted(style, COLOURS.column, String(start + 1)) + mark;
    if (style.offsets) lead += painted(style, COLOURS.column, String(offset)) + mark;
    if (lead !== '') this.#sink.text(lead);
  }
}

/** The first byte of a line from a place on that is not white space. */
function trimmed({ bytes, from, to }: PrintedLine, start: number): number {
  let at = from + start;
  while (at < to && WHITE.has(bytes[at] ?? 0)) at++;
  return at - from;
}

const WHITE: ReadonlySet<number> = new Set(Buffer.from(' \t\n\v\f\r'));

/** Merges adjacent matches and leaves out empty ones. */
function joined(places: readonly MatchRange[]): MatchRange[] {
  const result: MatchRange[] = [];
  for (const place of places) {
    const last = result.at(-1);
    if (last?.end === place.start) result[result.length - 1] = { start: last.start, end: place.end };
    else if (place.end > place.start) result.push(place);
  }
  return result;
}
