import { join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { countOf } from '../../contract/format.ts';
import { operation, page, single } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { smartCase } from '../../regex/smart-case.ts';
import { compilePattern } from '../exact/compile-pattern.ts';
import type { ExactQuery } from '../exact/exact-query.ts';
import type { CodeServices } from '../services.ts';
import { bytesReader, generatedFiles } from './bytes-reader.ts';
import { changedSince } from './changed-since.ts';
import {
  countHits,
  countsBySyntax,
  type HitRow,
  type HitSyntax,
  type HitTally,
  hitRows,
  SKIPS,
} from './hit-rows.ts';
import { narrowPaths } from './narrow-paths.ts';
import { type FileCount, grouped, type RegexMatches, regexMatches } from './regex-matches.ts';
import { regexText } from './regex-text.ts';
import { FILTER_NAMES, fileFilters, rootFor, snippetInput } from './search-input.ts';
import { searchMeta } from './search-meta.ts';
import { emptyNote, lateNote } from './search-notes.ts';
import { SyntaxSource, symbolsIn, waitFor } from './syntax-source.ts';

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
  skip: z
    .array(z.enum(SKIPS))
    .max(SKIPS.length)
    .optional()
    .describe(
      'leave out hits in comments, tests, prototypes, lines that define something, imports or generated files',
    ),
  include_snippet: z.boolean().default(true).describe('show the lines, not only their numbers'),
  ...snippetInput,
});

export const regexSearch = operation<CodeServices>()({
  name: 'regex_search',
  toolset: 'code',
  readOnly: true,
  explains: true,
  summary: 'Every line that matches a regex (Rust dialect).',
  input: regexSearchInput,
  data: regexMatches,
  // The bytes of an answer end a page of hits; a number would end it before it is full.
  limit: { default: 200, max: 200 },
  rows: ['matches', 'files'],
  narrows: FILTER_NAMES,
  unlisted: [
    'case',
    'language',
    'word',
    'fixed',
    'hidden',
    'everything',
    'include_snippet',
    'snippet_length',
    'spans',
  ],
  aliases: { query: 'pattern', q: 'pattern', regex: 'pattern', include: 'glob', word_regexp: 'word' },
  http: 'GET /api/code/search?mode=regex',
  command: {
    words: 'code search',
    positional: ['pattern', 'path'],
    examples: ["pinhole code search 'fn \\w+' src", 'pinhole code search -i -t ts -C 2 createserver'],
    flags: {
      'ignore-case|i': 'case=insensitive',
      'case-sensitive|s': 'case=sensitive',
      'word-regexp|w': 'word',
      'fixed-strings|F': 'fixed',
      'context|C': 'context_lines',
      'glob|g': 'glob',
      'type|t': 'language',
      'files-with-matches|l': 'output=files',
      'count|c': 'output=count',
    },
  },

  async run(input, { code, roots, signal, caller, now, limit, url }) {
    const started = now();
    const scope = await code.trees.scopeOf(await roots.resolve(input.path ?? '.'), roots.folders);
    const { tree, below } = scope;
    const query = queryOf(input, below, caller.door === 'mcp');
    const search = await code.exact.search(scope, query, signal);
    const tally: HitTally = { hits: 0, total: undefined, paths: new Set(), redacted: 0 };
    const countChanged = () => changedSince(tree.root, tally.paths, started);
    const meta = searchMeta(search, tally, () => now() - started, countChanged);
    if (input.output === 'file') {
      // Over HTTP this is a GET, which a link on a foreign page can send: it must not write anything.
      if (caller.door === 'rest' || caller.door === 'page')
        fail(
          'invalid_parameter',
          'output=file does not work over HTTP. GET /api/code/matches sends all matches.',
        );
      if (input.skip?.length)
        fail('invalid_parameter', 'skip does not work with output=file. Use output=hits.');
      const file = await code.exact.writeMatches(scope, query, signal);
      return single<RegexMatches>({ root: tree.root, file }, { meta });
    }
    const syntax: HitSyntax = {
      source: new SyntaxSource(symbolsIn(tree, { code }, signal)),
      skip: new Set(input.skip),
      generated: generatedFiles(tree.root, roots),
      named: nameTest(query),
      wait: waitFor(caller),
      bytesOf: input.spans ? bytesReader(tree.root, roots) : undefined,
    };
    const shownRoot = rootFor(tree.root, caller);
    const searched = () => countOf(search.report.searched, 'file');
    const note = (found: boolean) =>
      found ? lateNote(syntax.source, syntax.skip) : emptyNote(search, query.filter, syntax);
    const extras = {
      meta,
      explain: () => search.plan(),
      link: url(linkPath(input, join(tree.root, below))),
    };
    const counts = () => (syntax.skip.size > 0 ? countsBySyntax(search, syntax) : search.counts());
    if (input.output === 'count') {
      const { truncated, ...count } = await countHits(counts(), signal);
      return single<RegexMatches>(
        { root: shownRoot, note: note(count.hits > 0), count },
        truncated ? { ...extras, meta: { ...meta, truncated, searched: searched() } } : extras,
      );
    }
    const keep = {
      narrow: ({ path }: { readonly path: string }, filters: Readonly<Record<string, unknown>>) =>
        narrowPaths(filters, tree.root)(path),
    };
    if (input.output === 'files') {
      return page<FileCount, RegexMatches>({
        ...extras,
        rows: fileCounts(counts()),
        position: ({ path }) => path,
        shape: (files) => ({ root: shownRoot, note: note(files.length > 0), files: [...files] }),
        searched,
        keep,
      });
    }
    return page<HitRow, RegexMatches>({
      ...extras,
      rows: hitRows(search, tally, limit, syntax),
      position: (row) => [row.path, row.line],
      shape(rows) {
        tally.paths = new Set(rows.map(({ path }) => path));
        tally.redacted = rows.filter(({ redacted }) => redacted).length;
        return {
          root: shownRoot,
          note: note(rows.length > 0),
          matches: grouped(rows, input.include_snippet),
        };
      },
      // Known later than the first page.
      total: () => tally.total,
      searched,
      keep,
    });
  },

  text: regexText,
});

type RegexSearchInput = z.output<typeof regexSearchInput>;

function queryOf(input: RegexSearchInput, below: string, terse: boolean): ExactQuery {
  const { pattern, glob = [], language, hidden = false, everything = false, fixed = false } = input;
  const around = input.context_lines ?? 0;
  const insensitive = input.case === 'smart' ? smartCase(pattern, fixed) : input.case === 'insensitive';
  return {
    pattern: { pattern, insensitive, word: input.word ?? false, fixed },
    filter: { below, globs: glob, near: true, language, hidden, everything },
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

async function* fileCounts(
  counts: AsyncIterable<readonly [path: string, hits: number]>,
): AsyncGenerator<FileCount> {
  for await (const [path, hits] of counts) yield { path, hits };
}

/** Tests names by the pattern; where only ripgrep can run it, no name is known to match. */
function nameTest({ pattern }: ExactQuery): (name: string) => boolean {
  const matcher = compilePattern(pattern);
  return (name) => {
    const bytes = Buffer.from(name);
    return matcher?.test(bytes, 0, bytes.length) ?? false;
  };
}
