import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { agoText, columns, countText, sizeText } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { isInside } from '../../contract/roots.ts';
import { isoTime } from '../../contract/time.ts';
import type { CodeIndex } from '../catalog.ts';
import type { Code } from '../code.ts';

interface CodeIndexCard {
  readonly root: string;
  readonly status: CodeIndex['state'];
  readonly files?: number | undefined;
  /** What the index takes on disk. */
  readonly bytes: number;
  /** Search by meaning is kept too. */
  readonly meaning?: true | undefined;
  readonly built_at?: string | undefined;
}

export const codeIndexList = operation<{ code: Code }>()({
  name: 'code_indexes',
  toolset: undefined,
  readOnly: true,
  summary: 'Source trees whose search is indexed: files, size, age and state.',
  input: z.strictObject({}),
  limit: { default: 50, max: 200 },
  rows: 'indexes',
  columns: ['root', 'status', 'files', 'bytes', 'meaning', 'built_at'],
  http: 'GET /api/code/indexes',
  command: { words: 'code indexes', examples: ['pinhole code indexes'] },

  async run(_input, { code, roots, after }) {
    const all = (await code.indexes()).filter(({ root }) =>
      roots.folders.some((folder) => isInside(root, folder)),
    );
    const start = all.findIndex(({ root }) => root === after) + 1;
    return page<CodeIndexCard, { indexes: readonly CodeIndexCard[] }>({
      rows: all.slice(start).map(card),
      position: ({ root }) => root,
      total: all.length,
      shape: (indexes) => ({ indexes }),
    });
  },

  text: ({ indexes }, { units, now }) =>
    indexes.length === 0
      ? 'No code is indexed yet; the first search in a folder does it.'
      : columns(
          indexes.map((index) => [
            index.files === undefined ? '' : `${countText(index.files)} files`,
            sizeText(index.bytes, units),
            index.built_at === undefined ? index.status : agoText(Date.parse(index.built_at), now),
            oneLine(index.root),
          ]),
          [0, 1],
        ),
});

function card({ root, state, files, bytes, meaning, builtAt }: CodeIndex): CodeIndexCard {
  return {
    root,
    status: state,
    files,
    bytes,
    meaning: meaning || undefined,
    built_at: isoTime(builtAt),
  };
}
