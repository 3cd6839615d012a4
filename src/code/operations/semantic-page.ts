import { join, relative } from 'node:path';
import { oneLine } from '../../contract/bytes.ts';
import { type CallContext, type Page, page } from '../../contract/operation.ts';
import { isInside } from '../../contract/roots.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { pathFilter } from '../exact/file-filter.ts';
import type { SemanticHit } from '../semantic/semantic-answer.ts';
import type { SemanticQuery } from '../semantic.ts';
import type { CodeServices } from '../services.ts';
import { narrowPaths } from './narrow-paths.ts';
import {
  SEMANTIC_DECLARATION,
  type SemanticInput,
  type SemanticMatches,
  type SemanticRow,
} from './semantic-input.ts';
import { semanticSnippet } from './semantic-snippet.ts';

/** Hits kept for later pages. */
const MAX_HITS = 200;
/** Files read ahead, as many as a page has rows: one after the other, each would wait for a busy process. */
const FILES_AHEAD = SEMANTIC_DECLARATION.limit.default;

/** Runs a search and pages through its hits. The text of a hit is read when its row is shown. */
export async function semanticPage(
  input: SemanticInput,
  asked: Pick<SemanticQuery, 'mode' | 'text' | 'like'>,
  { code, roots, signal, caller, now, url }: CallContext & CodeServices,
): Promise<Page<never, SemanticMatches>> {
  const started = now();
  const { tree, below } = await code.trees.scopeOf(await roots.resolve(input.path ?? '.'), roots.folders);
  const filter = { below, globs: input.glob ?? [], language: input.language };
  // Checked here because the error of the search thread would not say as clearly that the language is unknown.
  pathFilter(filter);
  const like =
    asked.like === undefined
      ? undefined
      : { ...asked.like, path: await pathInTree(tree.root, asked.like.path, roots) };
  const search: SemanticQuery = { ...asked, like, filter, minScore: input.min_score, limit: MAX_HITS };
  const { hits, plan, index, indexing } = await code.semantic.search(tree, search, signal);
  const read = async (path: string): Promise<string | undefined> => {
    const file = await roots.open(join(tree.root, path)).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  };
  return page<SemanticRow, SemanticMatches>({
    rows: rows(hits, input.include_snippet ? input.snippet_length : 0, new Set(plan.terms), read),
    position: ({ path, line_start }) => [path, line_start],
    shape: (matches) => ({ root: tree.root === caller.cwd ? undefined : tree.root, matches: [...matches] }),
    total: hits.length,
    link: url(
      shortLink(
        pageLinks.code({
          q: asked.text,
          mode: asked.mode,
          path: join(tree.root, below),
          glob: input.glob?.join(','),
          language: input.language,
        }),
      ),
    ),
    meta: { ms: now() - started, index, indexing },
    keep: { narrow: (row, filters) => narrowPaths(filters, tree.root)(row.path) },
    explain: () => ({ ...plan, hits: hits.slice(0, SEMANTIC_DECLARATION.limit.max).map(explained) }),
  });
}

/** Turns a path that is absolute or relative to the caller's folder into one relative to the root. */
async function pathInTree(root: string, path: string, roots: CallContext['roots']): Promise<string> {
  const real = await roots.resolve(path).catch(() => undefined);
  return real !== undefined && isInside(real, root) ? relative(root, real).replaceAll('\\', '/') : path;
}

async function* rows(
  hits: readonly SemanticHit[],
  length: number,
  terms: ReadonlySet<string>,
  read: (path: string) => Promise<string | undefined>,
): AsyncGenerator<SemanticRow> {
  // Loaded with the first search, because the MCP bridge loads every operation and runs none.
  const { linesOf } = await import('../../contract/redact.ts');
  const reading: Promise<string | undefined>[] = [];
  for (const [at, hit] of hits.entries()) {
    const { path, line_start, line_end, symbol, breadcrumb, language, score } = hit;
    const row = {
      path,
      line_start,
      line_end,
      symbol,
      in: breadcrumb.length > 0 ? breadcrumb.join(' > ') : undefined,
      language,
      score: Math.round(score * 1000) / 1000,
    };
    if (length === 0) {
      yield row;
      continue;
    }
    if (reading.length === 0)
      reading.push(...hits.slice(at, at + FILES_AHEAD).map((each) => read(each.path).catch(() => undefined)));
    const whole = await reading.shift();
    // A file that was deleted since the search is no answer any more.
    if (whole !== undefined)
      yield { ...row, text: semanticSnippet(linesOf(whole, line_start, line_end), length, terms) };
  }
}

function explained({ path, line_start, score, parts }: SemanticHit): Record<string, unknown> {
  const rounded = Object.entries(parts).map(([name, part]) => [name, Math.round(part * 1000) / 1000]);
  return { path, line_start, score: Math.round(score * 1000) / 1000, parts: Object.fromEntries(rounded) };
}

/** One line per match with place, name and score, then its text. */
export function semanticText({ matches }: SemanticMatches): string {
  return matches
    .map(({ path, line_start, line_end, symbol, in: inside, score, text }) => {
      const name = [inside, symbol].filter((part) => part !== undefined).join(' > ');
      const head = `${oneLine(path)}:${line_start}-${line_end}${name === '' ? '' : `  ${oneLine(name)}`}  ${score.toFixed(2)}`;
      const body = text?.split('\n').map((line) => `  ${oneLine(line)}`) ?? [];
      return [head, ...body].join('\n');
    })
    .join('\n');
}
