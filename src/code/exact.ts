import { dirname, join } from 'node:path';
import type { Roots } from '../contract/roots.ts';
import type { JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import { CODE_EXACT_JOB } from './code-index-list.ts';
import type { CodeTrees, SearchScope } from './code-trees.ts';
import type { ExactQuery, ExactSearch } from './exact/exact-query.ts';
import type { FileFilter } from './exact/file-filter.ts';
import { NOTHING_SHOWN } from './exact/ripgrep.ts';
import type { SourceTree } from './files/source-tree.ts';
import type { GrepOutcome } from './grep-output/grep-outcome.ts';
import { parseGrep, printQuery } from './grep-output/grep-request.ts';
import { statsText } from './grep-output/grep-stats.ts';
import { summaryMessage } from './grep-output/json-messages.ts';
import { type MatchFile, writeMatchFile } from './grep-output/match-file.ts';
import { noSums, type PrintQuery } from './grep-output/print-search.ts';
import { PLAIN_STYLE } from './grep-output/print-style.ts';

/** Exact search: by regular expression or fixed text. */
export interface Exact {
  /** Prepares a search; nothing is read before its hits or counts are pulled. */
  search(scope: SearchScope, query: ExactQuery, signal: AbortSignal): Promise<ExactSearch>;
  /** The same in the files of a commit, branch or tag. */
  searchRevision(
    scope: SearchScope,
    rev: string,
    query: ExactQuery,
    signal: AbortSignal,
  ): Promise<ExactSearch>;
  /** The files of a scope whose text contains a word, in any case. Never show them: the word may be in a secret. */
  filesContaining(tree: SourceTree, filter: FileFilter, word: string, signal: AbortSignal): Promise<string[]>;
  /** The files that contain a word, as they are now. */
  filesWith(tree: SourceTree, word: string, signal: AbortSignal): AsyncIterable<string>;
  /** Writes all matches to a file in the data folder, one `path:line:text` per line. */
  writeMatches(scope: SearchScope, query: ExactQuery, signal: AbortSignal): Promise<WrittenMatches>;
  /** Writes all matches the way ripgrep does, piece by piece; `request` is a {@link GrepRequest}. */
  grep(request: unknown, roots: Roots, signal: AbortSignal): AsyncGenerator<Uint8Array, GrepOutcome>;
  /** Brings the index of a tree up to date. */
  build(
    root: string,
    signal: AbortSignal,
    progress: (done: number, total: number) => void,
  ): Promise<JobReport>;
}

export interface WrittenMatches extends MatchFile {
  readonly hits: number;
  readonly files: number;
}

export interface ExactOptions {
  readonly trees: CodeTrees;
  readonly jobs: Jobs;
  /** Where files of matches go. */
  readonly matchFolder: string;
}

/** Opens exact search. Call it before `jobs.recover`, because it registers a kind of job. */
export function openExact({ trees, jobs, matchFolder }: ExactOptions): Exact {
  const build: Exact['build'] = async (root, signal, progress) => {
    const tree = trees.at(root);
    await tree.build(signal, progress);
    const { indexed, bytes, segments } = tree.index?.state ?? { indexed: 0, bytes: 0, segments: 0 };
    return { files: indexed, bytes, segments };
  };
  jobs.register({
    name: CODE_EXACT_JOB,
    afterRestart: 'resume',
    run: ({ params, signal, progress }: JobContext) =>
      build(String(params.root), signal, (done, total) =>
        progress({ done, total, unit: 'files', phase: 'indexing' }),
      ),
  });
  return {
    build,
    search: ({ tree }, query, signal) => trees.at(tree.root).search(query, signal),
    async searchRevision({ tree, below }, rev, query, signal) {
      const { searchRevision } = await import('./exact/revision-search.ts');
      // The repository may be a folder of the tree.
      const inside = tree.folders.has(below) ? below : dirname(below).replace(/^\.$/, '');
      const prefix = inside === '' ? '' : `${inside}/`;
      return searchRevision({ folder: join(tree.root, inside), prefix, rev }, query, signal);
    },
    async filesContaining({ root }, filter, word, signal) {
      const pattern = { pattern: word, insensitive: true, word: false, fixed: true };
      const search = await trees
        .at(root)
        .search({ pattern, filter: { ...filter, unlinked: true }, lines: NOTHING_SHOWN }, signal);
      const paths: string[] = [];
      for await (const path of search.files()) paths.push(path);
      return paths;
    },
    async *filesWith({ root }, word, signal) {
      const search = await trees.at(root).search(
        {
          pattern: { pattern: word, insensitive: false, word: true, fixed: true },
          filter: { below: '', globs: [], hidden: false, unlinked: true },
          lines: { before: 0, after: 0, length: 100, trim: true },
        },
        signal,
      );
      for await (const [path] of search.counts()) yield path;
    },
    async writeMatches({ tree }, { pattern, filter }, signal) {
      const sums = noSums();
      const query: PrintQuery = { pattern, filter, what: 'matches', ignored: false, style: PLAIN_STYLE };
      const file = await writeMatchFile(matchFolder, trees.at(tree.root).print(query, sums, signal));
      return { ...file, hits: sums.lines, files: sums.files };
    },
    async *grep(raw, roots, signal) {
      const request = parseGrep(raw);
      const sums = noSums();
      const started = performance.now();
      for (const path of request.paths) {
        const scope = await trees.scopeOf(await roots.resolve(path.folder), roots.folders);
        for await (const piece of trees
          .at(scope.tree.root)
          .print(printQuery(request, path, scope), sums, signal)) {
          if (!request.quiet) yield piece;
          else if (!request.stats) return { matched: true };
        }
      }
      const took = performance.now() - started;
      if (request.form === 'json') yield Buffer.from(summaryMessage(sums, took));
      else if (request.stats) yield Buffer.from(statsText(sums, took));
      return { matched: sums.files > 0 };
    },
  };
}
