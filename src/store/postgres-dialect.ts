import type { SqlValue } from './database.ts';

/** What must be known about a table to write to it as SQLite does. */
export interface TableShape {
  readonly columns: readonly string[];
  /** The type of each column. */
  readonly types: readonly string[];
  readonly key: readonly string[];
  /** The column that numbers new rows. */
  readonly identity?: string | undefined;
}

export type TableShapes = ReadonlyMap<string, TableShape>;

/** A statement with gaps for its parameters: `parts[0] $1 parts[1] $2 …`. */
export interface Translated {
  readonly parts: readonly string[];
  /** Set for an INSERT of nothing but placeholders, whose rows can be sent together. */
  readonly many?: ManyRows | undefined;
}

/** One statement for any number of rows: a list of values per column. */
export interface ManyRows {
  readonly text: string;
  readonly types: readonly string[];
  /** Positions of the columns by which rows replace others; one statement cannot change a row twice. */
  readonly changes: readonly number[] | undefined;
}

const LITERAL = /('(?:[^']|'')*')/;
const INSERT = /^\s*INSERT (OR REPLACE |OR IGNORE )?INTO (\w+)\s*(\([\w\s,]*\))?/;
const ROW_OF_MARKS = /^[^?]*\bVALUES \(\?(?:, \?)*\)([^?]*)$/;

/**
 * Translates one of our statements for PostgreSQL. Only what our own statements use is translated; functions that
 * SQLite has and PostgreSQL lacks are created with the schema (`postgres-functions.ts`).
 */
export function toPostgres(sql: string, shapes: TableShapes): Translated {
  const [, conflict, table = '', listed] = INSERT.exec(sql) ?? [];
  const shape = shapes.get(table);
  const body = sql
    .replace(/\bINSERT OR (?:REPLACE|IGNORE) INTO\b/, 'INSERT INTO')
    .split(LITERAL)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('');
  const end = ending(conflict, listed, shape);
  const tail = ROW_OF_MARKS.exec(sql)?.[1];
  return {
    parts: gaps(`${body}${end}${returned(sql, conflict, shape)}`),
    ...(tail !== undefined &&
      shape !== undefined && { many: manyRows(table, listed, `${plain(tail)}${end}`, shape) }),
  };
}

function manyRows(table: string, listed: string | undefined, tail: string, shape: TableShape): ManyRows {
  const names = listed?.match(/\w+/g) ?? shape.columns;
  const types = names.map((name) => shape.types[shape.columns.indexOf(name)] ?? 'text');
  const lists = types.map((type, at) => `$${at + 1}::${type === 'tsvector' ? 'text' : type}[]`);
  const values = types.map((type, at) =>
    type === 'tsvector' ? `array_to_tsvector(string_to_array(c${at}, ' '))` : `c${at}`,
  );
  const key = /\bON CONFLICT \(([\w\s,]*)\) DO UPDATE\b/.exec(tail)?.[1]?.match(/\w+/g);
  return {
    text: `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM unnest(${lists.join(', ')}) AS given(${types.map((_, at) => `c${at}`).join(', ')})${tail.trimStart() === '' ? '' : ` ${tail.trimStart()}`}`,
    types,
    changes: key?.map((name) => names.indexOf(name)),
  };
}

/** Translates text outside literals. */
function plain(sql: string): string {
  return (
    sql
      .replace(/\bIS NOT (?!NULL\b|DISTINCT\b)/g, 'IS DISTINCT FROM ')
      .replace(/\bIS (?!NOT\b|NULL\b|DISTINCT\b)/g, 'IS NOT DISTINCT FROM ')
      // Any negative number means no limit in SQLite.
      .replace(/\bLIMIT \?/g, 'LIMIT NULLIF(?, -1)')
      .replace(/\bIN \(\)/g, 'IN (NULL)')
      .replace(/\bFROM grams WHERE grams MATCH \?/g, 'FROM gram_matches(?)')
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

/** SQLite always returns the number of a new row. */
function returned(sql: string, conflict: string | undefined, shape: TableShape | undefined): string {
  const wanted = shape?.identity !== undefined && conflict === undefined && !/\bRETURNING\b/.test(sql);
  return wanted && INSERT.test(sql) ? ` RETURNING ${shape.identity}` : '';
}

/** Splits a statement at its placeholders, except in literals. */
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

/** The values of rows as one list per column, in PostgreSQL's notation. */
export function listsOf(rows: readonly (readonly SqlValue[])[], { types }: ManyRows): readonly string[] {
  return types.map((_, column) => `{${rows.map((row) => inList(row[column] ?? null)).join(',')}}`);
}

function inList(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${withoutZero(value).replace(/["\\]/g, '\\$&')}"`;
  return value instanceof Uint8Array ? `"\\\\x${bufferOf(value).toString('hex')}"` : String(value);
}

/** A value in the form that the driver accepts. */
export function storable(value: SqlValue): unknown {
  if (typeof value === 'string') return withoutZero(value);
  return value instanceof Uint8Array ? bufferOf(value) : value;
}

const bufferOf = (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

/** PostgreSQL texts cannot contain the character 0. */
const withoutZero = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

/** Splits rows into portions in which no two rows change the same row; the later one goes into a later portion. */
export function portions(
  rows: Iterable<readonly SqlValue[]>,
  changes: readonly number[] | undefined,
): readonly (readonly (readonly SqlValue[])[])[] {
  if (changes === undefined) return [[...rows]];
  const made: (readonly SqlValue[])[][] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(changes.map((at) => row[at]));
    const turn = seen.get(key) ?? 0;
    seen.set(key, turn + 1);
    const portion = made[turn];
    if (portion === undefined) made.push([row]);
    else portion.push(row);
  }
  return made;
}

function typeOf(value: SqlValue | undefined): string {
  if (typeof value === 'number') return Number.isInteger(value) ? '::bigint' : '::float8';
  if (typeof value === 'bigint') return '::bigint';
  if (typeof value === 'string') return '::text';
  return value instanceof Uint8Array ? '::bytea' : '';
}
