import type { Token } from './statement.ts';
import { TABLES } from './subjects.ts';

/** The values of columns that have a fixed set, by `table.column`. */
export const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  TABLES.flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([column, { values }]) =>
      values === undefined ? [] : [[`${name}.${column}`, values]],
    ),
  ),
);

/** Notes on comparisons that are never true, because the column has no such value. */
export function impossibleValues(
  tokens: readonly Token[],
  reads: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const notes = tokens.flatMap(({ kind, value }, at) => {
    const column = value.toLowerCase();
    const holders = Object.keys(reads).filter((table) => reads[table]?.includes(column));
    const [table, ...others] = holders;
    if (table === 'files' && column === 'ext' && others.length === 0)
      return textsAfter(tokens, at).flatMap((text) =>
        text.startsWith('.') && text !== '.' ? [`files.ext has no dot: '${text.slice(1, 40)}'.`] : [],
      );
    const values = KNOWN_VALUES[`${table}.${column}`];
    // With several tables, it is not obvious which one is meant.
    if ((kind !== 'word' && kind !== 'name') || values === undefined || others.length > 0) return [];
    return textsAfter(tokens, at)
      .filter((text) => !values.includes(text))
      .map((text) => `${table}.${column} is never '${text.slice(0, 40)}', but one of ${values.join(', ')}.`);
  });
  return [...new Set(notes)];
}

/** The texts a column is compared with: `= 'a'`, `in ('a', 'b')`. */
function textsAfter(tokens: readonly Token[], at: number): readonly string[] {
  const [operator, next] = tokens.slice(at + 1, at + 3);
  if (operator?.value === '=') return next?.kind === 'text' ? [next.value] : [];
  if (operator?.value.toLowerCase() !== 'in' || next?.value !== '(') return [];
  const list = tokens.slice(at + 3);
  const end = list.findIndex(({ kind, value }) => kind === 'other' && value === ')');
  const values = list.slice(0, end).filter(({ value }) => value !== ',');
  return values.every(({ kind }) => kind === 'text') ? values.map(({ value }) => value) : [];
}
