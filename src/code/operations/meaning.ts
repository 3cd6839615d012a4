import { join, relative } from 'node:path';
import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { type CallContext, type Page, page } from '../../contract/operation.ts';
import { isInside } from '../../contract/roots.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import type { Code } from '../code.ts';
import { pathFilter } from '../search/query.ts';
import type { MeaningHit } from '../semantic/answer.ts';
import type { MeaningSearch, Semantic } from '../semantic.ts';
import { meaningSnippet } from './meaning-snippet.ts';
import { narrowed } from './narrowed.ts';

/** What the two searches by meaning need. */
export interface MeaningServices {
  readonly code: Code;
  readonly semantic: Semantic;
}

/** One match as it is shown. */
export interface MeaningRow {
  readonly path: string;
  readonly line_start: number;
  readonly line_end: number;
  readonly symbol?: string | undefined;
  /** What encloses it, outermost first. */
  readonly in?: string | undefined;
  readonly language?: string | undefined;
  readonly score: number;
  readonly text?: string | undefined;
}

export interface MeaningMatches {
  /** Folder of the paths, where it is not the caller's. */
  readonly root?: string | undefined;
  readonly matches: readonly MeaningRow[];
}

/** The inputs both searches share. */
export const MEANING_INPUT = {
  path: z.string().min(1).max(4096).optional(),
  glob: z.array(z.string().min(1).max(500)).max(50).optional(),
  language: z.string().max(40).optional(),
  min_score: z.number().min(0).max(1).default(0),
  include_snippet: z.boolean().default(true),
  snippet_length: z.int().min(20).max(10_000).default(500),
} as const;

export const MEANING_LIMIT = { default: 10, max: 50 } as const;
export const MEANING_COLUMNS = [
  'path',
  'line_start',
  'line_end',
  'symbol',
  'in',
  'language',
  'score',
  'text',
] as const;
export const MEANING_NARROWS: readonly string[] = ['path', 'glob', 'language'];
/** Taken from whoever knows them; in the tool list they would be paid for in every conversation. */
export const MEANING_UNLISTED: readonly string[] = [
  'language',
  'min_score',
  'include_snippet',
  'snippet_length',
];
/** Kept for later pages. */
const MOST_HITS = 200;

interface MeaningInput {
  readonly path?: string | undefined;
  readonly glob?: readonly string[] | undefined;
  readonly language?: string | undefined;
  readonly min_score: number;
  readonly include_snippet: boolean;
  readonly snippet_length: number;
}

/** Runs a search and pages through its hits; the text of a hit is read when its row is shown. */
export async function meaningPage(
  input: MeaningInput,
  asked: Pick<MeaningSearch, 'mode' | 'text' | 'like'>,
  { code, semantic, roots, signal, caller, now, url }: CallContext & MeaningServices,
): Promise<Page<never, MeaningMatches>> {
  const started = now();
  const { tree, below } = await code.place(await roots.resolve(input.path ?? '.'), roots.folders);
  const filter = { below, globs: input.glob ?? [], language: input.language };
  // Complains here about a language nobody knows; the thread that searches could not say it as well.
  pathFilter(filter);
  const like =
    asked.like === undefined
      ? undefined
      : { ...asked.like, path: await placeIn(tree.root, asked.like.path, roots) };
  const search: MeaningSearch = { ...asked, like, filter, minScore: input.min_score, limit: MOST_HITS };
  const { hits, plan, index, indexing } = await semantic.search(tree, search, signal);
  const read = async (path: string): Promise<string | undefined> => {
    const file = await roots.open(join(tree.root, path)).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  };
  return page<MeaningRow, MeaningMatches>({
    rows: rows(hits, input.include_snippet ? input.snippet_length : 0, new Set(plan.terms), read),
    position: ({ path, line_start }) => [path, line_start],
    shape: (matches) => ({ root: tree.root === caller.cwd ? undefined : tree.root, matches }),
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
    keep: { narrow: (row, filters) => narrowed(filters, tree.root)(row.path) },
    explain: () => ({ ...plan, hits: hits.slice(0, MEANING_LIMIT.max).map(explained) }),
  });
}

/** A path from the caller's folder, or absolute, as one from the root; one from the root stays. */
async function placeIn(root: string, path: string, roots: CallContext['roots']): Promise<string> {
  const real = await roots.resolve(path).catch(() => undefined);
  return real !== undefined && isInside(real, root) ? relative(root, real).replaceAll('\\', '/') : path;
}

/** Files that are read at a time: those of a page. One after the other they would each wait for a busy process. */
const AHEAD = MEANING_LIMIT.default;

async function* rows(
  hits: readonly MeaningHit[],
  length: number,
  terms: ReadonlySet<string>,
  read: (path: string) => Promise<string | undefined>,
): AsyncGenerator<MeaningRow> {
  // Loaded with the first search: the bridge knows every operation and runs none.
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
      reading.push(...hits.slice(at, at + AHEAD).map((each) => read(each.path).catch(() => undefined)));
    const whole = await reading.shift();
    // Gone since the search: no longer an answer.
    if (whole !== undefined)
      yield { ...row, text: meaningSnippet(linesOf(whole, line_start, line_end), length, terms) };
  }
}

function explained({ path, line_start, score, parts }: MeaningHit): Record<string, unknown> {
  const rounded = Object.entries(parts).map(([name, part]) => [name, Math.round(part * 1000) / 1000]);
  return { path, line_start, score: Math.round(score * 1000) / 1000, parts: Object.fromEntries(rounded) };
}

/** Terse lines: place, name and score, then the text. */
export function meaningText({ matches }: MeaningMatches): string {
  return matches
    .map(({ path, line_start, line_end, symbol, in: inside, score, text }) => {
      const name = [inside, symbol].filter((part) => part !== undefined).join(' > ');
      const head = `${oneLine(path)}:${line_start}-${line_end}${name === '' ? '' : `  ${oneLine(name)}`}  ${score.toFixed(2)}`;
      const body = text?.split('\n').map((line) => `  ${oneLine(line)}`) ?? [];
      return [head, ...body].join('\n');
    })
    .join('\n');
}
