import { z } from 'zod';
import { fail, PinholeError } from '../../contract/errors.ts';
import { countOf, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { indexHandle, queryHandle, setHandle } from '../handles.ts';
import { ageOf } from '../indexes/freshness.ts';
import { visibleSpan } from '../indexes/index-access.ts';
import { MODES, type Mode, type SavedQuery } from '../saved-queries.ts';
import type { ResourceSet } from '../sets.ts';
import { rowsOfIds, selectionTotal, spansOf } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { chooseIndex, type DiskContext, type DiskServices } from './choose.ts';
import { nameIsFree, visibleQuery, visibleSet } from './kept.ts';
import { MOST_SAMPLED, type Sampled, sampled, sampleLines } from './sample.ts';
import { setExtras } from './set-card.ts';

interface QueryResult {
  readonly query_id?: string | undefined;
  readonly selection_id: string;
  readonly index_id: string;
  readonly counts: { readonly matches: number; readonly files: number; readonly dirs: number };
  readonly total_size: number;
  readonly total_disk_size: number;
  /** The largest matches; with the rest, less what lies in several of them, they are the total size. */
  readonly report: Sampled['rows'];
  readonly rest?: Sampled['rest'];
  readonly overlap?: Sampled['overlap'];
}

export const queryRunInput = z.strictObject({
  filter: z.unknown().optional(),
  query_id: z.string().max(20).optional(),
  save_as: z.string().min(1).max(100).optional(),
  index_id: z.string().max(20).optional(),
  into: z.string().max(20).optional(),
  mode: z.enum(MODES).optional(),
  limit: z.int().min(1).max(MOST_SAMPLED).optional(),
});

export const queryRun = operation<DiskServices>()({
  name: 'query_run',
  toolset: 'disk',
  readOnly: false,
  explains: true,
  summary: "Find nodes: {name:'*.log',size:'>1GB',modified:'>30d'}; any, all, not, ext, kind.",
  input: queryRunInput,
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
    const given = input.query_id === undefined ? undefined : await visibleQuery(ctx, input.query_id);
    const filter = input.filter ?? given?.filter;
    if (filter === undefined)
      fail('invalid_parameter', "filter or query_id is needed, e.g. filter={size:'>1GB'}.");
    disk.filters.check(filter);
    const asked = input.index_id ?? (given?.index === undefined ? undefined : indexHandle(given.index));
    const open = await chooseIndex(ctx, asked, undefined);
    const { tree, row } = open;
    const span = visibleSpan(tree, ctx.roots);
    const found = await disk.filters.find(open, span, filter, signal);
    const mode = input.mode ?? given?.mode ?? 'replace';
    if (input.save_as !== undefined) await nameIsFree(ctx, input.save_as);
    const query = input.save_as
      ? await disk.queries.save({ name: input.save_as, filter, index: row.id, mode })
      : given;
    const ids = Array.from(found.rows, (at) => tree.id[at] ?? 0);
    const set = await intoSet(ctx, input.into, query, mode, row.id, ids, tree);
    const total = selectionTotal(tree, spansOf(tree, found.rows));
    // A run by someone who may not see the query's set goes elsewhere, and is not the query's.
    if (
      query !== undefined &&
      (query.set === undefined || query.set === set.id || (await ownsSet(ctx, query.set)))
    ) {
      await disk.queries.recordRun(query, {
        index: row.id,
        generation: tree.meta.generation,
        set: set.id,
        matches: ids.length,
        size: total.size,
        ms: found.ms,
      });
    }
    const selection = setHandle(set.id);
    const largest = sampled(ctx, tree, found.rows, total.size, input.limit);
    return single<QueryResult>(
      {
        query_id: query && queryHandle(query.id),
        selection_id: selection,
        index_id: indexHandle(row.id),
        counts: { matches: ids.length, files: total.files, dirs: total.dirs },
        total_size: total.size,
        total_disk_size: total.disk_size,
        report: largest.rows,
        rest: largest.rest,
        overlap: largest.overlap,
      },
      {
        ...setExtras(ctx, selection),
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

async function ownsSet(ctx: DiskContext, set: number): Promise<boolean> {
  return visibleSet(ctx, setHandle(set)).then(
    () => true,
    (error: unknown) => !(error instanceof PinholeError && error.code === 'path_not_allowed'),
  );
}

/** The set that holds the result: the one asked for, the query's own, or a new one. */
async function intoSet(
  ctx: DiskContext,
  into: string | undefined,
  query: SavedQuery | undefined,
  mode: Mode,
  index: number,
  ids: readonly number[],
  tree: Tree,
): Promise<ResourceSet> {
  const { disk } = ctx;
  const own = into ?? (query?.set === undefined ? undefined : setHandle(query.set));
  const set =
    own === undefined
      ? undefined
      : await visibleSet(ctx, own).catch((error: unknown) => {
          // The query's own set may be deleted, or not for this caller; one that was asked for must be there.
          if (into !== undefined) throw error;
          return undefined;
        });
  if (set === undefined || (into === undefined && set.index !== index)) {
    return disk.sets.create(query?.name ?? 'result', { index, tree }, ids, query !== undefined);
  }
  if (set.index !== index)
    fail('conflict', `${own} belongs to index ${indexHandle(set.index)}; a set has nodes of one index.`);
  if (mode === 'replace') return disk.sets.replace(set, tree, ids);
  if (mode === 'append') return disk.sets.replace(set, tree, [...set.nodes, ...ids]);
  const rows = rowsOfIds(tree, set.nodes);
  return disk.sets.replace(set, tree, [...set.nodes.filter((_, i) => (rows[i] ?? -1) >= 0), ...ids]);
}
