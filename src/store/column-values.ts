import type { SqlValue } from './database.ts';

/** Reads a JSON column that this program wrote; undefined for an empty one. */
export function parseJson<T>(value: SqlValue | undefined): T | undefined {
  // The type is what was written: only our own code fills these columns.
  return typeof value === 'string' && value !== '' ? (JSON.parse(value) as T) : undefined;
}

/** The number in a column, or undefined if it is empty. */
export function optionalNumber(value: SqlValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

/** The text in a column, or undefined if it is empty. */
export function optionalText(value: SqlValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
