import { join } from 'node:path';
import type { Caller } from '../../contract/caller.ts';
import { type Page, page } from '../../contract/operation.ts';
import type { SourceTree } from '../files/source-tree.ts';
import type { SemanticResult } from '../semantic.ts';
import type { DefinitionHit } from './definition-hits.ts';
import { narrowPaths } from './narrow-paths.ts';
import { rootFor } from './search-input.ts';
import { BEST_HITS, type SemanticInput, type SemanticMatches, type SemanticRow } from './semantic-input.ts';

/** What a search found in one folder or file. */
export interface OneSemanticSearch extends Pick<SemanticResult, 'plan' | 'index'> {
  readonly indexing?: SemanticResult['indexing'] | undefined;
  readonly tree: SourceTree;
  readonly below: string;
  readonly hits: readonly DefinitionHit[];
  readonly rows: AsyncGenerator<SemanticRow>;
  /** What to say about the rows, or why no rows were found. */
  readonly note: (found: boolean) => string | undefined;
}

/** A row of one of several searches. */
interface RowOf {
  readonly of: number;
  readonly row: SemanticRow;
}

/** One answer to a search in several places, the best first, wherever it is. */
export function severalPage(
  searches: readonly OneSemanticSearch[],
  input: Pick<SemanticInput, 'include_snippet'>,
  caller: Pick<Caller, 'cwd' | 'door'>,
  ms: number,
): Page<never, SemanticMatches> {
  const treeOf = (of: number): string => searches[of]?.tree.root ?? '';
  const notes = (found: boolean) => [...new Set(searches.flatMap(({ note }) => note(found) ?? []))].join(' ');
  const least = searches.find(({ indexing }) => indexing !== undefined) ?? searches[0];
  return page<RowOf, SemanticMatches>({
    rows: bestFirst(searches, input.include_snippet === undefined ? BEST_HITS : Number.POSITIVE_INFINITY),
    position: ({ row }) => [row.path, row.line_start],
    shape: (rows) => ({
      note: notes(rows.length > 0) || undefined,
      // Paths start from the caller's folder, because the trees may be different ones.
      matches: rows.map(({ of, row }) => ({
        ...row,
        path: join(rootFor(treeOf(of), caller) ?? '', row.path),
      })),
    }),
    meta: { ms, index: least?.index, indexing: least?.indexing },
    ...(searches.some(({ hits }) => hits.length > 0) && {
      keep: { narrow: ({ of, row }, filters) => narrowPaths(filters, treeOf(of))(row.path) },
    }),
    explain: () => ({ searches: searches.map(({ tree, plan }) => ({ root: tree.root, ...plan })) }),
  });
}

/** Rows by their scores; a place that is in two of the folders comes once. */
async function* bestFirst(searches: readonly OneSemanticSearch[], withText: number): AsyncGenerator<RowOf> {
  const open = searches.map(({ rows, tree }, of) => ({ of, rows, root: tree.root, next: rows.next() }));
  const shown = new Set<string>();
  for (;;) {
    const heads = await Promise.all(
      open.map(async ({ next }) => {
        const step = await next;
        return step.done === true ? undefined : step.value;
      }),
    );
    const best = heads.reduce<number>(
      (most, row, of) => (row !== undefined && row.score > (heads[most]?.score ?? -1) ? of : most),
      -1,
    );
    const [row, from] = [heads[best], open[best]];
    if (row === undefined || from === undefined) return;
    from.next = from.rows.next();
    const key = `${from.root}/${row.path}:${row.line_start}`;
    if (shown.has(key)) continue;
    shown.add(key);
    const { text, text_start, ...place } = row;
    yield { of: from.of, row: shown.size > withText ? place : row };
  }
}
