import { oneLine } from '../contract/bytes.ts';
import { isObject } from '../contract/guards.ts';
import { cellText } from '../sql/cell-text.ts';

type Cell = string | number | null;

/** The data of an answer of `sql`. */
export interface Table {
  readonly notes?: readonly string[] | undefined;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly error?: string | undefined;
  /** Which of the folders it names were not read. */
  readonly unread?: string | undefined;
  /** The tables of further statements. */
  readonly further?: readonly Table[] | undefined;
}

/** Whether a value is what `sql` declares as its data. */
export function isTable(value: unknown): value is Table {
  return isObject(value) && 'columns' in value && 'rows' in value && Array.isArray(value.rows);
}

const MAX_CELL_CHARS = 80;

/** Cells as a terminal shows them: one line each, long ones cut. */
export function tableLines({ columns, rows }: Table): string[][] {
  const line = (cell: Cell) => {
    const text = oneLine(cellText(cell).replace(/\s+/g, ' '));
    return text.length > MAX_CELL_CHARS && columns.length > 1
      ? `${text.slice(0, MAX_CELL_CHARS - 1)}…`
      : text;
  };
  return [[...columns], ...rows.map((row) => row.map(line))];
}

/** Rows as CSV, values as they are. */
export function tableCsv(rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell) => {
    const text = value === null ? '' : String(value);
    // Spreadsheet programs run cells that start with a sign or @ as formulas.
    const safe = typeof value === 'string' && /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}
