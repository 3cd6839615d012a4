import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { countOf, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { absolutePath } from '../../contract/roots.ts';
import { indexHandle } from '../handles.ts';
import type { DiskServices } from '../services.ts';
import { dirs, disk_size, files, size } from './data-fields.ts';
import { file } from './input-fields.ts';

const MAX_FILE_BYTES = 512 << 20;

export const diskImport = operation<DiskServices>()({
  name: 'disk_import',
  toolset: undefined,
  readOnly: false,
  summary: 'Make an index from an ncdu export, of this machine or another.',
  input: z.strictObject({ file: file.describe('path of the ncdu export') }),
  data: z.object({
    index_id: z.string(),
    root: z.string(),
    imported: z.literal(true),
    files,
    dirs,
    size,
    disk_size,
  }),
  aliases: { path: 'file' },
  http: 'POST /api/indexes/import',
  command: {
    words: 'disk import',
    positional: ['file'],
    examples: ['ncdu -o disk.json / && pinhole disk import disk.json'],
  },

  async run({ file }, { disk, roots, caller }) {
    // An imported index belongs to no folder here, so an agent's folders cannot say whether it may see it.
    if (!roots.person)
      fail('forbidden', 'Only a person can import, on the page or with: pinhole disk import FILE');
    const handle = await roots.open(absolutePath(file, caller.cwd));
    try {
      const { size } = await handle.stat();
      if (size > MAX_FILE_BYTES)
        fail(
          'invalid_parameter',
          `The file is too large (${sizeText(size)}). The limit is ${sizeText(MAX_FILE_BYTES)}.`,
        );
      const row = await disk.importNcdu(await handle.readFile('utf8'));
      return single({
        index_id: indexHandle(row.id),
        root: row.root,
        imported: true as const,
        files: row.files,
        dirs: row.dirs,
        size: row.size,
        disk_size: row.diskSize,
      });
    } finally {
      await handle.close();
    }
  },

  text: ({ index_id, root, files, disk_size }, { units }) =>
    `${index_id} ${oneLine(root)}  ${countOf(files, 'file')}  ${sizeText(disk_size, units)} on disk`,
});
