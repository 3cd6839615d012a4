import type { SymbolLine } from './symbol-rows-shown.ts';

type BodyLine = SymbolLine & { readonly part: 'body' };

/** Lines that only open or close a block, and empty ones: the indentation says as much. */
const SAYS_NOTHING = /^[\s{}()[\]>;,]*$/;
const TAB_COLUMNS = 8;

export function isBody(row: SymbolLine): row is BodyLine {
  return row.part === 'body';
}

/** The rows with one space per level of indentation, without empty lines and lines of closing brackets. */
export function withShortLines(rows: readonly SymbolLine[]): readonly SymbolLine[] {
  const body = rows.filter(isBody);
  const telling = body.filter(({ text }) => text.trim() !== '');
  const indents = [...new Set(telling.map(({ text }) => indentOf(text)))].sort((a, b) => a - b);
  const levels = new Map(indents.map((indent, level) => [indent, level]));
  const last = body.at(-1);
  return rows.flatMap((row): SymbolLine[] => {
    if (!isBody(row)) return [row];
    // The last line shows that the body is whole.
    if (row !== last && SAYS_NOTHING.test(row.text)) return [];
    return [{ ...row, text: ' '.repeat(levels.get(indentOf(row.text)) ?? 0) + row.text.trim() }];
  });
}

/** The rows without lines of comments; all of them if there is nothing else. */
export function withoutComments(rows: readonly SymbolLine[]): readonly SymbolLine[] {
  const kept = rows.filter((row) => !isBody(row) || row.comment !== true);
  return kept.some(isBody) ? kept : rows;
}

/** How far a line is indented, in columns. */
function indentOf(text: string): number {
  const blank = text.slice(0, text.length - text.trimStart().length);
  return blank.replaceAll('\t', ' '.repeat(TAB_COLUMNS)).length;
}
