import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, countOf, sizeText } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import { pathFilter } from '../exact/file-filter.ts';
import { comparePaths } from '../files/path-order.ts';
import type { SourceFile } from '../files/source-tree.ts';
import {
  type FuzzyQuery,
  fuzzyQuery,
  fuzzyScore,
  isInName,
  nameLikeness,
  typingErrors,
} from '../names/fuzzy-path.ts';
import type { CodeServices } from '../services.ts';
import { fileFilters, root, rootFor } from './search-input.ts';

const data = z.object({
  root,
  note: z.string().optional(),
  files: z.array(z.object({ path: z.string(), size: z.int(), modified_at: z.string() })),
});

/** Names that share a smaller part of their letter pairs are not what was meant. */
const LIKE_ENOUGH = 0.5;

export const findFiles = operation<CodeServices>()({
  name: 'find_files',
  toolset: 'code',
  readOnly: true,
  summary: 'Files by a few letters of their path, best first.',
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .describe('letters of the path, in order: usrctl finds src/user-controller.ts'),
    ...fileFilters,
    hidden: z.boolean().optional().describe('include hidden files'),
  }),
  data,
  limit: { default: 20, max: 1000 },
  rows: 'files',
  unlisted: ['glob', 'language', 'hidden'],
  aliases: { name: 'query', pattern: 'query', q: 'query', folder: 'path' },
  http: 'GET /api/code/files',
  command: {
    words: 'code files',
    positional: ['query', 'path'],
    examples: [
      'pinhole code files usrctl',
      "pinhole code files 'retry test' src",
      'pinhole code files pool.ts:40',
    ],
    flags: { 'glob|g': 'glob' },
  },

  async run({ query, path, glob = [], language, hidden = false }, { code, roots, caller }) {
    const { tree, below } = await code.trees.scopeOf(await roots.resolve(path ?? '.'), roots.folders);
    const { fresh, reason } = await tree.refresh();
    const fits = pathFilter({ below, globs: glob, near: true, language });
    const files = [...tree.files.values()].filter(
      (file) => (hidden || !file.hidden) && !file.linked && fits(file.path),
    );
    const asked = fuzzyQuery(query);
    const named = ranked(files, (file) => fuzzyScore(asked, file.path));
    const found = named.length > 0 ? mistypedFirst(named, files, asked) : alike(files, asked);
    const looked = countOf(files.length, 'file');
    return page<SourceFile, z.infer<typeof data>>({
      rows: found,
      position: (file) => file.path,
      total: found.length,
      shape: (rows) => ({
        root: rootFor(tree.root, caller),
        note: noteOf(named.length, found.length, looked),
        files: rows.map((file) => ({
          path: file.path,
          size: file.size,
          modified_at: isoTime(file.mtimeMs),
        })),
      }),
      meta: fresh ? {} : { fresh: false, reason },
      keep: {},
    });
  },

  text: ({ root: from, note, files }, { units }) =>
    [
      ...(note === undefined ? [] : [note]),
      ...(from === undefined || files.length === 0 ? [] : [`in ${oneLine(from)}:`]),
      columns(files.map(({ path, size }) => [oneLine(path), sizeText(size, units)])),
    ]
      .filter((line) => line !== '')
      .join('\n'),
});

function noteOf(named: number, found: number, looked: string): string | undefined {
  if (named > 0) return undefined;
  const none = `No path of ${looked} has these letters in this order`;
  return found > 0 ? `${none}. Similar names:` : `${none}, and no name is similar.`;
}

/** If the letters are nowhere together in a name, names with one or two typing errors are meant before the others. */
function mistypedFirst(
  named: readonly SourceFile[],
  files: readonly SourceFile[],
  asked: FuzzyQuery,
): readonly SourceFile[] {
  if (named.some(({ path }) => isInName(asked, path))) return named;
  const mistyped = ranked(files, ({ path }) => {
    const errors = typingErrors(asked, path);
    return errors === undefined ? undefined : -errors;
  });
  const first = new Set(mistyped);
  return [...mistyped, ...named.filter((file) => !first.has(file))];
}

/** Files with similar names, for a query with a typing error. */
function alike(files: readonly SourceFile[], asked: FuzzyQuery): SourceFile[] {
  return ranked(files, ({ path }) => {
    const likeness = nameLikeness(asked, path);
    return likeness < LIKE_ENOUGH ? undefined : likeness;
  });
}

/** The files that have a score, best first, then by path. */
function ranked(
  files: readonly SourceFile[],
  scoreOf: (file: SourceFile) => number | undefined,
): SourceFile[] {
  const scored = files.flatMap((file) => {
    const score = scoreOf(file);
    return score === undefined ? [] : [{ file, score }];
  });
  return scored
    .sort((a, b) => b.score - a.score || comparePaths(a.file.path, b.file.path))
    .map(({ file }) => file);
}
