import { type MultilineFile, multilineFiles } from '../exact/multiline-files.ts';
import type { SearchTarget } from '../exact/search-target.ts';
import type { Candidate } from '../trigram/merge-candidates.ts';
import { LinePrinter, type PrintedLine } from './line-printer.ts';
import type { PrintQuery, PrintSums } from './print-search.ts';
import { type PrintedFile, type PrintStyle, shownName } from './print-style.ts';

/** Prints matches that may span lines, line by line. */
export async function* printMultiline(
  { pattern, filter, style, stats }: PrintQuery,
  { tree: { root }, signal }: SearchTarget,
  candidates: Iterator<Candidate>,
  sums: PrintSums,
): AsyncGenerator<PrintedFile> {
  const printer = new LinePrinter(style);
  const run = {
    root,
    pattern,
    matcher: undefined,
    everything: filter.everything ?? false,
    signal,
    onSkipped(path: string, reason: Parameters<typeof sums.skipped.set>[1]) {
      if (stats) sums.skipped.set(`${root}/${path}`, reason);
    },
    onSearched: () => undefined,
  };
  for await (const file of multilineFiles(run, candidates)) {
    printer.begin(shownName(style, file.path));
    printLines(printer, style, file);
    const printed = printer.end(file.bytes);
    if (printed !== undefined) yield printed;
  }
}

function printLines(printer: LinePrinter, { before, after, most }: PrintStyle, file: MultilineFile): void {
  let printed = 0;
  const contextTo = (last: number) => {
    for (let number = printed + 1; number <= last; number++) {
      const line = printedLine(file, number);
      if (line !== undefined) printer.context(line);
    }
    printed = Math.max(printed, last);
  };
  for (const { first, last, places } of file.blocks) {
    if (printer.lines >= most) break;
    if (printed > 0) contextTo(Math.min(printed + after, first - 1));
    printed = Math.max(printed, first - 1 - before);
    contextTo(first - 1);
    for (let number = first; number <= last && printer.lines < most; number++) {
      const line = printedLine(file, number);
      if (line !== undefined) printer.match(line, places[number - first] ?? []);
      printed = number;
    }
  }
  contextTo(printed + after);
}

function printedLine(file: MultilineFile, number: number): PrintedLine | undefined {
  const line = file.line(number);
  if (line === undefined) return undefined;
  const { bytes, offset } = line;
  return { bytes, from: 0, to: bytes.length, number, offset, unended: false };
}
