import { z } from 'zod';
import { operation, page } from '../../contract/operation.ts';
import { comparePaths } from '../files/path-order.ts';
import type { CodeServices } from '../services.ts';
import { fileOutline, folderOutline, nameTest, type OutlineRow } from '../symbols/outlines.ts';
import { outlineText } from './outline-text.ts';
import { root } from './search-input.ts';

const definition = z.object({
  path: z.string().optional().describe('of a definition in a folder'),
  name: z.string(),
  kind: z.string(),
  line_start: z.int(),
  line_end: z.int(),
  depth: z.int().optional().describe('how many definitions are around it'),
  signature: z.string().optional(),
  fields: z.array(z.string()).optional(),
});

export const outlineData = z.object({ root, definitions: z.array(definition) });

export type OutlineData = z.infer<typeof outlineData>;

export const outlineInput = z.strictObject({
  path: z.string().min(1).max(4096).describe('file or folder'),
  name: z.string().min(1).max(500).optional().describe('only names with this text or regex'),
});

/** The least that a definition takes in an answer; it decides how many are looked at for a page. */
const BYTES_PER_ROW = 8;

export const outline = operation<CodeServices>()({
  name: 'outline',
  toolset: 'code',
  readOnly: true,
  summary: 'Definitions of a file or folder.',
  input: outlineInput,
  data: outlineData,
  limit: { default: 2000, max: 10_000 },
  rows: 'definitions',
  aliases: { file: 'path', file_path: 'path', folder: 'path', query: 'name', pattern: 'name' },
  http: 'GET /api/code/outline',
  command: { words: 'outline', positional: ['path', 'name'], examples: ['pinhole outline src/pool.ts'] },

  async run(input, { code, roots, signal, after, budget, caller }) {
    const { tree, below } = await code.trees.scopeOf(await roots.resolve(input.path), roots.folders);
    const matches = nameTest(input.name);
    const shownRoot = tree.root === caller.cwd ? undefined : tree.root;
    const isFolder = below === '' || tree.folders.has(below);
    if (!isFolder) {
      const parsed = await code.symbols.parsed(tree, below, signal);
      const all = parsed === undefined ? [] : fileOutline(parsed.symbols.definitions, matches);
      const rows = typeof after === 'number' ? all.slice(after) : all;
      return page<OutlineRow, OutlineData>({
        rows,
        position: (row) => all.indexOf(row) + 1,
        shape: (definitions) => ({ definitions: definitions.map(copied) }),
        total: all.length,
      });
    }
    const most = Math.max(100, Math.ceil(budget / BYTES_PER_ROW));
    const [afterPath, afterAt] = Array.isArray(after) ? after.map(String) : [];
    const isLeft = (path: string) => afterPath === undefined || comparePaths(path, afterPath) >= 0;
    const inFolder = (path: string) => below === '' || path.startsWith(`${below}/`);
    const { value, indexing } = await code.symbols.ask(tree, { files: inFolder }, signal, (question) => {
      const paths = [...tree.files.values()]
        .filter(({ path, hidden }) => !hidden && inFolder(path) && isLeft(path))
        .map(({ path }) => path)
        .sort(comparePaths);
      return folderOutline(question, paths, matches, most);
    });
    const left = afterPath === value[0]?.path ? value.slice(Number(afterAt ?? 0)) : value;
    const placeInFile = (row: OutlineRow) =>
      value.indexOf(row) - value.findIndex(({ path }) => path === row.path);
    return page<OutlineRow, OutlineData>({
      rows: left,
      position: (row) => [row.path ?? '', placeInFile(row) + 1],
      shape: (rows) => ({ root: shownRoot, definitions: rows.map(copied) }),
      meta: { indexing },
    });
  },

  text: outlineText,
});

function copied({ fields, ...row }: OutlineRow): z.infer<typeof definition> {
  return fields === undefined ? row : { ...row, fields: [...fields] };
}
