import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';
import { countText, sizeText } from '../../contract/people.ts';
import { absolutePath } from '../../contract/roots.ts';
import { mayRead } from '../access.ts';
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
    const handle = await roots.open(absolutePath(file, caller.cwd));
    try {
      const { size } = await handle.stat();
      if (size > MOST_BYTES)
        fail('invalid_parameter', `The file has ${size} bytes; at most ${MOST_BYTES} are read.`);
      const row = await disk.importNcdu(await handle.readFile('utf8'), (root) => {
        // A person may look at the disk of another machine; who is none makes no index of what it may not read.
        if (caller.door !== 'cli' && caller.door !== 'page' && !mayRead(root, roots))
          fail(
            'path_not_allowed',
            'This export is of a folder that may not be read here. A person runs: pinhole disk import',
          );
      });
      return single({
        index_id: indexHandle(row.id),
        root: row.root,
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
    `${index_id} ${oneLine(root)}  ${countText(files)} files  ${sizeText(disk_size, units)} on disk`,
});
