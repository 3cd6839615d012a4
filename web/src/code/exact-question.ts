import type { InputOf } from '../data/operations.ts';

/** A query that is a single name, not a question. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$.:]{2,}$/u;

/** Asks whether a name is anywhere in a folder; undefined for a query that is not a name. */
export function exactInput(query: string, path: string | undefined): InputOf<'regex_search'> | undefined {
  if (path === undefined || !NAME.test(query)) return undefined;
  return { pattern: query, fixed: true, case: 'insensitive', path, limit: 1 };
}
