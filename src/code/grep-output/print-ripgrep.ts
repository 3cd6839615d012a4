import { ripgrepMessages } from '../exact/ripgrep.ts';
import { type RipgrepMessage, textBytes } from '../exact/ripgrep-files.ts';
import { SameText } from '../exact/same-text.ts';
import type { SearchTarget } from '../exact/search-target.ts';
import { TextSecrets } from '../exact/secret-line.ts';
import type { Candidate } from '../trigram/merge-candidates.ts';
import { LinePrinter, type PrintedLine } from './line-printer.ts';
import type { PrintQuery } from './print-search.ts';
import { type PrintedFile, type PrintStyle, shownName } from './print-style.ts';

const PATHS_AT_ONCE = 4_096;

/** Prints the matches of a pattern that only ripgrep can run, from its messages. */
export async function* printByRipgrep(
  query: PrintQuery,
  target: SearchTarget,
  candidates: Iterator<Candidate>,
): AsyncGenerator<PrintedFile> {
  const { style, filter, pattern } = query;
  const { root } = target.tree;
  const flags = ['--sort=path', `-B${style.before}`, `-A${style.after}`];
  if (style.invert) flags.push('--invert-match');
  const run = { root, pattern, everything: filter.everything ?? false, signal: target.signal };
  const messages = new MessagePrinter(root, style);
  try {
    for (let paths = take(candidates); paths.length > 0; paths = take(candidates)) {
      for await (const message of ripgrepMessages(run, paths, flags)) {
        const file = messages.print(message);
        if (file !== undefined) yield file;
      }
    }
  } finally {
    messages.close();
  }
}

function take(candidates: Iterator<Candidate>): string[] {
  const paths: string[] = [];
  while (paths.length < PATHS_AT_ONCE) {
    const { value, done } = candidates.next();
    if (done) break;
    paths.push(value.file.path);
  }
  return paths;
}

/**
 * Prints ripgrep's messages about files that its paths really lead to. A match in a line with a secret may be the
 * secret, so neither its position nor the lines around it give it away.
 */
class MessagePrinter {
  readonly #same: SameText;
  readonly #style: PrintStyle;
  readonly #printer: LinePrinter;
  #secrets: TextSecrets;
  /** The last lines that were not printed, and the number of the last matching line. */
  #before: PrintedLine[] = [];
  #matched = Number.NEGATIVE_INFINITY;

  constructor(root: string, style: PrintStyle) {
    this.#same = new SameText(root);
    this.#secrets = new TextSecrets(this.#same);
    this.#style = style;
    this.#printer = new LinePrinter(style);
  }

  /** Takes a message; returns a file when it is complete. */
  print(message: RipgrepMessage): PrintedFile | undefined {
    const { type, data } = message;
    this.#same.take(message);
    if (type === 'begin') this.#begin(textBytes(data.path).toString('utf8').slice(2));
    else if (type === 'context') this.#context(this.#line(data));
    else if (type === 'match') this.#match(data);
    else if (type === 'end' && this.#same.holds && typeof data.binary_offset !== 'number')
      return this.#printer.end(data.stats?.bytes_searched ?? 0);
    return undefined;
  }

  close(): void {
    this.#same.close();
  }

  #begin(path: string): void {
    this.#secrets = new TextSecrets(this.#same);
    this.#before = [];
    this.#matched = Number.NEGATIVE_INFINITY;
    this.#printer.begin(shownName(this.#style, path));
  }

  #match(data: RipgrepMessage['data']): void {
    const line = this.#line(data);
    if (line.secret || this.#printer.lines >= this.#style.most) {
      this.#context(line);
      return;
    }
    for (const before of this.#before) this.#printer.context(before);
    this.#before = [];
    this.#printer.match(
      line,
      (data.submatches ?? []).map(({ start, end }) => ({ start, end })),
    );
    this.#matched = line.number;
  }

  #context(line: PrintedLine): void {
    const { before, after } = this.#style;
    if (line.number - this.#matched <= after) this.#printer.context(line);
    else if (before > 0) {
      this.#before.push(line);
      // Only the lines right before the next line.
      this.#before = this.#before.filter(({ number }) => number > line.number - before);
    }
  }

  #line(data: RipgrepMessage['data']): PrintedLine & { readonly secret: boolean } {
    const all = textBytes(data.lines);
    const unended = all.at(-1) !== 10;
    const bytes = unended ? all : all.subarray(0, -1);
    const offset = data.absolute_offset ?? 0;
    const clean = this.#secrets.clean(bytes, offset);
    const shown = clean?.bytes ?? bytes;
    const place = { number: data.line_number ?? 0, offset, unended };
    return { bytes: shown, from: 0, to: shown.length, ...place, secret: clean !== undefined };
  }
}
