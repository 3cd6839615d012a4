import type { Cell } from './query-messages.ts';

/** Texts from a table with many rows are cut to this length when a row has several cells. */
const MAX_CELL_CHARS = 200;
/** How many characters of one column fit into an answer; its rows share them. */
const COLUMN_CHARACTERS = 2_000;
const COLUMN_CHARACTERS_OF_SEVERAL = 700;
const MAX_NAME_LENGTH = 24;
/** A folder that contains all paths of a column is written once if that saves this many characters. */
const MIN_SAVED_CHARACTERS = 20;

/** A value as text: numbers rounded, NULL as an empty text. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return numberText(cell);
  return cell;
}

/** Four decimals are enough for costs; very small numbers show four digits. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (Math.abs(value) < 0.01) return String(Number(value.toPrecision(4)));
  return String(Number(value.toFixed(Math.abs(value) >= 1000 ? 1 : 4)));
}

export interface CellStyle {
  /** For each column, whether the query computed it and therefore controls its length. */
  readonly computed: readonly boolean[];
  /** All rows of the table, including those on later pages. */
  readonly rows: number;
  /** Whether it is one of several tables that share the answer. */
  readonly several: boolean;
}

/** The maximum length of texts in each column: if there are few rows, they may be long. */
export function longestCells({ computed, rows, several }: CellStyle): readonly number[] {
  if (computed.length === 1 && !several) return [Number.POSITIVE_INFINITY];
  const room = several ? COLUMN_CHARACTERS_OF_SEVERAL : COLUMN_CHARACTERS;
  const plain = Math.max(MAX_CELL_CHARS, Math.floor(room / Math.max(1, rows)));
  return computed.map((own) => (own || computed.length === 1 ? Math.max(room, plain) : plain));
}

/**
 * The cells of a row as shown: several cells stay on one line, long ones are cut, and an empty last one is made
 * visible.
 */
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

/**
 * A table as text: a header, then one line per row. `path in /usr/lib/`: the folder that all paths in the column share.
 */
export function tableText(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const folders = columns.map((_, at) => sharedFolder(rows.map((row) => row[at] ?? null)));
  // Unnamed expressions have their own text as name, which the caller already knows.
  const header = columns
    .map((name) => shortened(name.replace(/\s+/g, ' '), MAX_NAME_LENGTH))
    .map((name, at) => (folders[at] ? `${name} in ${folders[at]}` : name))
    .join('\t');
  const texts = rows.map((row) => row.map((cell, at) => withoutFolder(cellText(cell), folders[at] ?? '')));
  const lines = texts.map((row, nth) =>
    row.map((text, at) => (isRepeated(text, texts[nth - 1]?.[at]) ? REPEATED : text)).join('\t'),
  );
  // Texts with several lines need a separator.
  const between = lines.length > 1 && lines.some((line) => line.includes('\n')) ? '\n\n' : '\n';
  return [header, lines.join(between)].join('\n');
}

/** Stands for the text in the row above. */
const REPEATED = '"';
/** A shorter text is repeated: it costs little, and is easier to read. */
const MIN_REPEATED_CHARACTERS = 8;

/** Numbers stay, and texts that were cut: they may differ in what is missing. */
function isRepeated(text: string, above: string | undefined): boolean {
  return text === above && text.length >= MIN_REPEATED_CHARACTERS && !/^-?[\d.]+$|…\+\d+$/.test(text);
}

/** Where a path begins in a cell, which may contain several: `group_concat(path, ' ')`. */
const PATHS = /(?<=^|[\s,;|:("'=<>[])\//;

/** A cell that is a single path in a repository. */
const RELATIVE = /^[^\s,;|:("'=<>[/][^\s,;|:("'=<>[]*\/[^\s,;|:("'=<>[]*$/;

/**
 * The folder shared by all paths of a column, with its slash; empty if they are not paths or the folder is too short.
 */
function sharedFolder(cells: readonly Cell[]): string {
  const texts = cells.map(cellText);
  const relative = texts.every((text) => RELATIVE.test(text));
  if (!relative && !texts.every((text) => text.startsWith('/'))) return '';
  // The first piece is the text before the first path, which is empty.
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

/** Whether the last path of a cell was cut inside the folder; such a cell stays as it is. */
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
