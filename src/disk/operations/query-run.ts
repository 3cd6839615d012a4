import { z } from 'zod';
import { fail, inputMessage } from '../../contract/errors.ts';
import { operation } from '../../contract/operation.ts';
import { timeOf } from '../../contract/time.ts';
import { callQueryRun } from '../calls.ts';
import { parseSize, SIZE_HELP } from '../filter/size-and-age.ts';
import { indexHandle } from '../handles.ts';
import { listAnswer } from '../query/list-answer.ts';
import { MATCH_SORTS } from '../query/match-list.ts';
import { queryAnswerSchema, queryAnswerText } from '../query/query-answer.ts';
import { queryParts } from '../query/query-parts.ts';
import type { Query } from '../query/running-query.ts';
import { duplicatesAnswer, groupsAnswer, growthAnswer } from '../query/total-answers.ts';
import { MODES } from '../saved-queries.ts';
import type { DiskServices } from '../services.ts';
import { GLANCE_BYTES } from './glance.ts';
import { filter, index_id, query_id, selection_id } from './input-fields.ts';
import { visibleQuery } from './visible.ts';

const GROUPINGS = ['ext', 'folder', 'project', 'owner', 'age', 'duplicates', 'growth'] as const;

const folder = z.string().min(1).max(4096);

export const queryRunInput = z.strictObject({
  filter: filter.describe('what to find, as JSON, e.g. {"kind":"file","size":">5MB","modified":">1y"}'),
  path: folder
    .optional()
    .describe('the folder to look in; indexed if it is not yet (default: all that is indexed)'),
  paths: z.array(folder).min(1).max(20).optional().describe('several such folders'),
  group_by: z
    .enum(GROUPINGS)
    .optional()
    .describe('totals instead of matches; growth: changes since the last index call, or since'),
  depth: z.int().min(0).optional().describe('levels of folders to group by'),
  // Groups show a column `files`.
  sort: z
    .preprocess((given) => (given === 'files' ? 'count' : given), z.enum(MATCH_SORTS).optional())
    .describe('default: size'),
  min_size: z.string().max(40).optional().describe('leave out smaller groups, e.g. 50MB'),
  since: z.string().max(40).optional().describe('for growth: a date or an age, e.g. 2h'),
  query_id: query_id.optional().describe('run this saved query, e.g. q2'),
  save_as: z.string().min(1).max(100).optional().describe('save the filter as a query with this name'),
  select: z.boolean().optional().describe('keep the matches as a selection'),
  index_id: index_id.optional(),
  into: selection_id.optional().describe('the selection to store the result in, e.g. s5'),
  mode: z.enum(MODES).optional().describe('how to combine the result with an existing selection'),
});

export const queryRun = operation<DiskServices>()({
  name: 'query_run',
  toolset: 'disk',
  readOnly: false,
  explains: true,
  summary:
    "Disk. filter: name, path, target (glob or {regex}), ext, kind file|dir|symlink, size '>5MB', modified '>1y', depth, entries '>9', owner, broken, duplicates, unique, regenerable, written_by_agent; any, all, not.",
  input: queryRunInput,
  limit: { default: 10, max: 50 },
  glance: GLANCE_BYTES,
  data: queryAnswerSchema,
  rows: ['report', 'groups', 'duplicates', 'growth'],
  rowLink: '/api/indexes/{index_id}/nodes/{node_id}',
  unlisted: [
    ...['paths', 'min_size', 'since', 'select'],
    ...['query_id', 'save_as', 'into', 'mode', 'index_id'],
  ],
  aliases: {
    selection_id: 'into',
    name: 'save_as',
    root: 'path',
    under: 'path',
    sort_by: 'sort',
  },
  http: ['POST /api/queries', 'POST /api/queries/{query_id}/run'],
  command: {
    words: 'disk query',
    summary: 'Find files and folders by a filter, total them, or run a saved query.',
    positional: ['query_id'],
    examples: [
      'pinhole disk query q2',
      `pinhole disk query --filter '{"size":">1GB"}' --save-as big`,
      'pinhole disk query --path /usr --group-by ext',
    ],
  },

  async run(input, ctx) {
    const started = performance.now();
    const saved = input.query_id === undefined ? undefined : await visibleQuery(ctx, input.query_id);
    const filter = input.filter ?? saved?.filter;
    const named = [input.path ?? [], input.paths ?? []].flat();
    if (filter === undefined && input.group_by === undefined && named.length === 0)
      fail(
        'invalid_parameter',
        inputMessage`Give ${{ input: 'filter' }}, ${{ input: 'path' }}, ${{ input: 'group_by' }} or ${{ input: 'query_id' }}.`,
        {
          next: callQueryRun({ filter: { size: '>1GB' } }),
        },
      );
    const stores = input.select === true || input.save_as !== undefined || input.into !== undefined;
    if (input.group_by !== undefined && stores)
      fail(
        'invalid_parameter',
        inputMessage`${{ input: 'group_by' }} shows totals. Leave it out to save a query or a selection.`,
      );
    if (filter !== undefined) ctx.disk.filters.parse(filter);
    const parts = await queryParts(ctx, {
      indexId: input.index_id ?? (saved?.index === undefined ? undefined : indexHandle(saved.index)),
      paths: named.length === 0 ? undefined : named,
      thorough: input.group_by === 'growth',
    });
    const query: Query = { filter, parts, named: named.length > 0, started };
    const { group_by, depth, sort, into } = input;
    if (group_by === 'growth')
      return growthAnswer(query, timeOf('since', input.since, ctx.now(), ctx.zone), depth, ctx);
    const minSize = sizeOf(input.min_size);
    if (group_by === 'duplicates') return duplicatesAnswer(query, minSize, ctx);
    if (group_by !== undefined) return groupsAnswer(query, { by: group_by, depth, sort, minSize }, ctx);
    const mode = input.mode ?? saved?.mode ?? 'replace';
    const storing = stores || saved !== undefined ? { saveAs: input.save_as, saved, into, mode } : undefined;
    return listAnswer(query, sort ?? 'size', storing, ctx);
  },

  text: queryAnswerText,
});

/** A size such as 50MB in bytes. */
function sizeOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const size = parseSize(given.replace(/^>=?\s*/, ''));
  return (
    size?.min ??
    fail(
      'invalid_parameter',
      inputMessage`${{ input: 'min_size' }}: '${given}' is not understood; ${SIZE_HELP}`,
    )
  );
}
