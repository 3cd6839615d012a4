import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { countOf } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import { localDay } from '../../contract/zone.ts';
import { smartCase } from '../../regex/smart-case.ts';
import type { ChangedLines, HistoryTally } from '../exact/history-search.ts';
import type { CodeServices } from '../services.ts';
import { codeLine } from './shared-indent.ts';

const commit = z.object({
  commit: z.string(),
  committed_at: z.string(),
  author: z.string(),
  subject: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      lines: z.array(z.string()).describe('with + or - in front'),
      more: z.number().optional().describe('matching lines that are not shown'),
    }),
  ),
});

const data = z.object({ note: z.string().optional(), commits: z.array(commit) });

/** Lines shown per file of a commit. */
const MAX_LINES = 6;

export const codeHistory = operation<CodeServices>()({
  name: 'code_history',
  toolset: 'code',
  readOnly: true,
  summary: 'Commits that added or removed lines matching a regex.',
  input: z.strictObject({
    pattern: z.string().min(1).max(2000).describe('regular expression, as for regex_search'),
    path: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('only this folder or file (default: the current folder)'),
    rev: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^-\s]\S*$/, 'must be the name of a commit, branch or tag')
      .default('HEAD')
      .describe('newest commit to look at'),
    fixed: z.boolean().optional().describe('treat the pattern as plain text'),
    word: z.boolean().optional().describe('match whole words only'),
  }),
  data,
  limit: { default: 20, max: 200 },
  rows: 'commits',
  unlisted: ['fixed', 'word'],
  aliases: { query: 'pattern', q: 'pattern', regex: 'pattern', revision: 'rev', branch: 'rev' },
  http: 'GET /api/code/history',
  command: {
    words: 'code history',
    positional: ['pattern', 'path'],
    examples: ["pinhole code history 'retry\\w+' src", 'pinhole code history -F "MAX_RETRIES = 3"'],
    flags: { 'fixed-strings|F': 'fixed', 'word-regexp|w': 'word' },
  },

  async run({ pattern, path, rev, fixed = false, word = false }, { code, roots, signal }) {
    const { searchHistory } = await import('../exact/history-search.ts');
    const { tree, below } = await code.trees.scopeOf(await roots.resolve(path ?? '.'), roots.folders);
    const folder = below === '' || tree.folders.has(below) ? below : dirname(below).replace(/^\.$/, '');
    const tally: HistoryTally = { commits: 0 };
    const searched = () => countOf(tally.commits, 'commit');
    const at = {
      folder: join(tree.root, folder),
      paths: folder === below ? ['.'] : [relative(folder, below)],
      rev,
    };
    return page<ChangedLines, z.infer<typeof data>>({
      rows: searchHistory(
        at,
        { pattern, insensitive: smartCase(pattern, fixed), word, fixed },
        tally,
        signal,
      ),
      position: (row) => row.commit,
      shape: (rows) => ({
        note: rows.length === 0 ? `No match in what ${searched()} changed.` : undefined,
        commits: rows.map(({ at: ms, ...row }) => ({
          ...row,
          commit: row.commit.slice(0, 10),
          committed_at: isoTime(ms),
          files: row.files.map((file) => ({
            path: join(folder, file.path),
            lines: file.lines.slice(0, MAX_LINES),
            ...(file.lines.length > MAX_LINES && { more: file.lines.length - MAX_LINES }),
          })),
        })),
      }),
      searched,
      keep: {},
    });
  },

  text({ note, commits }, { zone }) {
    if (note !== undefined) return note;
    return commits
      .map((each) => {
        const head = `${each.commit} ${localDay(Date.parse(each.committed_at), zone)} ${oneLine(each.subject)}`;
        const files = each.files.map(({ path, lines, more }) =>
          [
            `  ${oneLine(path)}`,
            ...lines.map((line) => `    ${codeLine(line)}`),
            ...(more === undefined ? [] : [`    … ${countOf(more, 'more line')}`]),
          ].join('\n'),
        );
        return [head, ...files].join('\n');
      })
      .join('\n');
  },
});
