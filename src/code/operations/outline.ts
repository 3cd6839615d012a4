import { z } from 'zod';
import { type CallContext, operation, type Page, page } from '../../contract/operation.ts';
import { comparePaths } from '../files/path-order.ts';
import type { CodeServices } from '../services.ts';
import { fileOutline, folderOutline, type NameTest, nameTest, type OutlineRow } from '../symbols/outlines.ts';
import { unparsedLanguage } from '../symbols/unparsed-languages.ts';
import { outlineText } from './outline-text.ts';
import { root } from './search-input.ts';

const definition = z.object({
  path: z.string().optional().describe('of a definition in a folder'),
  name: z.string(),
  kind: z.string(),
  line_start: z.int(),
  line_end: z.int(),
  depth: z.int().optional().describe('how many definitions enclose it'),
  signature: z.string().optional(),
  fields: z.array(z.string()).optional(),
});

const outlineData = z.object({
  root,
  definitions: z.array(definition),
  unparsed: z.string().optional().describe('the language of the file, if there is no grammar for it'),
  outlines: z
    .array(z.object({ path: z.string(), definitions: z.array(definition) }))
    .optional()
    .describe('one per path, if several were given'),
});

export type OutlineData = z.infer<typeof outlineData>;

/** Paths in one call. */
const MAX_PATHS = 20;
const path = z.string().min(1).max(4096);

const outlineInput = z.strictObject({
  path: z.union([path, z.array(path).min(1).max(MAX_PATHS)]).describe('file or folder, or a list of them'),
  name: z.string().min(1).max(500).optional().describe('only names with this text or regex'),
});

/** The fewest bytes that a definition takes in an answer; they decide how many definitions are read for a page. */
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
  aliases: { file: 'path', paths: 'path', file_path: 'path', folder: 'path', query: 'name', pattern: 'name' },
  http: 'GET /api/code/outline',
  command: {
    words: 'outline',
    positional: ['path', 'name'],
    examples: ['pinhole outline src/pool.ts', 'pinhole outline --path src/pool.ts --path src/use.ts'],
  },

  async run(input, context) {
    const { after } = context;
    const paths = [input.path].flat();
    const [only] = paths;
    if (paths.length === 1 && only !== undefined) return answerOne(only, input.name, context);
    const found = await Promise.all(paths.map((path) => outlineOf(path, nameTest(input.name), context)));
    // One row even for a path without definitions, so that the answer shows that it has none.
    const all = found.flatMap(({ rows }, of) =>
      rows.length > 0 ? rows.map((row) => ({ of, row })) : [{ of }],
    );
    return page<OfOne, OutlineData>({
      rows: typeof after === 'number' ? all.slice(after) : all,
      position: (row) => all.indexOf(row) + 1,
      shape: (rows) => ({
        definitions: [],
        outlines: paths.flatMap((path, of) => {
          const own = rows.filter((each) => each.of === of);
          if (own.length === 0) return [];
          return [{ path, definitions: own.flatMap(({ row }) => (row === undefined ? [] : [copied(row)])) }];
        }),
      }),
      meta: { indexing: found.find(({ indexing }) => indexing !== undefined)?.indexing },
    });
  },

  text: outlineText,
});

/** A definition in one of several paths, if that path has one. */
interface OfOne {
  readonly of: number;
  readonly row?: OutlineRow;
}

type OutlineContext = CallContext & CodeServices;

/** The outline of one file or folder; for a folder, no more than fits into an answer, from `after` on. */
async function outlineOf(path: string, matches: NameTest, context: OutlineContext, after?: string) {
  const { code, roots, signal, budget } = context;
  const { tree, below } = await code.trees.scopeOf(await roots.resolve(path), roots.folders);
  const isFolder = below === '' || tree.folders.has(below);
  if (!isFolder) {
    const parsed = await code.symbols.parsed(tree, below, signal);
    const rows = parsed === undefined ? [] : fileOutline(parsed.symbols.definitions, matches);
    return { tree, isFolder, rows, indexing: undefined };
  }
  const most = Math.max(100, Math.ceil(budget / BYTES_PER_ROW));
  const isLeft = (each: string) => after === undefined || comparePaths(each, after) >= 0;
  const inFolder = (each: string) => below === '' || each.startsWith(`${below}/`);
  const { value, indexing } = await code.symbols.ask(tree, { files: inFolder }, signal, (question) => {
    const paths = [...tree.files.values()]
      .filter(({ path: each, hidden, linked }) => !hidden && !linked && inFolder(each) && isLeft(each))
      .map(({ path: each }) => each)
      .sort(comparePaths);
    return folderOutline(question, paths, matches, most);
  });
  return { tree, isFolder, rows: value, indexing };
}

async function answerOne(
  path: string,
  name: string | undefined,
  context: OutlineContext,
): Promise<Page<never, OutlineData>> {
  const { after, caller } = context;
  const [afterPath, afterAt] = Array.isArray(after) ? after.map(String) : [];
  const { tree, isFolder, rows, indexing } = await outlineOf(path, nameTest(name), context, afterPath);
  if (!isFolder)
    return page<OutlineRow, OutlineData>({
      rows: typeof after === 'number' ? rows.slice(after) : rows,
      position: (row) => rows.indexOf(row) + 1,
      shape: (definitions) => ({
        definitions: definitions.map(copied),
        unparsed: rows.length === 0 ? unparsedLanguage(path) : undefined,
      }),
      total: rows.length,
    });
  const placeInFile = (row: OutlineRow) =>
    rows.indexOf(row) - rows.findIndex((each) => each.path === row.path);
  return page<OutlineRow, OutlineData>({
    rows: afterPath === rows[0]?.path ? rows.slice(Number(afterAt ?? 0)) : rows,
    position: (row) => [row.path ?? '', placeInFile(row) + 1],
    shape: (shown) => ({
      root: tree.root === caller.cwd ? undefined : tree.root,
      definitions: shown.map(copied),
    }),
    meta: { indexing },
  });
}

function copied({ fields, ...row }: OutlineRow): z.infer<typeof definition> {
  return fields === undefined ? row : { ...row, fields: [...fields] };
}
