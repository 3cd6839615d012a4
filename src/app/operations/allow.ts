import { realpath, stat } from 'node:fs/promises';
import { z } from 'zod';
import { fail, inputMessage } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';
import { absolutePath, failMissing } from '../../contract/roots.ts';
import type { Services } from '../services.ts';

/** Only a person widens what may be read: there is no MCP tool for this. */
export const allow = operation<Pick<Services, 'allowed'>>()({
  name: 'allow',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary: 'Folders that every caller may read. Give a path to add one; add remove to take it back.',
  input: z.strictObject({
    path: z.string().min(1).max(4096).optional().describe('the folder to allow'),
    remove: z.boolean().optional().describe('take the permission back'),
  }),
  data: z.object({ folders: z.array(z.string()) }),
  http: ['GET /api/allowed', 'POST /api/allowed'],
  command: {
    words: 'allow',
    positional: ['path'],
    examples: ['pinhole allow ~/projects', 'pinhole allow ~/projects --remove', 'pinhole allow'],
  },

  async run({ path, remove }, { allowed, caller }) {
    if (path !== undefined) {
      // Not through the roots: a person may widen them, and only here.
      const wanted = absolutePath(path, caller.cwd);
      // A folder that was deleted since can still be removed from the list.
      const folder = await realpath(wanted).catch((error: unknown) =>
        remove ? wanted : failMissing(wanted, error),
      );
      if (remove) {
        if (!(await allowed.remove(folder)))
          fail('not_found', `'${folder}' is not an allowed folder. List them with: pinhole allow`);
      } else {
        if (!(await stat(folder)).isDirectory())
          fail('invalid_parameter', inputMessage`${{ input: 'path' }} must be a folder.`);
        await allowed.add(folder);
      }
    }
    return single({ folders: [...(await allowed.list())] });
  },

  text: ({ folders }) =>
    folders.length === 0
      ? 'No folder is allowed permanently. Add one with: pinhole allow PATH'
      : folders.join('\n'),
});
