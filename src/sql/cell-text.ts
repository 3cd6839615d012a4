import type { Cell } from './query-messages.ts';

/** Texts are cut here where they are one cell of several. */
const LONGEST = 200;
const LONGEST_NAME = 24;
const MOMENT = /^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d$/;

/** A value as text: numbers rounded, times to the minute, nothing for NULL. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return numberText(cell);
  return MOMENT.exec(cell)?.[1] ?? cell;
}

/** Four decimals are enough for costs; of very small numbers, four digits are shown. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (Math.abs(value) < 0.01) return String(Number(value.toPrecision(4)));
  return String(Number(value.toFixed(Math.abs(value) >= 1000 ? 1 : 4)));
}

/** How a table is written. */
export interface TableStyle {
  /** For each column, whether its texts are shown as they are, because the query computed them. */
  readonly whole?: readonly boolean[] | undefined;
}

/** A row of several cells on one line, each of them short unless the query cut it itself. */
function rowLine(row: readonly Cell[], whole: readonly boolean[]): string {
  const text = (cell: Cell) => cellText(cell).replace(/\s+/g, ' ');
  return row.map((cell, at) => (whole[at] ? text(cell) : shortened(text(cell), LONGEST))).join('\t');
}

function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A table as text: a header, then a line per row; a single column is shown as it is. */
export function tableText(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  { whole = [] }: TableStyle = {},
): string {
  // Expressions without a name are named by their text, which the caller wrote.
  const header = columns.map((name) => shortened(name.replace(/\s+/g, ' '), LONGEST_NAME)).join('\t');
  if (columns.length !== 1) return [header, ...rows.map((row) => rowLine(row, whole))].join('\n');
  const cells = rows.map(([cell = null]) => cellText(cell));
  // Texts of several lines need something between them.
  const between = rows.length > 1 && cells.some((cell) => cell.includes('\n')) ? '\n\n' : '\n';
  return [header, cells.join(between)].join('\n');
}
