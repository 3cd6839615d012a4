import type { Cell } from './query-messages.ts';
import type { Token } from './statement.ts';

/**
 * The rows of a statement without an order: by path and line if it selects both, since the order in which files were
 * read is arbitrary.
 */
export function inPathOrder(
  tokens: readonly Token[],
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): readonly (readonly Cell[])[] {
  const [path, line] = [columns.indexOf('path'), columns.indexOf('line')];
  if (path < 0 || line < 0 || tokens.some(isOrder)) return rows;
  return [...rows].sort((a, b) => compare(a[path], b[path]) || Number(a[line] ?? 0) - Number(b[line] ?? 0));
}

const isOrder = ({ kind, value }: Token) => kind === 'word' && /^(?:order|group|union)$/i.test(value);

function compare(a: Cell | undefined, b: Cell | undefined): number {
  const [one, other] = [String(a ?? ''), String(b ?? '')];
  return one < other ? -1 : one > other ? 1 : 0;
}
