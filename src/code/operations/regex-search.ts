import { join } from 'node:path';
import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { countOf } from '../../contract/format.ts';
import { operation, page, single } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import type { Code } from '../code.ts';
import type { Hit } from '../search/hits.ts';
import type { RegexSearch } from '../search/query.ts';
import { smartCase } from '../search/smart-case.ts';
import { changedSince } from './changed-since.ts';
import { narrowed } from './narrowed.ts';

type Row = Hit & { readonly path: string };

interface FileRow {
  readonly path: string;
  readonly hits: number;
}

/** One of the forms of an answer. */
interface Matches {
  /** Folder of the paths, where it is not the caller's. */
  readonly root?: string | undefined;
  readonly matches?: readonly { readonly path: string; readonly hits: readonly Partial<Hit>[] }[];
  readonly files?: readonly FileRow[];
  readonly count?: { readonly hits: number; readonly files: number };
  /** All matches, in a file on this machine. */
  readonly file?: {
    readonly path: string;
    readonly bytes: number;
    readonly hits: number;
    readonly files: number;
  };
}

const OUTPUTS = ['hits', 'files', 'count', 'file'] as const;
/** More is cut to this; not in the schema, where it would be paid for in every conversation. */
const MOST_CONTEXT = 10;
const CASES = ['smart', 'sensitive', 'insensitive'] as const;

export const regexSearch = operation<{ code: Code }>()({
  name: 'regex_search',
  toolset: 'code',
  readOnly: true,
  explains: true,
  summary: 'Every line that matches a regex (Rust dialect).',
  input: z.strictObject({
    pattern: z.string().min(1).max(2000),
    path: z.string().min(1).max(4096).optional(),
    glob: z.array(z.string().min(1).max(500)).max(50).optional(),
    language: z.string().max(40).optional(),
    case: z.enum(CASES).default('smart'),
    word: z.boolean().optional(),
    fixed: z.boolean().optional(),
    hidden: z.boolean().optional(),
    everything: z.boolean().optional(),
    output: z.enum(OUTPUTS).optional(),
    context_lines: z.int().min(0).optional(),
    include_snippet: z.boolean().default(true),
    snippet_length: z.int().min(20).max(10_000).default(500),
  }),
  limit: { default: 50, max: 200 },
  rows: ['matches', 'files'],
  columns: ['path', 'hits'],
  narrows: ['path', 'glob', 'language'],
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
    const place = await code.place(await roots.resolve(input.path ?? '.'), roots.folders);
    const around = Math.min(input.context_lines ?? 0, MOST_CONTEXT);
    const filter = {
      below: place.below,
      globs: input.glob ?? [],
      language: input.language,
      hidden: input.hidden ?? false,
      everything: input.everything ?? false,
    };
    const fixed = input.fixed ?? false;
    const query = {
      pattern: {
        pattern: input.pattern,
        insensitive: input.case === 'smart' ? smartCase(input.pattern, fixed) : input.case === 'insensitive',
        word: input.word ?? false,
        fixed,
      },
      filter,
      lines: {
        before: around,
        after: around,
        length: input.snippet_length,
        trim: around === 0 && caller.door === 'mcp',
      },
    };
    const search = await code.regexSearch(place, query, signal);
    const root = place.tree.root === caller.cwd ? undefined : place.tree.root;
    const seen: Seen = { hits: 0, total: undefined, paths: new Set(), redacted: 0 };
    const changed = () => changedSince(place.tree.root, seen.paths, started);
    const meta = answerMeta(search, seen, () => now() - started, changed);
    const explain = () => search.plan();
    const link = url(
      shortLink(
        pageLinks.code({
          q: input.pattern,
          mode: 'regex',
          path: join(place.tree.root, place.below),
          glob: input.glob?.join(','),
          language: input.language,
          word: input.word,
          fixed,
          case: input.case === 'smart' ? undefined : input.case,
        }),
      ),
    );
    if (input.output === 'file')
      return single<Matches>(
        { root: place.tree.root, file: await code.matchFile(place, query, signal) },
        { meta },
      );
    const searched = () => countOf(search.report.looked, 'file');
    if (input.output === 'count') {
      const { truncated, ...count } = await countAll(search, true, signal);
      const facts = truncated ? { ...meta, truncated, searched: searched() } : meta;
      return single<Matches>({ root, count }, { link, meta: facts, explain });
    }
    const narrow = (row: { readonly path: string }, filters: Readonly<Record<string, unknown>>) =>
      narrowed(filters, place.tree.root)(row.path);
    if (input.output === 'files') {
      return page<FileRow, Matches>({
        rows: fileRows(search),
        position: (row) => row.path,
        shape: (files) => ({ root, files }),
        searched,
        link,
        meta,
        explain,
        keep: { narrow },
      });
    }
    return page<Row, Matches>({
      rows: hitRows(search, seen, limit),
      position: (row) => [row.path, row.line],
      shape: (rows) => {
        seen.paths = new Set(rows.map(({ path }) => path));
        seen.redacted = rows.filter(({ redacted }) => redacted).length;
        return { root, matches: grouped(rows, input.include_snippet) };
      },
      // Known later than the first page.
      total: () => seen.total,
      searched,
      link,
      meta,
      explain,
      keep: { narrow },
    });
  },

  text(data) {
    if (data.file !== undefined)
      return `${data.file.hits} matches in ${data.file.files} files: ${data.file.path} (${data.file.bytes} bytes)`;
    if (data.count !== undefined) return `${data.count.hits} matches in ${data.count.files} files`;
    if (data.files !== undefined)
      return data.files.map(({ path, hits }) => `${oneLine(path)}: ${hits}`).join('\n');
    return (data.matches ?? []).map(fileText).join('\n');
  },
});

/** What is known of the number of hits. */
interface Seen {
  hits: number;
  total: number | undefined;
  /** Files on the page. */
  paths: ReadonlySet<string>;
  /** Lines on the page that are not shown as they are. How many are not shown at all would answer guesses at them. */
  redacted: number;
}

/** Counting the rest begins this long after the first page, so that it takes no time from it. */
const COUNT_AFTER_MS = 25;

async function* hitRows(search: RegexSearch, seen: Seen, limit: number): AsyncGenerator<Row> {
  let counting = false;
  for await (const { path, hits } of search.hits()) {
    seen.hits += hits.length;
    for (const hit of hits) yield { path, ...hit };
    if (seen.hits <= limit || counting) continue;
    counting = true;
    setTimeout(() => {
      if (seen.total === undefined) countAll(search, false).then(({ hits }) => setTotal(seen, hits), ignore);
    }, COUNT_AFTER_MS).unref();
  }
  setTotal(seen, seen.hits);
}

function setTotal(seen: Seen, total: number): void {
  seen.total = total;
}

/** Without the total the answer says "at least": nobody needs to hear of it. */
function ignore(): void {}

async function* fileRows(search: RegexSearch): AsyncGenerator<FileRow> {
  for await (const [path, hits] of search.counts()) yield { path, hits };
}

/** The number of hits; of those that were found before the time limit where there were any. */
async function countAll(
  search: RegexSearch,
  waited: boolean,
  signal?: AbortSignal,
): Promise<{ hits: number; files: number; truncated?: true }> {
  const count = { hits: 0, files: 0 };
  try {
    for await (const [, hits] of search.counts(waited)) {
      count.hits += hits;
      count.files++;
    }
  } catch (error) {
    if (signal?.aborted !== true || count.hits === 0) throw error;
    return { ...count, truncated: true };
  }
  return count;
}

/** Lines were read this long ago, for a page that is asked for later. */
const LATER_MS = 50;

/** Facts on the answer; read when it is written, since some are known only then. */
function answerMeta(search: RegexSearch, seen: Readonly<Seen>, ms: () => number, changed: () => number) {
  return {
    get ms() {
      return ms();
    },
    /** There are at least this many; the total is not known yet. */
    get at_least() {
      return seen.hits > 0 && seen.total === undefined ? seen.hits : undefined;
    },
    get index() {
      const { files, doubt: unsure, indexed } = search.report;
      const stale = ms() > LATER_MS ? changed() : 0;
      const doubt =
        unsure ??
        (stale > 0 ? `${stale} of the files on this page changed since the search; repeat it` : undefined);
      return {
        files,
        fresh: doubt === undefined,
        ...(doubt === undefined ? {} : { doubt }),
        ...(indexed ? {} : { building: true }),
      };
    },
    get redacted() {
      return seen.redacted > 0 ? seen.redacted : undefined;
    },
    get skipped() {
      const { skipped } = search.report;
      return Object.keys(skipped).length > 0 ? skipped : undefined;
    },
  };
}

function grouped(rows: readonly Row[], withText: boolean) {
  const groups: { path: string; hits: Partial<Hit>[] }[] = [];
  for (const { path, redacted: _counted, ...hit } of rows) {
    const shown = withText ? hit : { line: hit.line };
    const open = groups.at(-1);
    if (open?.path === path) open.hits.push(shown);
    else groups.push({ path, hits: [shown] });
  }
  return groups;
}

function fileText({ path, hits }: { readonly path: string; readonly hits: readonly Partial<Hit>[] }): string {
  const lines = [oneLine(path)];
  for (const { line = 0, text, before = [], after = [] } of hits) {
    for (const [index, shown] of before.entries())
      lines.push(`  ${line - before.length + index}- ${oneLine(shown)}`);
    lines.push(text === undefined ? `  ${line}` : `  ${line}: ${oneLine(text)}`);
    for (const [index, shown] of after.entries()) lines.push(`  ${line + 1 + index}- ${oneLine(shown)}`);
  }
  return lines.join('\n');
}
