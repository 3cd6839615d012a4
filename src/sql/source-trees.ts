import { basename } from 'node:path';
import type { Code } from '../code/code.ts';
import { countOf } from '../contract/format.ts';
import type { SqlDatabase } from '../store/sql-table.ts';
import type { SqlContext } from './services.ts';
import { namedFolders } from './statement.ts';

/** SQLite attaches ten files; two of them are the indexes of sessions and commits. */
const MAX_TREES = 8;
const MAX_NAMED_TREES = 5;

export interface SourceTrees {
  readonly databases: readonly SqlDatabase[];
  readonly notes: readonly string[];
}

/**
 * The databases of the source trees that statements can read: first those that their texts name, then those around the
 * caller.
 */
export async function sourceTrees(
  code: Code,
  statements: readonly (readonly string[])[],
  ctx: SqlContext,
  signal: AbortSignal,
): Promise<SourceTrees> {
  const here = await ctx.roots.resolve(ctx.caller.cwd ?? '.').catch(() => undefined);
  const roots = [...new Set([...(here === undefined ? [] : [here]), ...ctx.roots.folders])];
  const found = await code.symbols.databases(roots, signal, namedFolders(statements.flat()));
  const { chosen, left } = chooseTrees(found, statements, MAX_TREES);
  return {
    databases: chosen,
    notes: [...chosen.flatMap(({ incomplete }) => incomplete ?? []), ...leftOut(left)],
  };
}

/**
 * Puts the trees that texts name first and otherwise keeps the order. `left` are trees that a statement may mean but
 * does not get; if every statement names its trees by path, only named ones count.
 */
export function chooseTrees(
  found: readonly SqlDatabase[],
  statements: readonly (readonly string[])[],
  most: number,
) {
  const wanted = statements.flat().map(withoutWildcards);
  const isNamed = ({ root }: SqlDatabase) =>
    root !== undefined && wanted.some((text) => text.length > 1 && mayName(text, root));
  const named = found.filter(isNamed);
  const ordered = [...named, ...found.filter((database) => !isNamed(database))];
  const namesAll = statements.every((texts) =>
    found.some(({ root }) => root !== undefined && texts.some((text) => isIn(withoutWildcards(text), root))),
  );
  return { chosen: ordered.slice(0, most), left: (namesAll ? named : ordered).slice(most) };
}

function withoutWildcards(text: string): string {
  return text.replaceAll('%', '');
}

function mayName(text: string, root: string): boolean {
  return text.startsWith(root) || root.endsWith(text) || text.includes(`/${basename(root)}/`);
}

/** Whether a text is the path of a tree, or a path in it. A mere name could mean something else. */
function isIn(text: string, root: string): boolean {
  return text === root || text.startsWith(`${root}/`);
}

function leftOut(left: readonly SqlDatabase[]): string[] {
  if (left.length === 0) return [];
  const names = left.slice(0, MAX_NAMED_TREES).flatMap(({ root }) => root ?? []);
  const others = left.length - names.length;
  const more = others > 0 ? ` and ${countOf(others, 'other tree')}` : '';
  return [`Not in this answer: ${names.join(', ')}${more}. A query with repo = 'FOLDER' reads that tree.`];
}
