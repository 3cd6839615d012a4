import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { countOf, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { absolutePath } from '../../contract/roots.ts';
import { indexHandle } from '../handles.ts';
import type { DiskServices } from './choose.ts';

const MOST_BYTES = 512 << 20;

export const diskImport = operation<DiskServices>()({
  name: 'disk_import',
  toolset: undefined,
  readOnly: false,
  summary: 'Make an index from an ncdu export, of this machine or another.',
  input: z.strictObject({ file: z.string().min(1).max(4096) }),
  aliases: { path: 'file' },
  http: 'POST /api/indexes/import',
  command: {
    words: 'disk import',
    positional: ['file'],
    examples: ['ncdu -o disk.json / && pinhole disk import disk.json'],
  },

  async run({ file }, { disk, roots, caller }) {
    // It is of no folder here, so that no agent could be told by its folders whether it may see it.
    if (!roots.person)
      fail('path_not_allowed', 'Only a person imports: pinhole disk import FILE, or the web page.');
    const handle = await roots.open(absolutePath(file, caller.cwd));
    try {
      const { size } = await handle.stat();
      if (size > MOST_BYTES)
        fail('invalid_parameter', `The file has ${size} bytes; at most ${MOST_BYTES} are read.`);
      const row = await disk.importNcdu(await handle.readFile('utf8'));
      return single({
        index_id: indexHandle(row.id),
        root: row.root,
        imported: true,
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
