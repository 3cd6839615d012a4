import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { fail, systemCode } from '../../contract/errors.ts';
import { sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { absolutePath } from '../../contract/roots.ts';
import { indexHandle } from '../handles.ts';
import type { DiskServices } from '../services.ts';
import { chooseIndex } from './chosen-index.ts';
import { chosen_index_id, file } from './input-fields.ts';

export const diskExport = operation<DiskServices>()({
  name: 'disk_export',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary: 'Write an index to a new file in ncdu format. Only for a person.',
  input: z.strictObject({
    file: file.describe('path of the new file'),
    index_id: chosen_index_id,
  }),
  data: z.object({ index_id: z.string(), file: z.string(), bytes: z.int() }),
  command: {
    words: 'disk export',
    positional: ['file'],
    examples: ['pinhole disk export disk.json && ncdu -f disk.json'],
  },

  async run({ file, index_id }, ctx) {
    const { row } = await chooseIndex(ctx, index_id, undefined);
    const pieces = await ctx.disk.exportNcdu(indexHandle(row.id), ctx.roots);
    const wanted = absolutePath(file, ctx.caller.cwd);
    const path = join(await ctx.roots.resolve(dirname(wanted)), basename(wanted));
    const handle = await open(path, 'wx', 0o600).catch((error: unknown) => {
      if (systemCode(error) === 'EEXIST') fail('conflict', `'${path}' already exists. Choose another name.`);
      throw error;
    });
    let bytes = 0;
    try {
      for (const piece of pieces) {
        ctx.signal.throwIfAborted();
        bytes += (await handle.write(piece)).bytesWritten;
      }
    } finally {
      await handle.close();
    }
    return single({ index_id: indexHandle(row.id), file: path, bytes });
  },

  text: ({ index_id, file, bytes }, { units }) =>
    `${index_id} written to ${oneLine(file)} (${sizeText(bytes, units)})`,
});
