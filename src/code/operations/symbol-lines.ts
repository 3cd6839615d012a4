import { basename } from 'node:path';
import type { CallContext } from '../../contract/operation.ts';
import type { SourceTree } from '../files/source-tree.ts';
import type { CodeServices } from '../services.ts';
import { FileSyntax } from './file-syntax.ts';
import type { SymbolLine } from './symbol-rows-shown.ts';
import type { LinePlace, NoFile } from './symbol-scopes.ts';

/** The lines of a file that `path:first-last` names, below the definition that they are in. */
export async function rangeRows(
  { path, line, to = line }: LinePlace,
  tree: SourceTree,
  { code, signal }: CallContext & CodeServices,
  shown: (path: string) => string,
): Promise<readonly SymbolLine[]> {
  // Loaded with the first answer: the bridge knows every operation and runs none.
  const [{ linesOf }, { readSource }] = await Promise.all([
    import('../../contract/redact.ts'),
    import('../symbols/source-text.ts'),
  ]);
  const text = readSource(tree.root, path)?.text;
  if (text === undefined) return [nothing(`${path} is not a text file that can be read.`)];
  // A line break at the end of a file begins no line.
  const ends = text.replace(/\r?\n$/, '').split('\n').length;
  if (line < 1 || line > ends || to < line)
    return [nothing(`${path} has lines 1-${ends}, not ${line}-${to}.`)];
  const symbols = await code.symbols.inFile(tree, path, signal);
  const around = symbols === undefined ? undefined : new FileSyntax(symbols).enclosing(line);
  const lines = linesOf(text, line, Math.min(to, ends));
  const place = { name: around?.name ?? basename(path), kind: 'lines', path: shown(path) };
  return [
    {
      part: 'symbol',
      at: 0,
      place: { ...place, line_start: line, line_end: line + lines.length - 1 },
      counts: {},
    },
    ...bodyRows(lines, line),
  ];
}

/** An error would discard the answers to the other names. */
function nothing(text: string): SymbolLine {
  return { part: 'no_path', at: 0, text };
}

/** Which files a bare name may mean, or that there is none. */
export function noFileRows({ file, files }: NoFile, shown: (path: string) => string): readonly SymbolLine[] {
  const some = files.slice(0, MAX_FILES_SHOWN).map(shown);
  const more = files.length > some.length ? [`${files.length - some.length} more`] : [];
  const text =
    files.length === 0
      ? `No file ${file} here.`
      : `${file} may be ${[...some, ...more].join(', ')}. Name one.`;
  return [nothing(text)];
}

const MAX_FILES_SHOWN = 5;

/** Numbered lines as rows. */
export function bodyRows(lines: readonly string[], first: number): SymbolLine[] {
  return lines.map((text, at) => ({ part: 'body', at: first + at, text: text.replace(/\r$/, '') }));
}

/** The head's share of a shortened body: with its head and its end, most of what is left out can be guessed. */
const HEAD_SHARE = 2 / 3;

/** The rows with at most this many lines of the body. */
export function withoutMiddle(rows: readonly SymbolLine[], most: number): readonly SymbolLine[] {
  const body = rows.filter(({ part }) => part === 'body');
  if (body.length <= most) return rows;
  const head = Math.ceil(most * HEAD_SHARE);
  const kept = new Set([...body.slice(0, head), ...body.slice(body.length - (most - head))]);
  return rows.filter((row) => row.part !== 'body' || kept.has(row));
}

/** The lines between those of a body, as `path:first-last`. */
export function leftOut(rows: readonly SymbolLine[]): readonly string[] {
  const ranges: string[] = [];
  let path = '';
  let last: number | undefined;
  for (const row of rows) {
    if (row.part === 'symbol') [path, last] = [row.place.path, undefined];
    if (row.part !== 'body') continue;
    if (last !== undefined && row.at > last + 1) ranges.push(`${path}:${last + 1}-${row.at - 1}`);
    last = row.at;
  }
  return ranges;
}

/** The bytes of a line besides its text, of a row that is not a line, and of the name above a body. */
const LINE_BYTES = 7;
const ROW_BYTES = 40;
const HEAD_BYTES = 150;
const MIN_LINES = 6;
/** If bodies are cut anyway, callers get at most this share of an answer. */
const CALLERS_SHARE = 1 / 4;

/** The rows of several symbols, with the longest bodies shortened until all fit into one answer. */
export function withinBudget(
  lists: readonly (readonly SymbolLine[])[],
  { budget }: Pick<CallContext, 'budget'>,
): readonly (readonly SymbolLine[])[] {
  const sizes = lists.map((rows) => ({
    body: rows.reduce((sum, row) => sum + (row.part === 'body' ? row.text.length + LINE_BYTES : 0), 0),
    lines: rows.filter(({ part }) => part === 'body').length,
    others: rows.filter(({ part }) => part !== 'body').length * ROW_BYTES,
  }));
  const sum = (part: 'body' | 'others') => sizes.reduce((all, each) => all + each[part], 0);
  let left = budget - lists.length * HEAD_BYTES;
  if (sum('body') <= left) return lists;
  left -= Math.min(sum('others'), budget * CALLERS_SHARE);
  // Short bodies stay whole; the room that they leave goes to the longer ones.
  const shares = new Map<number, number>();
  const order = [...sizes.entries()].sort(([, a], [, b]) => a.body - b.body);
  for (const [nth, [of, { body }]] of order.entries()) {
    const share = Math.min(body, left / (order.length - nth));
    shares.set(of, share);
    left -= share;
  }
  return lists.map((rows, of) => {
    const { body = 0, lines = 0 } = sizes[of] ?? {};
    const share = shares.get(of) ?? body;
    return share >= body
      ? rows
      : withoutMiddle(rows, Math.max(MIN_LINES, Math.floor((lines * share) / body)));
  });
}
