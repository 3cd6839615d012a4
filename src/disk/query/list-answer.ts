import { uint32At } from '../../contract/at.ts';
import { fail, inputMessage } from '../../contract/errors.ts';
import { page } from '../../contract/operation.ts';
import { queryHandle, selectionHandle } from '../handles.ts';
import { selectionLinks } from '../operations/selection-card.ts';
import { requireFreeName } from '../operations/visible.ts';
import type { Mode, SavedQuery } from '../saved-queries.ts';
import type { DiskContext } from '../services.ts';
import { type ListedMatch, type MatchSort, matchList, type PartMatches } from './match-list.ts';
import type { QueryAnswer } from './query-answer.ts';
import { mayRecordRun, storeResult } from './query-store.ts';
import { headOf, metaOf, type Query } from './running-query.ts';
import { whyNothing } from './why-nothing.ts';

/** Where the result of a query is kept. */
export interface Storing {
  readonly saveAs: string | undefined;
  readonly saved: SavedQuery | undefined;
  readonly into: string | undefined;
  readonly mode: Mode;
}

/** The matches of a query, and its selection if the caller wants one. */
export async function listAnswer(
  query: Query,
  sort: MatchSort,
  storing: Storing | undefined,
  ctx: DiskContext,
) {
  const { filter, parts } = query;
  const found: PartMatches[] = [];
  const plans: (readonly string[])[] = [];
  let truncated = false;
  for (const part of parts) {
    const { open, span, base } = part;
    const one = await ctx.disk.filters.find(open, { ...span, base }, filter, ctx.signal);
    found.push({ part, rows: one.rows });
    plans.push(one.plan);
    truncated ||= one.truncated;
  }
  const { rows, total, matches, sizes, overlap } = matchList(found, sort, ctx);
  const ms = Math.round(performance.now() - query.started);
  const kept =
    storing === undefined ? undefined : await keep(filter, found, storing, { size: total.size, ms }, ctx);
  const note = matches === 0 ? await whyNothing(ctx, parts, filter) : undefined;
  const head = { ...kept, ...headOf(query, ctx.now(), note) };
  return page<ListedMatch, QueryAnswer>({
    rows,
    position: ({ place }) => place,
    total: matches,
    keep: {},
    shape: (shown) => {
      const last = shown.at(-1);
      const left = matches - (last === undefined ? 0 : last.place + 1);
      return {
        ...head,
        counts: { matches, files: total.files, dirs: total.dirs },
        total_size: total.size,
        total_disk_size: total.disk_size,
        sorted_by: sort === 'size' ? undefined : sort,
        report: shown.map(({ match, index_id }) => (parts.length > 1 ? { ...match, index_id } : match)),
        rest: left > 0 ? { nodes: left, size: Math.max(0, sizes - (last?.sizes ?? 0)) } : undefined,
        overlap,
      };
    },
    meta: metaOf(query, ctx.now(), truncated),
    ...(kept === undefined ? {} : selectionLinks(ctx, kept.selection_id)),
    explain: () => ({
      filter,
      steps: plans[0] ?? [],
      rows: parts.reduce((sum, { span }) => sum + span.to - span.from + 1, 0),
      matches,
      ms,
    }),
  });
}

/** Stores the matches as a selection and, with a name or for a saved query, the run of the query. */
async function keep(
  filter: unknown,
  found: readonly PartMatches[],
  { saveAs, saved, into, mode }: Storing,
  { size, ms }: { readonly size: number; readonly ms: number },
  ctx: DiskContext,
) {
  const { disk } = ctx;
  const [first, ...others] = found;
  const open = first?.part.open;
  if (open === undefined || others.some(({ part }) => part.open.row.id !== open.row.id))
    fail(
      'conflict',
      inputMessage`A selection has nodes of one index only. Choose one with ${{ input: 'path' }} or ${{ input: 'index_id' }}.`,
    );
  const { tree } = open;
  const index = open.row.id;
  if (saveAs !== undefined) await requireFreeName(ctx, saveAs);
  const query = saveAs ? await disk.queries.save({ name: saveAs, filter, index, mode }) : saved;
  const ids = found.flatMap(({ rows }) => Array.from(rows, (row) => uint32At(tree.id, row)));
  const stored = await storeResult(ctx, { into, query, mode, index, ids, tree });
  if (query !== undefined && (await mayRecordRun(ctx, query, stored))) {
    const { generation } = tree.meta;
    await disk.queries.recordRun(query, {
      index,
      generation,
      selection: stored.id,
      matches: ids.length,
      size,
      ms,
    });
  }
  return { query_id: query && queryHandle(query.id), selection_id: selectionHandle(stored.id) };
}
