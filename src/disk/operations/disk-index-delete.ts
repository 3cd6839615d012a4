import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';
import { mayReadIndex } from '../indexes/index-access.ts';
import type { DiskServices } from '../services.ts';
import { index_id } from './input-fields.ts';
import { visibleIndex } from './visible.ts';

export const diskIndexDelete = operation<DiskServices>()({
  name: 'disk_index_delete',
  toolset: undefined,
  readOnly: false,
  summary: 'Delete an index. Files are not touched; the folder can be indexed again.',
  input: z.strictObject({ index_id }),
  data: z.object({ index_id: z.string(), deleted: z.literal(true) }),
  http: 'DELETE /api/indexes/{index_id}',
  command: {
    words: 'disk index delete',
    positional: ['index_id'],
    examples: ['pinhole disk index delete i3'],
  },

  async run({ index_id }, ctx) {
    if (!mayReadIndex(await visibleIndex(ctx, index_id), ctx.roots))
      fail(
        'path_not_allowed',
        `Only a part of ${index_id} may be read here. To allow all of it, a person runs: pinhole allow PATH`,
      );
    await ctx.disk.indexes.remove(index_id);
    return single({ index_id, deleted: true as const });
  },

  text: ({ index_id }) => `${index_id} deleted.`,
});
