import { join } from 'node:path';
import { fail } from '../../contract/errors.ts';
import { countOf } from '../../contract/format.ts';
import { type CallContext, type Page, page, type Single, single } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { smartCase } from '../../regex/smart-case.ts';
import { compilePattern } from '../exact/compile-pattern.ts';
import type { ExactQuery, ExactSearch } from '../exact/exact-query.ts';
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
} from './hit-rows.ts';
import { withLeftOut } from './left-out-search.ts';
import { narrowPaths } from './narrow-paths.ts';
import type { OneSearchInput } from './regex-input.ts';
import { type FileCount, grouped, type RegexMatches } from './regex-matches.ts';
import { rootFor } from './search-input.ts';
import { type SearchMeta, searchMeta } from './search-meta.ts';
import { emptyNote, lateNote } from './search-notes.ts';
import { SyntaxSource, symbolsIn, symbolsThen, waitFor } from './syntax-source.ts';

export type SearchContext = CallContext & CodeServices;

/** A search that is ready to run. */
export interface PreparedSearch {
  readonly input: OneSearchInput;
  readonly search: ExactSearch;
  readonly tally: HitTally;
  readonly meta: SearchMeta;
  /** The folder that its paths start from. */
  readonly treeRoot: string;
  /** That folder as it is shown; undefined if it is not. */
  readonly root: string | undefined;
  /** A link to the same search on the page. */
  readonly link: string;
  hits(): AsyncGenerator<HitRow>;
  counts(): AsyncIterable<readonly [path: string, hits: number]>;
  /** A note on the answer; `found` says whether it has rows. */
  note(found: boolean): string | undefined;
  writeFile(): ReturnType<CodeServices['code']['exact']['writeMatches']>;
}

/** Prepares one search; `among` searches in one answer share the waiting time. */
export async function prepareOne(
  input: OneSearchInput,
  { code, roots, signal, caller, now, limit, url }: SearchContext,
  among = 1,
): Promise<PreparedSearch> {
  const started = now();
  const scope = await code.trees.scopeOf(await roots.resolve(input.path ?? '.'), roots.folders);
  const { tree, below } = scope;
  const query = queryOf(input, below, caller.door === 'mcp');
  const { rev } = input;
  if (rev !== undefined) refuseWithRev(input);
  const search =
    rev === undefined
      ? withLeftOut(await code.exact.search(scope, query, signal), () =>
          code.exact.search(scope, { ...query, filter: { ...query.filter, everything: true } }, signal),
        )
      : await code.exact.searchRevision(scope, rev, query, signal);
  const tally: HitTally = { hits: 0, total: undefined, paths: new Set(), redacted: 0 };
  const countChanged = () => (rev === undefined ? changedSince(tree.root, tally.paths, started) : 0);
  const syntax: HitSyntax = {
    source: new SyntaxSource(
      rev === undefined ? symbolsIn(tree, { code }, signal) : symbolsThen(search, { code }, signal),
    ),
    skip: new Set(input.skip),
    generated: generatedFiles(tree.root, roots),
    named: nameTest(query),
    wait: waitFor(caller) / Math.min(among, MAX_SHARES),
    bytesOf: input.spans ? bytesReader(tree.root, roots) : undefined,
  };
  return {
    input,
    search,
    tally,
    meta: searchMeta(search, tally, () => now() - started, countChanged),
    treeRoot: tree.root,
    root: rootFor(tree.root, caller),
    link: url(linkPath(input, join(tree.root, below))),
    hits: () => hitRows(search, tally, limit, syntax),
    counts: () => (syntax.skip.size > 0 ? countsBySyntax(search, syntax) : search.counts()),
    note: (found) => {
      if (!found) return emptyNote(search, query.filter, syntax);
      // Lines are useful without the names around them.
      return syntax.skip.size === 0 ? undefined : lateNote(syntax.source, syntax.skip);
    },
    writeFile: () => code.exact.writeMatches(scope, query, signal),
  };
}

/** Refuses what reads the files on disk. */
function refuseWithRev({ skip = [], spans, output, multiline }: OneSearchInput): void {
  const wrong = multiline
    ? 'multiline'
    : skip.length > 0
      ? 'skip'
      : spans
        ? 'spans'
        : output === 'file'
          ? 'output=file'
          : undefined;
  if (wrong !== undefined) fail('invalid_parameter', `${wrong} does not work with rev. Leave it out.`);
}

/** Searches in one call rarely all find files that were never parsed. */
const MAX_SHARES = 4;

/** The answer to one search. */
export async function answerOne(
  prepared: PreparedSearch,
  { caller, signal }: SearchContext,
): Promise<Single<RegexMatches> | Page<never, RegexMatches>> {
  const { input, search, tally, meta, root, treeRoot, note, link } = prepared;
  if (input.output === 'file') {
    // Over HTTP this is a GET, which a link on a foreign page can send: it must not write anything.
    if (caller.door === 'rest' || caller.door === 'page')
      fail(
        'invalid_parameter',
        'output=file does not work over HTTP. GET /api/code/matches sends all matches.',
      );
    if (input.skip?.length)
      fail('invalid_parameter', 'skip does not work with output=file. Use output=hits.');
    return single<RegexMatches>({ root: treeRoot, file: await prepared.writeFile() }, { meta });
  }
  const searched = () => countOf(search.report.searched, 'file');
  const extras = { meta, explain: () => search.plan(), link };
  if (input.output === 'count') {
    const { truncated, ...count } = await countHits(prepared.counts(), signal);
    return single<RegexMatches>(
      { root, note: note(count.hits > 0), count },
      truncated ? { ...extras, meta: { ...meta, truncated, searched: searched() } } : extras,
    );
  }
  const keep = {
    narrow: ({ path }: { readonly path: string }, filters: Readonly<Record<string, unknown>>) =>
      narrowPaths(filters, treeRoot)(path),
  };
  if (input.output === 'files') {
    return page<FileCount, RegexMatches>({
      ...extras,
      rows: fileCounts(prepared.counts()),
      position: ({ path }) => path,
      shape: (files) => ({ root, note: note(files.length > 0), files: [...files] }),
      searched,
      keep,
    });
  }
  return page<HitRow, RegexMatches>({
    ...extras,
    rows: prepared.hits(),
    position: (row) => [row.path, row.line],
    shape: (rows) => ({ root, note: note(rows.length > 0), matches: shownHits(prepared, rows) }),
    // Known only after the first page.
    total: () => tally.total,
    searched,
    keep,
  });
}

/** The hits of a page by file; records in the tally what the page shows. */
export function shownHits({ tally, input }: PreparedSearch, rows: readonly HitRow[]) {
  tally.paths = new Set(rows.map(({ path }) => path));
  tally.redacted = rows.filter(({ redacted }) => redacted).length;
  return grouped(rows, input.include_snippet);
}

function queryOf(input: OneSearchInput, below: string, terse: boolean): ExactQuery {
  const { pattern, glob = [], language, hidden = false, everything = false, fixed = false } = input;
  const around = input.context_lines ?? 0;
  const insensitive = input.case === 'smart' ? smartCase(pattern, fixed) : input.case === 'insensitive';
  return {
    pattern: { pattern, insensitive, word: input.word ?? false, fixed, multiline: input.multiline },
    filter: { below, globs: glob, near: true, language, hidden, everything },
    lines: { before: around, after: around, length: input.snippet_length, trim: around === 0 && terse },
  };
}

/** A link to the same search on the page. */
function linkPath(input: OneSearchInput, path: string): string {
  const { pattern, glob, language, word, fixed = false, multiline } = input;
  return shortLink(
    pageLinks.code({
      q: pattern,
      mode: 'regex',
      path,
      glob: glob?.join(','),
      language,
      word,
      fixed,
      multiline,
      case: input.case === 'smart' ? undefined : input.case,
    }),
  );
}

export async function* fileCounts(
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
