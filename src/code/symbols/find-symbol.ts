import { posix } from 'node:path';
import type { Definition } from './file-symbols.ts';
import { isMember, isType } from './resolve/question-files.ts';
import type { SymbolQuestion } from './symbol-question.ts';
import type { SymbolRow } from './symbol-rows.ts';

/** What to look for: a name, perhaps with the names around it, or the definition around a line. */
export type WantedSymbol =
  | { readonly name: string; readonly around: readonly string[] }
  | { readonly path: string; readonly line: number };

/** Reads `Pool.acquire`, `Pool::acquire`, `acquire` or `#acquire`. */
export function parseName(text: string): { readonly name: string; readonly around: readonly string[] } {
  const parts = text
    .trim()
    .replace(/\(\s*\)$/, '')
    .split(/::|->|\.(?!\.)|\//)
    .filter((part) => part !== '');
  const name = parts.at(-1) ?? text;
  return { name, around: parts.slice(0, -1) };
}

/** The definitions that are meant, best first. */
export async function findSymbols(
  { rows, files }: SymbolQuestion,
  wanted: WantedSymbol,
  accept: (path: string) => boolean,
): Promise<readonly SymbolRow[]> {
  if ('line' in wanted) {
    const { definitions } = await files.facts(wanted.path);
    const found = innermost(definitions, wanted.line);
    return found === undefined ? [] : [found];
  }
  const named = (await rows.definitionsNamed(wanted.name)).filter(({ path }) => accept(path));
  // People also ask for private names without their mark.
  const all =
    named.length > 0
      ? named
      : (await rows.definitionsNamed(`#${wanted.name}`)).filter(({ path }) => accept(path));
  return all.filter((row) => isAround(row, wanted.around)).sort((a, b) => rank(a) - rank(b) || compare(a, b));
}

/** The innermost definition around a line; a field or a variable only if the line is its own. */
export function innermost<T extends Definition>(definitions: readonly T[], line: number): T | undefined {
  const around = definitions.filter(({ from, to }) => from <= line && line <= to);
  return around.findLast((each) => isType(each) || isCallable(each) || each.line === line) ?? around.at(-1);
}

/** Names that are similar to one, nearest first. */
export function similarNames(name: string, names: readonly string[], most: number): readonly string[] {
  const lower = name.toLowerCase();
  const bare = lower.replaceAll('_', '');
  const scored: [score: number, name: string][] = [];
  for (const each of names) {
    const other = each.toLowerCase();
    if (other === lower || other.replaceAll('_', '') === bare) scored.push([0, each]);
    else if (lower.length > 3 && (other.includes(lower) || (other.length > 3 && lower.includes(other))))
      scored.push([1 + Math.abs(other.length - lower.length) / 10, each]);
    else if (Math.abs(other.length - lower.length) <= 2) {
      const distance = editDistance(lower, other, 2);
      if (distance <= Math.min(2, lower.length / 3)) scored.push([distance, each]);
    }
  }
  return scored
    .sort(([a, one], [b, two]) => a - b || (one < two ? -1 : 1))
    .slice(0, most)
    .map(([, each]) => each);
}

export function isCallable({ kind }: Pick<Definition, 'kind'>): boolean {
  return (
    kind === 'function' || kind === 'method' || kind === 'macro' || kind === 'class' || kind === 'struct'
  );
}

/** Bodies before prototypes, sources before tests, exported before private, functions and types before the rest. */
function rank(row: SymbolRow): number {
  const { isPrototype, isTest, isExported, kind } = row;
  const value = kind === 'field' || kind === 'variable' || kind === 'constant';
  return (
    (isPrototype && !isMember(row) ? 8 : 0) +
    (isTest ? 16 : 0) +
    (value ? 4 : 0) +
    (isPrototype ? 2 : 0) +
    (isExported ? 0 : 1)
  );
}

function compare(a: SymbolRow, b: SymbolRow): number {
  return (
    a.path.split('/').length - b.path.split('/').length ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line)
  );
}

/** Whether the wanted names are around a definition: its types, modules, file or folders, innermost last. */
function isAround({ scope, path }: SymbolRow, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const scopes = scope === '' ? [] : scope.split('.');
  const places = [...posix.dirname(path).split('/'), posix.parse(path).name, ...scopes];
  let from = places.length;
  for (const part of [...wanted].reverse()) {
    from = places.lastIndexOf(part, from - 1);
    if (from < 0) return false;
  }
  return scopes.length === 0 || scopes.at(-1) === wanted.at(-1) || from >= 0;
}

function editDistance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length] ?? 0;
}
