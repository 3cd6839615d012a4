import { join, relative, sep } from 'node:path';
import { oneLine } from '../../contract/bytes.ts';
import { countOf } from '../../contract/format.ts';
import type { NextCall } from '../../contract/next-call.ts';
import { type CallContext, type Page, page, type TextStyle } from '../../contract/operation.ts';
import type { Paint } from '../../contract/painted-text.ts';
import { isInside } from '../../contract/roots.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { callRegexSearch } from '../calls.ts';
import { pathFilter } from '../exact/file-filter.ts';
import type { SourceTree } from '../files/source-tree.ts';
import { condensed } from '../rank/telling-lines.ts';
import type { SemanticHit } from '../semantic/semantic-answer.ts';
import type { SemanticQuery, SemanticResult } from '../semantic.ts';
import type { CodeServices } from '../services.ts';
import { definitionHits } from './definition-hits.ts';
import { narrowPaths } from './narrow-paths.ts';
import { rootFor } from './search-input.ts';
import { lateNote, noFiles } from './search-notes.ts';
import type { SemanticInput, SemanticMatches, SemanticRow } from './semantic-input.ts';
import { semanticRows } from './semantic-rows.ts';
import { type OneSemanticSearch, severalPage } from './semantic-several.ts';
import { codeLine } from './shared-indent.ts';
import { SyntaxSource, symbolsIn, waitFor } from './syntax-source.ts';

/** Hits kept for later pages. */
const MAX_HITS = 200;

/** Questions whose answers are definitions; a name has its own order, and a report is about whole files. */
const BY_DEFINITION: ReadonlySet<SemanticResult['plan']['kind']> = new Set(['sentence', 'architecture']);

type Asked = Pick<SemanticQuery, 'mode' | 'text' | 'like'>;

/** Runs a search and pages through its hits. The text of a hit is read when its row is shown. */
export async function semanticPage(
  input: SemanticInput,
  question: Asked,
  context: CallContext & CodeServices,
): Promise<Page<never, SemanticMatches>> {
  const { caller, now, url } = context;
  const started = now();
  const paths = [input.path ?? '.'].flat();
  const searches = await Promise.all(paths.map((path) => searchOne(path, input, question, context)));
  const [first] = searches;
  if (first === undefined) throw new Error('a search has at least one path');
  if (searches.length > 1) return severalPage(searches, input, caller, now() - started);
  const { tree, below, hits, plan, rows, note, index, indexing } = first;
  return page<SemanticRow, SemanticMatches>({
    rows,
    position: ({ path, line_start }) => [path, line_start],
    shape: (matches) => ({
      root: rootFor(tree.root, caller),
      note: note(matches.length > 0),
      matches: [...matches],
    }),
    link: url(
      shortLink(
        pageLinks.code({
          q: question.text,
          mode: question.mode,
          path: join(tree.root, below),
          glob: input.glob?.join(','),
          language: input.language,
        }),
      ),
    ),
    ...(plan.unread && { next: regexInstead(question.text ?? '') }),
    meta: { ms: now() - started, index, indexing },
    // Kept results are counted, and finding nothing in only some of the files is not a result.
    ...(hits.length > 0 && {
      keep: { narrow: (row, filters) => narrowPaths(filters, tree.root)(row.path) },
    }),
    explain: () => ({ ...plan, hits: hits.map(explained) }),
  });
}

/** The hits in one folder or file. */
async function searchOne(
  path: string,
  input: SemanticInput,
  question: Asked,
  { code, roots, signal, caller }: CallContext & CodeServices,
): Promise<OneSemanticSearch> {
  const asked = { ...question, text: question.text === undefined ? undefined : condensed(question.text) };
  const { tree, below } = await code.trees.scopeOf(await roots.resolve(path), roots.folders);
  const filter = { below, globs: input.glob ?? [], near: true, language: input.language };
  // Checked here because the search thread's error would not say as clearly that the language is unknown.
  const accept = pathFilter(filter);
  const like =
    asked.like === undefined
      ? undefined
      : { ...asked.like, path: await pathInTree(tree.root, asked.like.path, roots) };
  const wanted = { minScore: input.min_score, limit: MAX_HITS, explain: caller.explain };
  const search: SemanticQuery = { ...asked, like, filter, ...wanted };
  const result = await code.semantic.search(tree, search, signal);
  const { plan, index, indexing } = result;
  const syntax = new SyntaxSource(symbolsIn(tree, { code }, signal));
  // A caller that waited for the index also waits for names: parsing is slow while files are read.
  const wait = (indexing === undefined ? 1 : 3) * waitFor(caller);
  syntax.allow(wait);
  const { text } = asked;
  const hits =
    text === undefined || !BY_DEFINITION.has(plan.kind)
      ? result.hits
      : await definitionHits(result.hits, syntax, (files) =>
          code.semantic.places({ root: tree.root, text, mode: asked.mode, files }, signal),
        );
  const rows = semanticRows(hits, {
    root: tree.root,
    roots,
    asked: { terms: new Set(plan.terms), identifiers: new Set(plan.identifiers) },
    input,
    syntax,
    wait,
  });
  const read = () => countAccepted(tree, accept) - ((indexing?.of ?? 0) - (indexing?.files ?? 0));
  const note = (found: boolean) =>
    found ? lateNote(syntax) : (unreadNote(plan.unread) ?? nothingNote(read(), filter, indexing));
  return { tree, below, hits, plan, rows, note, index, indexing };
}

/** Turns a path that is absolute or relative to the caller's folder into one relative to the root. */
async function pathInTree(root: string, path: string, roots: CallContext['roots']): Promise<string> {
  const real = await roots.resolve(path).catch(() => undefined);
  return real !== undefined && isInside(real, root) ? relative(root, real).replaceAll(sep, '/') : path;
}

function countAccepted(tree: SourceTree, accept: (path: string) => boolean): number {
  let count = 0;
  const { files } = tree;
  for (const number of files.numbers())
    if (files.isShown(number) && accept(files.paths.path(number))) count++;
  return count;
}

function unreadNote(why: SemanticResult['plan']['unread']): string | undefined {
  if (why === 'no words') return 'The query has no words. Search for signs with a regular expression.';
  if (why === 'no known word')
    return 'No word of the query is known. Ask in English, or search for the exact text with a regular expression.';
  return undefined;
}

/** Longer texts are not worth repeating. */
const MAX_REPEATED = 200;

function regexInstead(text: string): NextCall[] {
  const pattern = text.trim();
  if (pattern === '' || pattern.length > MAX_REPEATED || pattern.includes('\0')) return [];
  return [callRegexSearch({ pattern, fixed: true })];
}

function nothingNote(
  files: number,
  filter: Parameters<typeof noFiles>[0],
  indexing: SemanticResult['indexing'],
): string {
  if (indexing !== undefined) return `No match in the ${countOf(files, 'file')} read so far.`;
  return files === 0 ? noFiles(filter) : `No match in ${countOf(files, 'file')}.`;
}

function explained({ path, line_start, score, parts = {} }: SemanticHit): Record<string, unknown> {
  const rounded = Object.entries(parts).map(([name, part]) => [name, Math.round(part * 1000) / 1000]);
  return { path, line_start, score: Math.round(score * 1000) / 1000, parts: Object.fromEntries(rounded) };
}

/** One line per match with place, name and score, then its numbered lines. */
export function semanticText(
  { root, note, matches }: SemanticMatches,
  { paint }: Pick<TextStyle, 'paint'>,
): string {
  if (matches.length === 0) return note ?? '';
  const lead = root === undefined ? [] : [`in ${oneLine(root)}:`];
  return [
    ...(note === undefined ? [] : [note]),
    ...lead,
    ...matches.map((match) => matchText(match, paint)),
  ].join('\n');
}

function matchText(row: SemanticRow, paint: Paint): string {
  const { path, line_start, line_end, symbol, score, text, text_start } = row;
  const name = symbol === undefined ? '' : `  ${oneLine(symbol)}`;
  // The order says as much as a score that rounds to zero.
  const worth = score < 0.005 ? '' : `  ${score.toFixed(2)}`;
  const head = `${paint('path', oneLine(path))}:${line_start}-${line_end}${name}${worth}`;
  const body =
    text
      ?.split('\n')
      .map((line, at) =>
        `${paint('line', String((text_start ?? line_start) + at))}  ${codeLine(line)}`.trimEnd(),
      ) ?? [];
  return [head, ...body].join('\n');
}
