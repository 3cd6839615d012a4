import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import type { DiskServices } from '../services.ts';
import { query_id } from './input-fields.ts';
import { changeableQuery } from './visible.ts';

export const queryDelete = operation<DiskServices>()({
  name: 'query_delete',
  toolset: undefined,
  readOnly: false,
  summary: 'Delete a saved query and its history; its selection stays.',
  input: z.strictObject({ query_id }),
  data: z.object({ query_id: z.string(), deleted: z.literal(true) }),
  http: 'DELETE /api/queries/{query_id}',
  command: {
    words: 'disk query delete',
    positional: ['query_id'],
    examples: ['pinhole disk query delete q2'],
  },

  async run({ query_id }, ctx) {
    await changeableQuery(ctx, query_id);
    await ctx.disk.queries.remove(query_id);
    return single({ query_id, deleted: true as const });
  },

  text: ({ query_id }) => `${query_id} deleted.`,
});
