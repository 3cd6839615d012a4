import { errorText } from '../../contract/errors.ts';
import type { SqlTable } from '../../store/sql-table.ts';
import type { Token } from '../statement.ts';
import { QueryMistake } from './query-mistake.ts';

/** The first thing the authorizer refused. */
export interface Denied {
  readonly why: 'table' | 'function' | 'write';
  readonly name: string;
}

export interface Mistaken {
  readonly query: string;
  readonly tokens: readonly Token[];
  readonly denied: Denied | undefined;
  readonly tables: readonly SqlTable[];
  /** Functions in addition to SQLite's own. */
  readonly functions: readonly string[];
}

/** An error from SQLite in our words: what is wrong, then what would be right. */
export function explainMistake(error: unknown, mistaken: Mistaken): QueryMistake {
  return new QueryMistake(explained(errorText(error), mistaken));
}

function explained(message: string, mistaken: Mistaken): string {
  const { denied, functions } = mistaken;
  if (denied?.why === 'write') return 'sql is read-only. Write one SELECT.';
  if (denied?.why === 'table') return noTable(denied.name, mistaken);
  if (denied?.why === 'function') return noFunction(denied.name, functions);
  const [, table] = /^no such table: (.+)$/.exec(message) ?? [];
  if (table !== undefined) return noTable(table, mistaken);
  const [, column] = /^no such column: (.+?)(?: - should this be a string literal.*)?$/.exec(message) ?? [];
  if (column !== undefined) return noColumn(column, mistaken);
  const [, ambiguous] = /^ambiguous column name: (.+)$/.exec(message) ?? [];
  if (ambiguous !== undefined)
    return `Column '${ambiguous}' is in several tables here. Write TABLE.${ambiguous}.`;
  const [, called] = /^no such function: (.+)$/.exec(message) ?? [];
  if (called !== undefined) return noFunction(called, functions);
  const [, near] = /^near "(.*)": syntax error$/s.exec(message) ?? [];
  if (near !== undefined) return `Syntax error ${placeOf(near, mistaken)}.`;
  if (message === 'incomplete input') return 'The query ends too early: something is missing at its end.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function noTable(name: string, { tables }: Mistaken): string {
  const [last = name] = name.split('.').slice(-1);
  const names = byLikeness(
    last,
    tables.map((table) => table.name),
  );
  const [nearest] = names;
  const columns = Object.keys(tables.find((table) => table.name === nearest)?.columns ?? {});
  return `No table '${name}'. Tables: ${names.join(', ')}. ${nearest}: ${columns.join(', ')}.`;
}

function noColumn(name: string, { tokens, tables }: Mistaken): string {
  if (name.startsWith('"')) return `No column ${name}. Write text in single quotes: '${name.slice(1, -1)}'.`;
  const [column = name] = name.split('.').slice(-1);
  const read = new Set(
    tokens.flatMap(({ value }, i) =>
      /^(?:from|join|,)$/i.test(tokens[i - 1]?.value ?? '') ? [value.toLowerCase()] : [],
    ),
  );
  const used = tables.filter((table) => read.has(table.name));
  const holders = tables.filter((table) => column in table.columns && !used.includes(table));
  const hints = [
    ...used.map((table) => `${table.name}: ${byLikeness(column, Object.keys(table.columns)).join(', ')}.`),
    ...(holders.length > 0 ? [`It is in ${holders.map((table) => table.name).join(', ')}.`] : []),
  ];
  return [`No column '${name}'.`, ...hints].join(' ');
}

function noFunction(name: string, functions: readonly string[]): string {
  return `No function '${name}'. SQLite's text, number, date, JSON and window functions are available, and so are ${functions.join(', ')}.`;
}

/** The location of a word that the parser failed on; exact if the word occurs only once. */
function placeOf(near: string, { query, tokens }: Mistaken): string {
  const places = tokens.filter(({ at }) => query.startsWith(near, at));
  const [only, ...others] = places;
  if (only === undefined || others.length > 0) return `near '${near}'`;
  const before = query.slice(Math.max(0, only.at - 24), only.at).replace(/\s+/g, ' ');
  return `near '${near}' (character ${only.at + 1}), after '${before.trim()}'`;
}

/** Names sorted by similarity to another. */
function byLikeness(wanted: string, names: readonly string[]): string[] {
  const word = wanted.toLowerCase();
  const score = (name: string) =>
    ((word.length > 3 && name.includes(word)) || word.includes(name) ? -3 : 0) +
    distance(word, name) / Math.max(word.length, 1);
  return [...names].sort((a, b) => score(a) - score(b));
}

/** How many letters differ. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
