import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { localMinute } from '../../contract/zone.ts';
import { pageLinks } from '../../page/page-links.ts';
import { selectionHandle } from '../handles.ts';
import type { DiskServices } from '../services.ts';
import { GLANCE_BYTES } from './glance.ts';
import { query_id } from './input-fields.ts';
import { queryCard, queryCardSchema, queryText } from './query-card.ts';
import { visibleQuery } from './visible.ts';

const querySchema = queryCardSchema.omit({ filter_summary: true }).extend({
  filter: z.unknown(),
  runs: z
    .array(
      z.object({
        executed_at: z.string(),
        generation: z.int(),
        selection_id: z.string(),
        matches: z.int(),
        size: z.int(),
        ms: z.number(),
      }),
    )
    .describe('the latest runs first'),
});

const MAX_RUNS = 10;

export const queryGet = operation<DiskServices>()({
  name: 'query_get',
  toolset: 'disk',
  readOnly: true,
  summary: 'A saved query: its filter in full and its latest runs.',
  input: z.strictObject({ query_id }),
  glance: GLANCE_BYTES,
  data: querySchema,
  rows: 'runs',
  aliases: { id: 'query_id' },
  http: 'GET /api/queries/{query_id}',
  command: {
    words: 'disk query show',
    positional: ['query_id'],
    examples: ['pinhole disk query show q2', 'pinhole disk query show large'],
  },

  async run({ query_id }, ctx) {
    const { disk, url } = ctx;
    const query = await visibleQuery(ctx, query_id);
    const { filter_summary, ...card } = queryCard(query);
    const runs = (await disk.queries.runs(query, MAX_RUNS)).map((run) => ({
      executed_at: new Date(run.at).toISOString(),
      generation: run.generation,
      selection_id: selectionHandle(run.selection),
      matches: run.matches,
      size: run.size,
      ms: run.ms,
    }));
    return single<ReadonlyData<typeof querySchema>>(
      { ...card, filter: query.filter, runs },
      {
        link: url(pageLinks.query(card.query_id)),
        links: { run: url(`/api/queries/${card.query_id}/run`) },
      },
    );
  },

  text: ({ filter, runs, ...card }, style) =>
    [
      queryText({ ...card, filter_summary: JSON.stringify(filter) }, style),
      ...runs.map(
        (run) =>
          `  ${localMinute(run.executed_at, style.zone)}  ${countOf(run.matches, 'match', 'matches')}  ${run.selection_id}`,
      ),
    ].join('\n'),
});
