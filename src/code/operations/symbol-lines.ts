import { basename } from 'node:path';
import type { CallContext } from '../../contract/operation.ts';
import type { SourceTree } from '../files/source-tree.ts';
import type { CodeServices } from '../services.ts';
import type { LineSpan } from '../symbols/file-symbols.ts';
import { FileSyntax } from './file-syntax.ts';
import { isBody } from './short-bodies.ts';
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
    ...bodyRows(lines, line, symbols?.comments ?? []),
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
export function bodyRows(
  lines: readonly string[],
  first: number,
  comments: readonly LineSpan[],
): SymbolLine[] {
  return lines.map((text, nth) => {
    const at = first + nth;
    const comment = comments.some(({ from, to }) => from <= at && at <= to);
    return { part: 'body', at, text: text.replace(/\r$/, ''), ...(comment ? { comment } : {}) };
  });
}

/** The head's share of a shortened body: with its head and its end, most of what is left out can be guessed. */
const HEAD_SHARE = 2 / 3;

/** The rows with at most this many lines of the body. */
export function withoutMiddle(rows: readonly SymbolLine[], most: number): readonly SymbolLine[] {
  const body = rows.filter(isBody);
  if (body.length <= most) return rows;
  const head = Math.ceil(most * HEAD_SHARE);
  const tail = body.slice(body.length - (most - head));
  const kept = new Set([...body.slice(0, head), ...tail]);
  return rows
    .filter((row) => !isBody(row) || kept.has(row))
    .map((row) => (row === tail[0] ? { ...tail[0], gap: true } : row));
}

/** The lines that were left out of bodies, as `path:first-last, first-last`. */
export function leftOut(lists: readonly (readonly SymbolLine[])[]): string {
  const ranges: string[] = [];
  let named = '';
  for (const rows of lists) {
    let path = '';
    let last: number | undefined;
    for (const row of rows) {
      if (row.part === 'symbol') path = row.place.path;
      if (!isBody(row)) continue;
      if (last !== undefined && row.gap === true) {
        const lines = `${last + 1}-${row.at - 1}`;
        ranges.push(path === named ? lines : `${path}:${lines}`);
        named = path;
      }
      last = row.at;
    }
  }
  return ranges.join(', ');
}
