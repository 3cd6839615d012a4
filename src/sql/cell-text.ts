import type { Cell } from './query-messages.ts';

/** Texts of a table with many rows are cut here where they are one cell of several. */
const MAX_CELL_CHARS = 200;
/** How many characters of one column fit into an answer, as far as its rows share them. */
const COLUMN_CHARACTERS = 2_000;
const ROOM_OF_SEVERAL = 700;
const MAX_NAME_LENGTH = 24;
/** A folder that all cells of a column are in is written once if that saves so many characters. */
const MIN_SAVED_CHARACTERS = 20;

/** A value as text: numbers rounded, nothing for NULL. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return numberText(cell);
  return cell;
}

/** Four decimals are enough for costs; of very small numbers, four digits are shown. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (Math.abs(value) < 0.01) return String(Number(value.toPrecision(4)));
  return String(Number(value.toFixed(Math.abs(value) >= 1000 ? 1 : 4)));
}

/** How the cells of a table are written. */
export interface CellStyle {
  /** For each column, whether the query computed it, and so chose its length. */
  readonly computed: readonly boolean[];
  /** All rows of the table, also those of later pages. */
  readonly rows: number;
  /** One of several tables, which share the answer. */
  readonly several: boolean;
}

/** How long the texts of each column may be: a few rows have room for long ones. */
export function longestCells({ computed, rows, several }: CellStyle): readonly number[] {
  if (computed.length === 1 && !several) return [Number.POSITIVE_INFINITY];
  const room = several ? ROOM_OF_SEVERAL : COLUMN_CHARACTERS;
  const plain = Math.max(MAX_CELL_CHARS, Math.floor(room / Math.max(1, rows)));
  return computed.map((own) => (own || computed.length === 1 ? Math.max(room, plain) : plain));
}

/** The cells of a row as they are shown: several on one line, long ones cut, and a last one that is seen. */
export function shownCells(cells: readonly Cell[], longest: readonly number[]): readonly string[] {
  return cells.map((cell, at) => {
    const text = cells.length === 1 ? cellText(cell) : cellText(cell).replace(/\s+/g, ' ');
    if (text === '' && at === cells.length - 1) return cell === null ? 'NULL' : "''";
    return shortened(text, longest[at] ?? MAX_CELL_CHARS, true);
  });
}

function shortened(text: string, longest: number, counted = false): string {
  if (text.length <= longest) return text;
  const kept = text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}…${counted ? `+${text.length - kept.length}` : ''}`;
}

/** A table as text: a header, then a line per row. `path in /usr/lib/`: what all paths in the column begin with. */
export function tableText(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const folders = columns.map((_, at) => sharedFolder(rows.map((row) => row[at] ?? null)));
  // Expressions without a name are named by their text, which the caller wrote.
  const header = columns
    .map((name) => shortened(name.replace(/\s+/g, ' '), MAX_NAME_LENGTH))
    .map((name, at) => (folders[at] ? `${name} in ${folders[at]}` : name))
    .join('\t');
  const lines = rows.map((row) =>
    row.map((cell, at) => withoutFolder(cellText(cell), folders[at] ?? '')).join('\t'),
  );
  // Texts of several lines need something between them.
  const between = lines.length > 1 && lines.some((line) => line.includes('\n')) ? '\n\n' : '\n';
  return [header, lines.join(between)].join('\n');
}

/** Where a path begins in a cell, which can have several: `group_concat(path, ' ')`. */
const PATHS = /(?<=^|[\s,;|:("'=<>[])\//;

/** A cell that is one path in a repository. */
const RELATIVE = /^[^\s,;|:("'=<>[/][^\s,;|:("'=<>[]*\/[^\s,;|:("'=<>[]*$/;

/** The folder that all paths of a column are in, with its slash; empty if they are not paths or it is too short. */
function sharedFolder(cells: readonly Cell[]): string {
  const texts = cells.map(cellText);
  const relative = texts.every((text) => RELATIVE.test(text));
  if (!relative && !texts.every((text) => text.startsWith('/'))) return '';
  // The first piece is what is before the path at the beginning of a cell: nothing.
  const paths = relative
    ? texts
    : texts.flatMap((text) =>
        text
          .split(PATHS)
          .slice(1)
          .map((path) => `/${path}`),
      );
  const [first = ''] = paths;
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  for (const path of paths) {
    while (folder !== '' && !path.startsWith(folder) && !isCutInside(path, folder))
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  }
  return (paths.length - 1) * folder.length < MIN_SAVED_CHARACTERS ? '' : folder;
}

/** A cell that was cut within the folder of its last path: it stays as it is. */
function isCutInside(path: string, folder: string): boolean {
  const [, kept] = /^([^…]*)…\+\d+$/.exec(path) ?? [];
  return kept !== undefined && folder.startsWith(kept);
}

function withoutFolder(text: string, folder: string): string {
  if (folder === '') return text;
  return text
    .split(PATHS)
    .map((piece, at) => {
      const path = at === 0 ? piece : `/${piece}`;
      return path.startsWith(folder) ? path.slice(folder.length) : path;
    })
    .join('');
}
