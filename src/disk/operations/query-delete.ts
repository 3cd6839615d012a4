import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import type { DiskServices } from './choose.ts';
import { ownQuery } from './kept.ts';

export const queryDelete = operation<DiskServices>()({
  name: 'query_delete',
  toolset: undefined,
  readOnly: false,
  summary: 'Forget a saved query and its history; its selection stays.',
  input: z.strictObject({ query_id: z.string().max(20) }),
  http: 'DELETE /api/queries/{query_id}',
  command: {
    words: 'disk query delete',
    positional: ['query_id'],
    examples: ['pinhole disk query delete q2'],
  },

  async run({ query_id }, ctx) {
    await ownQuery(ctx, query_id);
    await ctx.disk.queries.remove(query_id);
    return single({ query_id, deleted: true });
  },

  text: ({ query_id }) => `${query_id} is forgotten.`,
});
