import type { SqlValue } from './database.ts';

/** What has to be known of a table to write into it as SQLite does. */
export interface TableShape {
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** The column that numbers new rows. */
  readonly identity?: string | undefined;
}

export type TableShapes = ReadonlyMap<string, TableShape>;

/** A statement with gaps for its parameters: `parts[0] $1 parts[1] $2 …`. */
export interface Translated {
  readonly parts: readonly string[];
  /** What the statement inserts into, row by row with placeholders alone; such rows can be sent together. */
  readonly insert?:
    | { readonly table: string; readonly width: number; readonly replaces: boolean }
    | undefined;
}

const LITERAL = /('(?:[^']|'')*')/;
const INSERT = /^\s*INSERT (OR REPLACE |OR IGNORE )?INTO (\w+)\s*(\([\w\s,]*\))?/;
const ROW_OF_MARKS = /VALUES \((\?(?:, \?)*)\)\s*$/;

/**
 * Writes a statement of ours for PostgreSQL. Only what our own statements use is translated; functions that SQLite has
 * and PostgreSQL lacks are made with the schema (`postgres-functions.ts`).
 */
export function toPostgres(sql: string, shapes: TableShapes): Translated {
  const [, conflict, table = '', listed] = INSERT.exec(sql) ?? [];
  const shape = shapes.get(table);
  const marks = ROW_OF_MARKS.exec(sql)?.[1];
  const body = sql
    .replace(/\bINSERT OR (?:REPLACE|IGNORE) INTO\b/, 'INSERT INTO')
    .split(LITERAL)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('');
  return {
    parts: gaps(`${body}${ending(conflict, listed, shape)}${returned(sql, conflict, shape)}`),
    ...(marks !== undefined &&
      table !== '' &&
      table !== 'grams' && {
        insert: { table, width: marks.split(',').length, replaces: conflict === 'OR REPLACE ' },
      }),
  };
}

/** Text outside of literals. */
function plain(sql: string): string {
  return (
    sql
      .replace(/\bIS NOT (?!NULL\b|DISTINCT\b)/g, 'IS DISTINCT FROM ')
      .replace(/\bIS (?!NOT\b|NULL\b|DISTINCT\b)/g, 'IS NOT DISTINCT FROM ')
      // Any negative number means no limit in SQLite.
      .replace(/\bLIMIT \?/g, 'LIMIT NULLIF(?, -1)')
      .replace(/\bIN \(\)/g, 'IN (NULL)')
      .replace(/\bgrams MATCH \?/g, 'codes @@ gram_query(?)')
      .replace(
        'INTO grams (rowid, codes) VALUES (?, ?)',
        "INTO grams (rowid, codes) VALUES (?, array_to_tsvector(string_to_array(?, ' ')))",
      )
  );
}

function ending(
  conflict: string | undefined,
  listed: string | undefined,
  shape: TableShape | undefined,
): string {
  if (conflict === 'OR IGNORE ') return ' ON CONFLICT DO NOTHING';
  if (conflict !== 'OR REPLACE ' || shape === undefined) return '';
  const names = listed?.match(/\w+/g) ?? shape.columns;
  const set = names.filter((name) => !shape.key.includes(name)).map((name) => `${name} = excluded.${name}`);
  return ` ON CONFLICT (${shape.key.join(', ')}) DO ${set.length === 0 ? 'NOTHING' : `UPDATE SET ${set.join(', ')}`}`;
}

/** SQLite always tells the number of a new row. */
function returned(sql: string, conflict: string | undefined, shape: TableShape | undefined): string {
  const wanted = shape?.identity !== undefined && conflict === undefined && !/\bRETURNING\b/.test(sql);
  return wanted && INSERT.test(sql) ? ` RETURNING ${shape.identity}` : '';
}

/** Cuts a statement at its placeholders, except in literals. */
function gaps(sql: string): readonly string[] {
  const parts = [''];
  for (const [at, piece] of sql.split(LITERAL).entries()) {
    const [first = '', ...others] = at % 2 === 1 ? [piece] : piece.split('?');
    parts[parts.length - 1] += first;
    parts.push(...others);
  }
  return parts;
}

/** The statement for given parameters. Their types are named, because PostgreSQL would guess text. */
export function withParameters({ parts }: Pick<Translated, 'parts'>, params: readonly SqlValue[]): string {
  return parts.map((part, at) => (at === 0 ? part : `$${at}${typeOf(params[at - 1])}${part}`)).join('');
}

/** The same for many rows of an INSERT, after its `VALUES`. */
export function withRows(translated: Translated, rows: readonly (readonly SqlValue[])[]): string {
  const [head = ''] = translated.parts;
  const width = translated.insert?.width ?? 0;
  const tuples = rows.map(
    (row, at) => `(${row.map((value, column) => `$${at * width + column + 1}${typeOf(value)}`).join(', ')})`,
  );
  const tail = (translated.parts.at(-1) ?? '').replace(/^\)/, '');
  return `${head.replace(/\($/, '')}${tuples.join(', ')}${tail}`;
}

function typeOf(value: SqlValue | undefined): string {
  if (typeof value === 'number') return Number.isInteger(value) ? '::bigint' : '::float8';
  if (typeof value === 'bigint') return '::bigint';
  if (typeof value === 'string') return '::text';
  return value instanceof Uint8Array ? '::bytea' : '';
}
