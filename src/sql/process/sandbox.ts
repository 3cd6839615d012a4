import { constants, DatabaseSync } from '@photostructure/sqlite';
import type { SqlTable } from '../../store/sql-table.ts';
import type { Look } from '../query-messages.ts';
import { notOneSelect, type Token, tokensOf, withQuotedNames } from '../statement.ts';
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS } from './allowed-functions.ts';
import { type Denied, explainMistake } from './explain-mistake.ts';
import { QueryMistake } from './query-mistake.ts';

const MAX_QUERY_LENGTH = 20_000;

/** Limits for queries; the rest of the process has larger ones for its own statements. */
const LIMITS = {
  length: 10_000_000,
  sqlLength: MAX_QUERY_LENGTH,
  column: 200,
  exprDepth: 100,
  compoundSelect: 50,
  functionArg: 50,
  likePatternLength: 1_000,
  variableNumber: 1,
  vdbeOp: 100_000,
  attach: 0,
};

/** Compiles queries without running them. */
export interface Sandbox {
  /** What the query reads, and the form in which it runs; throws a {@link QueryMistake}. */
  look(query: string): Look & { readonly runnable: string };
}

/**
 * A database in memory that has only the promised tables, all of them empty. A query that compiles here names no other
 * table, whatever else is attached where it runs. SQLite's authorizer alone could not tell: for a table inside `WITH
 * calls AS (…)` it reports the same context as for one inside the view `calls`.
 */
export function createSandbox(tables: readonly SqlTable[], functions: readonly string[]): Sandbox {
  const db = new DatabaseSync(':memory:', { limits: LIMITS, defensive: true });
  for (const { name, columns } of tables) {
    const list = Object.entries(columns).map(([column, { type }]) => `"${column}" ${type}`);
    db.exec(`CREATE TEMP TABLE "${name}" (${list.join(', ')})`);
  }
  for (const name of functions) db.function(name, { varargs: true }, () => null);
  const modules = new Set(
    db
      .prepare('SELECT name FROM pragma_module_list')
      .all()
      .map(({ name }: { name: string }) => name.toLowerCase()),
  );
  const isBuiltIn = (table: string) => /^(?:pragma|sqlite)_/.test(table) || modules.has(table);
  const promised = new Set([...tables.map(({ name }) => name), ...ALLOWED_TABLE_FUNCTIONS]);
  const callable = new Set([...ALLOWED_FUNCTIONS, ...functions]);

  let reads = new Map<string, Set<string>>();
  let denied: Denied | undefined;
  db.setAuthorizer((action, first, second, schema) => {
    const deny = (why: Denied['why'], name: string | null) => {
      denied ??= { why, name: name ?? '' };
      return constants.SQLITE_DENY;
    };
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return constants.SQLITE_OK;
      case constants.SQLITE_FUNCTION:
        return callable.has(second?.toLowerCase() ?? '') ? constants.SQLITE_OK : deny('function', second);
      case constants.SQLITE_READ: {
        const table = first?.toLowerCase() ?? '';
        // For `count(*)` over a WITH or a subquery, SQLite reports its name without a schema.
        if (schema === null && second === '' && !promised.has(table) && !isBuiltIn(table))
          return constants.SQLITE_OK;
        if (!promised.has(table)) return deny('table', first);
        const columns = reads.get(table) ?? new Set();
        reads.set(table, second ? columns.add(second.toLowerCase()) : columns);
        return constants.SQLITE_OK;
      }
      case constants.SQLITE_PRAGMA:
        return deny('table', `pragma_${first ?? ''}`);
      default:
        return deny('write', null);
    }
  });

  return {
    look(query) {
      const tokens = tokensOf(query);
      const wrong = notOneSelect(tokens);
      if (wrong !== undefined) throw new QueryMistake(wrong);
      const runnable = withQuotedNames(query, tokens);
      reads = new Map();
      denied = undefined;
      try {
        db.prepare(runnable);
      } catch (error) {
        throw explainMistake(error, { query, tokens, denied, tables, functions });
      }
      for (const [table, columns] of joinedTables(tokens, tables))
        reads.set(table, new Set([...(reads.get(table) ?? []), ...columns]));
      return {
        runnable,
        reads: Object.fromEntries([...reads].map(([table, columns]) => [table, [...columns]])),
      };
    },
  };
}

/** Columns of tables joined with USING or NATURAL: SQLite does not report all that are read. */
function joinedTables(
  tokens: readonly Token[],
  tables: readonly SqlTable[],
): readonly (readonly [table: string, columns: readonly string[]])[] {
  const words = tokens.map(({ kind, value }) => (kind === 'text' ? '' : value.toLowerCase()));
  if (!words.includes('using') && !words.includes('natural')) return [];
  const used = new Set(words);
  return tables
    .filter(({ name }) =>
      words.some((word, at) => word === name && /^(?:from|join|,|\()$/.test(words[at - 1] ?? '')),
    )
    .map(({ name, columns }) => [name, Object.keys(columns).filter((column) => used.has(column))]);
}
