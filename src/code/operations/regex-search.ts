import { join } from 'node:path';
import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { countOf } from '../../contract/format.ts';
import { operation, page, single } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import type { ExactQuery, ExactSearch } from '../exact/exact-query.ts';
import { smartCase } from '../../regex/smart-case.ts';
import type { CodeServices } from '../services.ts';
import { changedSince } from './changed-since.ts';
import { countHits, type HitRow, type HitTally, hitRows } from './hit-rows.ts';
import { narrowPaths } from './narrow-paths.ts';
import { FILTER_NAMES, fileFilters, root, snippetInput } from './search-input.ts';
import { searchMeta } from './search-meta.ts';

const hit = z.object({
  line: z.int(),
  column: z.int().optional().describe('where the match starts, if the line is cut'),
  bytes: z.int().optional().describe('length of the line, if it is cut'),
  text: z.string().optional(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
});

const fileMatches = z.object({ path: z.string(), hits: z.array(hit) });
const fileCount = z.object({ path: z.string(), hits: z.int() });

/** One field per value of `output`, besides the root. */
const matches = z.object({
  root,
  matches: z.array(fileMatches).optional().describe('output=hits: matching lines by file'),
  files: z.array(fileCount).optional().describe('output=files: number of matching lines per file'),
  count: z.object({ hits: z.int(), files: z.int() }).optional().describe('output=count'),
  file: z
    .object({ path: z.string(), bytes: z.int(), hits: z.int(), files: z.int() })
    .optional()
    .describe('output=file: a file on this machine with all matches'),
});

type FileMatches = z.infer<typeof fileMatches>;
type FileCount = z.infer<typeof fileCount>;
type Matches = z.infer<typeof matches>;

/** More lines are cut to this number. The schema does not say so: it would cost tokens in every conversation. */
const MAX_CONTEXT_LINES = 10;

export const regexSearchInput = z.strictObject({
  pattern: z.string().min(1).max(2000).describe('regular expression, in the syntax of ripgrep'),
  ...fileFilters,
  case: z
    .enum(['smart', 'sensitive', 'insensitive'])
    .default('smart')
    .describe('smart ignores case unless the pattern has capitals'),
  word: z.boolean().optional().describe('match whole words only'),
  fixed: z.boolean().optional().describe('treat the pattern as plain text'),
  hidden: z.boolean().optional().describe('search hidden files and folders too'),
  everything: z.boolean().optional().describe('search binary, minified and very large files too'),
  output: z
    .enum(['hits', 'files', 'count', 'file'])
    .optional()
    .describe(
      'hits are matching lines (default), files are paths with a number of hits, count is the total only, file writes all matches to a file on this machine',
    ),
  context_lines: z
    .int()
    .min(0)
    .optional()
    .describe(`lines to show around each match, at most ${MAX_CONTEXT_LINES}`),
  ...snippetInput,
});

export const regexSearch = operation<CodeServices>()({
  name: 'regex_search',
  toolset: 'code',
  readOnly: true,
  explains: true,
  summary: 'Every line that matches a regex (Rust dialect).',
  input: regexSearchInput,
  data: matches,
  limit: { default: 50, max: 200 },
  rows: ['matches', 'files'],
  narrows: FILTER_NAMES,
  perMinute: 600,
  unlisted: [
    'case',
    'language',
    'word',
    'fixed',
    'hidden',
    'everything',
    'include_snippet',
    'snippet_length',
  ],
  aliases: { query: 'pattern', q: 'pattern', regex: 'pattern', include: 'glob', word_regexp: 'word' },
  http: 'GET /api/code/search?mode=regex',
  command: {
    words: 'code search',
    positional: ['pattern', 'path'],
    examples: ["pinhole code search 'fn \\w+' src"],
  },

  async run(input, { code, roots, signal, caller, now, limit, url }) {
    const started = now();
    const scope = await code.trees.scopeOf(await roots.resolve(input.path ?? '.'), roots.folders);
    const treeRoot = scope.tree.root;
    const query = queryOf(input, scope.below, caller.door === 'mcp');
    const search = await code.exact.search(scope, query, signal);
    const tally: HitTally = { hits: 0, total: undefined, paths: new Set(), redacted: 0 };
    const countChanged = () => changedSince(treeRoot, tally.paths, started);
    const meta = searchMeta(search, tally, () => now() - started, countChanged);
    if (input.output === 'file') {
      const file = await code.exact.writeMatches(scope, query, signal);
      return single<Matches>({ root: treeRoot, file }, { meta });
    }
    const shownRoot = treeRoot === caller.cwd ? undefined : treeRoot;
    const searched = () => countOf(search.report.searched, 'file');
    const extras = {
      meta,
      explain: () => search.plan(),
      link: url(linkPath(input, join(treeRoot, scope.below))),
    };
    if (input.output === 'count') {
      const { truncated, ...count } = await countHits(search, true, signal);
      return single<Matches>(
        { root: shownRoot, count },
        truncated ? { ...extras, meta: { ...meta, truncated, searched: searched() } } : extras,
      );
    }
    const keep = {
      narrow: ({ path }: { readonly path: string }, filters: Readonly<Record<string, unknown>>) =>
        narrowPaths(filters, treeRoot)(path),
    };
    if (input.output === 'files') {
      return page<FileCount, Matches>({
        ...extras,
        rows: fileCounts(search),
        position: ({ path }) => path,
        shape: (files) => ({ root: shownRoot, files: [...files] }),
        searched,
        keep,
      });
    }
    return page<HitRow, Matches>({
      ...extras,
      rows: hitRows(search, tally, limit),
      position: (row) => [row.path, row.line],
      shape(rows) {
        tally.paths = new Set(rows.map(({ path }) => path));
        tally.redacted = rows.filter(({ redacted }) => redacted).length;
        return { root: shownRoot, matches: grouped(rows, input.include_snippet) };
      },
      // Known later than the first page.
      total: () => tally.total,
      searched,
      keep,
    });
  },

  text({ file, count, files, matches: shown = [] }) {
    if (file !== undefined) return `${countText(file)}: ${file.path} (${countOf(file.bytes, 'byte')})`;
    if (count !== undefined) return countText(count);
    if (files !== undefined) return files.map(({ path, hits }) => `${oneLine(path)}: ${hits}`).join('\n');
    return shown.map(matchesText).join('\n');
  },
});

type RegexSearchInput = z.output<typeof regexSearchInput>;

function queryOf(input: RegexSearchInput, below: string, terse: boolean): ExactQuery {
  const { pattern, glob = [], language, hidden = false, everything = false, fixed = false } = input;
  const around = Math.min(input.context_lines ?? 0, MAX_CONTEXT_LINES);
  const insensitive = input.case === 'smart' ? smartCase(pattern, fixed) : input.case === 'insensitive';
  return {
    pattern: { pattern, insensitive, word: input.word ?? false, fixed },
    filter: { below, globs: glob, language, hidden, everything },
    lines: { before: around, after: around, length: input.snippet_length, trim: around === 0 && terse },
  };
}

/** The same search on the page. */
function linkPath(input: RegexSearchInput, path: string): string {
  const { pattern, glob, language, word, fixed = false } = input;
  return shortLink(
    pageLinks.code({
      q: pattern,
      mode: 'regex',
      path,
      glob: glob?.join(','),
      language,
      word,
      fixed,
      case: input.case === 'smart' ? undefined : input.case,
    }),
  );
}

async function* fileCounts(search: ExactSearch): AsyncGenerator<FileCount> {
  for await (const [path, hits] of search.counts()) yield { path, hits };
}

function grouped(rows: readonly HitRow[], withText: boolean): FileMatches[] {
  const groups: FileMatches[] = [];
  for (const { path, line, column, bytes, text, before, after } of rows) {
    const shown = withText
      ? { line, column, bytes, text, before: before && [...before], after: after && [...after] }
      : { line };
    const open = groups.at(-1);
    if (open?.path === path) open.hits.push(shown);
    else groups.push({ path, hits: [shown] });
  }
  return groups;
}

/** `1 match in 1 file`. */
function countText({ hits, files }: { readonly hits: number; readonly files: number }): string {
  return `${countOf(hits, 'match', 'matches')} in ${countOf(files, 'file')}`;
}

function matchesText({ path, hits }: FileMatches): string {
  const lines = [oneLine(path)];
  for (const { line, text, before = [], after = [] } of hits) {
    for (const [index, shown] of before.entries())
      lines.push(`  ${line - before.length + index}- ${oneLine(shown)}`);
    lines.push(text === undefined ? `  ${line}` : `  ${line}: ${oneLine(text)}`);
    for (const [index, shown] of after.entries()) lines.push(`  ${line + 1 + index}- ${oneLine(shown)}`);
  }
  return lines.join('\n');
}
