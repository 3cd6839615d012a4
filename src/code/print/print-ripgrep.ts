import type { SearchScene } from '../search/regex-search.ts';
import { ONLY_THESE } from '../search/ripgrep.ts';
import { parseMessage, type RipgrepMessage, textBytes } from '../search/ripgrep-files.ts';
import { patternArguments, ripgrepOutput } from '../search/ripgrep-process.ts';
import { SameText } from '../search/same-text.ts';
import { cleanLine } from '../search/secret-line.ts';
import type { Candidate } from '../trigram/merge.ts';
import { LinePrinter, type PrintedLine } from './line-printer.ts';
import type { PrintQuery } from './print-search.ts';
import { type PrintedFile, shownName } from './style.ts';

const PATHS_AT_ONCE = 4_096;

/** Writes the matches of a pattern that only ripgrep can run: from its messages, in lists of files. */
export async function* printByRipgrep(
  query: PrintQuery,
  scene: SearchScene,
  candidates: Iterator<Candidate>,
): AsyncGenerator<PrintedFile> {
  const { style, filter } = query;
  const flags = ['--json', ...ONLY_THESE, '--sort=path', `-B${style.before}`, `-A${style.after}`];
  if (style.invert) flags.push('--invert-match');
  if (Number.isFinite(style.most)) flags.push(`--max-count=${style.most}`);
  const args = [...patternArguments(query.pattern, filter.everything ?? false), ...flags, '--'];
  const printer = new LinePrinter(style);
  const same = new SameText(scene.tree.root);
  try {
    for (let paths = take(candidates); paths.length > 0; paths = take(candidates)) {
      for await (const piece of ripgrepOutput([...args, ...paths], scene.tree.root, scene.signal)) {
        for (const line of piece.toString('utf8').split('\n')) {
          if (line === '') continue;
          const message = parseMessage(line);
          same.take(message);
          const file = print(printer, message, query);
          if (file !== undefined && same.holds) yield file;
        }
      }
    }
  } finally {
    same.close();
  }
}

function take(candidates: Iterator<Candidate>): string[] {
  const paths: string[] = [];
  while (paths.length < PATHS_AT_ONCE) {
    const { value, done } = candidates.next();
    if (done) break;
    paths.push(`./${value.file.path}`);
  }
  return paths;
}

function print(
  printer: LinePrinter,
  { type, data }: RipgrepMessage,
  { style }: PrintQuery,
): PrintedFile | undefined {
  if (type === 'begin') printer.begin(shownName(style, textBytes(data.path).toString('utf8').slice(2)));
  else if (type === 'context') printer.context(lineOf(data));
  else if (type === 'match') {
    const line = lineOf(data);
    const places = (data.submatches ?? []).map(({ start, end }) => ({ start, end }));
    // A match in a line with a secret may be the secret: it is not told, not even by its place.
    if (!line.secret) printer.match(line, places);
  } else if (type === 'end' && typeof data.binary_offset !== 'number')
    return printer.end(data.stats?.bytes_searched ?? 0);
  return undefined;
}

function lineOf(data: RipgrepMessage['data']): PrintedLine & { readonly secret: boolean } {
  const all = textBytes(data.lines);
  const unended = all.at(-1) !== 10;
  const bytes = unended ? all : all.subarray(0, -1);
  const clean = cleanLine(bytes, 0, bytes.length);
  const shown = clean ?? bytes;
  const place = { number: data.line_number ?? 0, offset: data.absolute_offset ?? 0, unended };
  return { bytes: shown, from: 0, to: shown.length, ...place, secret: clean !== undefined };
}
