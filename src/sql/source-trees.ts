import { basename } from 'node:path';
import type { Code } from '../code/code.ts';
import { countOf } from '../contract/format.ts';
import type { SqlDatabase } from '../store/sql-table.ts';
import type { SqlContext } from './services.ts';

/** SQLite attaches ten files; two of them are the indexes of sessions and commits. */
const MOST_TREES = 8;
const MOST_NAMED = 5;

export interface SourceTrees {
  readonly databases: readonly SqlDatabase[];
  readonly notes: readonly string[];
}

/** The databases of the source trees that a query can read: those that its texts name first, then those around the caller. */
export async function sourceTrees(
  code: Code,
  texts: readonly string[],
  ctx: SqlContext,
  signal: AbortSignal,
): Promise<SourceTrees> {
  const here = await ctx.roots.resolve(ctx.caller.cwd ?? '.').catch(() => undefined);
  const roots = [...new Set([...(here === undefined ? [] : [here]), ...ctx.roots.folders])];
  const found = await code.symbols.databases(roots, signal);
  const { chosen, left } = chooseTrees(found, texts, MOST_TREES);
  return {
    databases: chosen,
    notes: [...chosen.flatMap(({ incomplete }) => incomplete ?? []), ...leftOut(left)],
  };
}

/** The trees that some texts name come first; otherwise the order stays. */
export function chooseTrees(found: readonly SqlDatabase[], texts: readonly string[], most: number) {
  const wanted = texts.map((text) => text.replaceAll('%', '')).filter((text) => text.length > 1);
  const isNamed = ({ root }: SqlDatabase) =>
    root !== undefined &&
    wanted.some(
      (text) => text.startsWith(root) || root.endsWith(text) || text.includes(`/${basename(root)}/`),
    );
  const ordered = [...found.filter(isNamed), ...found.filter((database) => !isNamed(database))];
  return { chosen: ordered.slice(0, most), left: ordered.slice(most) };
}

function leftOut(left: readonly SqlDatabase[]): string[] {
  if (left.length === 0) return [];
  const names = left.slice(0, MOST_NAMED).flatMap(({ root }) => root ?? []);
  const others = left.length - names.length;
  const more = others > 0 ? ` and ${countOf(others, 'other tree')}` : '';
  return [`Not in this answer: ${names.join(', ')}${more}. A query with repo = 'FOLDER' reads that tree.`];
}
