import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { agoText, columns, countOf, sizeText } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { isInside } from '../../contract/roots.ts';
import { isoTime } from '../../contract/time.ts';
import type { CodeIndex } from '../code-index-list.ts';
import type { CodeServices } from '../services.ts';

const codeIndexCard = z.object({
  root: z.string(),
  status: z.enum(['ready', 'building', 'failed']),
  files: z.int().optional(),
  bytes: z.int().describe('size of the index on disk'),
  semantic: z.boolean().optional().describe('true if search by meaning is indexed too'),
  built_at: z.string().optional(),
});

const codeIndexList = z.object({ indexes: z.array(codeIndexCard) });

type CodeIndexCard = z.infer<typeof codeIndexCard>;

const codeIndexesInput = z.strictObject({});

export const codeIndexes = operation<CodeServices>()({
  name: 'code_indexes',
  toolset: undefined,
  readOnly: true,
  summary: 'Indexed source trees: files, size, age and state.',
  input: codeIndexesInput,
  data: codeIndexList,
  limit: { default: 50, max: 200 },
  rows: 'indexes',
  http: 'GET /api/code/indexes',
  command: { words: 'code indexes', examples: ['pinhole code indexes'] },

  async run(_input, { code, roots, after }) {
    const all = (await code.indexes()).filter(({ root }) =>
      roots.folders.some((folder) => isInside(root, folder)),
    );
    const start = all.findIndex(({ root }) => root === after) + 1;
    return page<CodeIndexCard, z.infer<typeof codeIndexList>>({
      rows: all.slice(start).map(cardOf),
      position: ({ root }) => root,
      total: all.length,
      shape: (indexes) => ({ indexes: [...indexes] }),
    });
  },

  text: ({ indexes }, { units, now }) =>
    indexes.length === 0
      ? 'No code is indexed yet. The first search in a folder indexes it.'
      : columns(
          indexes.map((index) => [
            index.files === undefined ? '' : countOf(index.files, 'file'),
            sizeText(index.bytes, units),
            index.built_at === undefined ? index.status : agoText(Date.parse(index.built_at), now),
            oneLine(index.root),
          ]),
          [0, 1],
        ),
});

function cardOf({ root, state, files, bytes, semantic, builtAt }: CodeIndex): CodeIndexCard {
  return {
    root,
    status: state,
    files,
    bytes,
    semantic: semantic || undefined,
    built_at: isoTime(builtAt),
  };
}
