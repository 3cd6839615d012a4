import { z } from 'zod';
import { at, uint32At } from '../../contract/at.ts';
import { fail, PinholeError } from '../../contract/errors.ts';
import { countOf, sizeText } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { callQueryRun } from '../calls.ts';
import { indexHandle, queryHandle, selectionHandle } from '../handles.ts';
import { ageOf } from '../indexes/freshness.ts';
import { visibleSpan } from '../indexes/index-access.ts';
import { MODES, type Mode, type SavedQuery } from '../saved-queries.ts';
import type { Selection } from '../selections.ts';
import type { DiskContext, DiskServices } from '../services.ts';
import { rowsOfIds, selectionTotal, spansOf } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { chooseIndex } from './chosen-index.ts';
import { dirs, files } from './data-fields.ts';
import { GLANCE_BYTES } from './glance.ts';
import { chosen_index_id, filter, query_id, selection_id } from './input-fields.ts';
import { MAX_SAMPLED, sampled, sampleLines, sampleRestFields, sampleRowsSchema } from './node-sample.ts';
import { selectionLinks } from './selection-card.ts';
import { requireFreeName, visibleQuery, visibleSelection } from './visible.ts';

const resultSchema = z.object({
  query_id: z.string().optional(),
  selection_id: z.string(),
  index_id: z.string(),
  counts: z.object({ matches: z.int(), files, dirs }),
  total_size: z.int(),
  total_disk_size: z.int(),
  report: sampleRowsSchema.describe('the largest matches'),
  ...sampleRestFields,
});

export const queryRunInput = z.strictObject({
  filter: filter.describe(
    'what to find, as JSON: {"name":"*.log","size":">1GB","modified":">30d"}; combine with any, all, not',
  ),
  query_id: query_id.optional().describe('run this saved query, e.g. q2'),
  save_as: z.string().min(1).max(100).optional().describe('save the filter as a query with this name'),
  index_id: chosen_index_id,
  into: selection_id.optional().describe('the selection to store the result in, e.g. s5'),
  mode: z.enum(MODES).optional().describe('how to combine the result with an existing selection'),
  limit: z.int().min(1).max(MAX_SAMPLED).optional().describe('how many of the largest matches to list'),
});

export const queryRun = operation<DiskServices>()({
  name: 'query_run',
  toolset: 'disk',
  readOnly: false,
  explains: true,
  summary: "Find nodes: {name:'*.log',size:'>1GB',modified:'>30d'}; any, all, not, ext, kind.",
  input: queryRunInput,
  glance: GLANCE_BYTES,
  data: resultSchema,
  unlisted: ['limit'],
  aliases: { selection_id: 'into', name: 'save_as' },
  http: ['POST /api/queries', 'POST /api/queries/{query_id}/run'],
  command: {
    words: 'disk query',
    positional: ['query_id'],
    examples: ['pinhole disk query q2', `pinhole disk query --filter '{"size":">1GB"}' --save-as big`],
  },

  async run(input, ctx) {
    const { disk, signal } = ctx;
    const saved = input.query_id === undefined ? undefined : await visibleQuery(ctx, input.query_id);
    const filter = input.filter ?? saved?.filter;
    if (filter === undefined)
      fail('invalid_parameter', 'Give a filter or a query_id.', {
        next: callQueryRun({ filter: { size: '>1GB' } }),
      });
    disk.filters.check(filter);
    const indexId = input.index_id ?? (saved?.index === undefined ? undefined : indexHandle(saved.index));
    const open = await chooseIndex(ctx, indexId, undefined);
    const { tree, row } = open;
    const span = visibleSpan(tree, ctx.roots);
    const found = await disk.filters.find(open, span, filter, signal);
    const mode = input.mode ?? saved?.mode ?? 'replace';
    if (input.save_as !== undefined) await requireFreeName(ctx, input.save_as);
    const query = input.save_as
      ? await disk.queries.save({ name: input.save_as, filter, index: row.id, mode })
      : saved;
    const ids = Array.from(found.rows, (row) => uint32At(tree.id, row));
    const stored = await storeResult(ctx, { into: input.into, query, mode, index: row.id, ids, tree });
    const total = selectionTotal(tree, spansOf(tree, found.rows));
    // A caller who may not see the query's selection got another one, so this was no run of the query itself.
    if (query !== undefined && (await mayRecordRun(ctx, query, stored))) {
      await disk.queries.recordRun(query, {
        index: row.id,
        generation: tree.meta.generation,
        selection: stored.id,
        matches: ids.length,
        size: total.size,
        ms: found.ms,
      });
    }
    const selection_id = selectionHandle(stored.id);
    const largest = sampled(ctx, tree, found.rows, total.size, input.limit);
    return single<ReadonlyData<typeof resultSchema>>(
      {
        query_id: query && queryHandle(query.id),
        selection_id,
        index_id: indexHandle(row.id),
        counts: { matches: ids.length, files: total.files, dirs: total.dirs },
        total_size: total.size,
        total_disk_size: total.disk_size,
        report: largest.rows,
        rest: largest.rest,
        overlap: largest.overlap,
      },
      {
        ...selectionLinks(ctx, selection_id),
        meta: { ms: found.ms, ...ageOf(open, ctx.now()) },
        explain: () => ({
          filter,
          steps: found.plan,
          rows: span.to - span.from + 1,
          matches: ids.length,
          ms: found.ms,
        }),
      },
    );
  },

  text({ query_id, selection_id, counts, total_size, total_disk_size, report, rest, overlap }, style) {
    const { units } = style;
    const head = `${selection_id}${query_id ? ` (${query_id})` : ''}  ${countOf(counts.matches, 'match', 'matches')}  ${sizeText(total_size, units)}, ${sizeText(total_disk_size, units)} on disk`;
    return [head, ...sampleLines({ rows: report, rest, overlap }, style)].join('\n');
  },
});

async function mayRecordRun(ctx: DiskContext, query: SavedQuery, stored: Selection): Promise<boolean> {
  if (query.selection === undefined || query.selection === stored.id) return true;
  return visibleSelection(ctx, selectionHandle(query.selection)).then(
    () => true,
    (error: unknown) => !(error instanceof PinholeError && error.code === 'path_not_allowed'),
  );
}

interface QueryResult {
  /** The selection that the caller wants it in. */
  readonly into: string | undefined;
  readonly query: SavedQuery | undefined;
  readonly mode: Mode;
  readonly index: number;
  readonly ids: readonly number[];
  readonly tree: Tree;
}

/** Stores a result in the selection that was asked for, in that of the query, or in a new one. */
async function storeResult(
  ctx: DiskContext,
  { into, query, mode, index, ids, tree }: QueryResult,
): Promise<Selection> {
  const { selections } = ctx.disk;
  const handle = into ?? (query?.selection === undefined ? undefined : selectionHandle(query.selection));
  const known =
    handle === undefined
      ? undefined
      : await visibleSelection(ctx, handle).catch((error: unknown) => {
          // The query's own selection may be deleted or not visible to this caller; one that was named must exist.
          if (into !== undefined) throw error;
          return undefined;
        });
  if (known === undefined || (into === undefined && known.index !== index))
    return selections.create(query?.name ?? 'result', { index, tree }, ids, query !== undefined);
  if (known.index !== index)
    fail(
      'conflict',
      `${handle} belongs to index ${indexHandle(known.index)}. A selection has nodes of one index only.`,
    );
  if (mode === 'replace') return selections.replace(known, tree, ids);
  if (mode === 'append') return selections.replace(known, tree, [...known.nodes, ...ids]);
  const rows = rowsOfIds(tree, known.nodes);
  return selections.replace(known, tree, [...known.nodes.filter((_, i) => at(rows, i) >= 0), ...ids]);
}
