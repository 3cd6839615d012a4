import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { errorText } from '../contract/errors.ts';
import { Lru } from '../contract/lru.ts';
import { isInside, type Roots } from '../contract/roots.ts';
import type { Indexer } from '../jobs/indexers.ts';
import type { JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import { CODE_EXACT_JOB, type CodeIndex, listCodeIndexes } from './catalog.ts';
import type { SkipReason, SourceTree } from './files/source-tree.ts';
import { openTree } from './files/tree.ts';
import { IndexedTree, rootId } from './indexed-tree.ts';
import { type MatchFile, writeMatchFile } from './print/export-file.ts';
import type { GrepOutcome } from './print/grep-outcome.ts';
import { parseGrep, printQuery } from './print/grep-request.ts';
import { summaryMessage } from './print/json-messages.ts';
import { noSums, type PrintQuery } from './print/print-search.ts';
import { statsText } from './print/stats.ts';
import { PLAIN } from './print/style.ts';
import { startPool } from './search/pool.ts';
import type { RegexQuery, RegexSearch } from './search/query.ts';
import { MANIFEST } from './trigram/manifest.ts';

/** Where a search takes place. */
export interface CodePlace {
  readonly tree: SourceTree;
  /** The asked folder or file relative to the tree's root; '' for all of it. */
  readonly below: string;
}

/** How much there is in a file of matches. */
export interface MatchNumbers {
  readonly hits: number;
  readonly files: number;
}

/** Everything about source code that operations ask for. */
export interface Code extends Indexer {
  /** The tree of a root, with its files as they are now. */
  tree(root: string): Promise<SourceTree>;
  /** Builds the index for exact search. */
  build(
    root: string,
    signal: AbortSignal,
    progress: (done: number, total: number) => void,
  ): Promise<JobReport>;
  /** The tree that serves a real path; one that is known around it serves its subfolders to who may read all of it. */
  place(path: string, allowed: readonly string[]): Promise<CodePlace>;
  /** Prepares an exact search in the tree of a place. */
  regexSearch(place: CodePlace, query: RegexQuery, signal: AbortSignal): Promise<RegexSearch>;
  /** Writes all matches into a file of the data folder, `path:line:text` each, and says how many there are. */
  matchFile(place: CodePlace, query: RegexQuery, signal: AbortSignal): Promise<MatchFile & MatchNumbers>;
  /** Writes out all matches, piece by piece; see {@link GrepRequest} for what is asked. */
  grep(request: unknown, roots: Roots, signal: AbortSignal): AsyncGenerator<Uint8Array, GrepOutcome>;
  /** Why a file of an open tree is not searched, as far as the index knows. */
  skipReason(root: string, path: string): SkipReason | undefined;
  /** What is indexed, the newest first. */
  indexes(): Promise<readonly CodeIndex[]>;
  close(): Promise<void>;
}

export interface CodeDeps {
  readonly jobs: Jobs;
  /** The data folder. */
  readonly home: string;
  readonly log: (line: string) => void;
  /** Listen to trees that were searched; without it every search looks at every file's time. */
  readonly watch: boolean;
}

/** Trees kept open; the one that was not used for longest is closed. */
const MAX_TREES = 12;

/** Opens the code subject. Call before `jobs.recover`, since it registers its kind of job. */
export async function openCode(deps: CodeDeps): Promise<Code> {
  const folder = join(deps.home, 'code');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pool = startPool();
  const trees = new Lru<string, IndexedTree>({ most: MAX_TREES, dropped: (tree) => void tree.close() });

  const bringUpToDate = (tree: IndexedTree) => {
    deps.jobs.start(CODE_EXACT_JOB, tree.tree.root, { root: tree.tree.root }).catch((error: unknown) => {
      deps.log(`code index of ${tree.tree.root}: ${errorText(error)}`);
    });
  };
  const treeAt = (root: string): IndexedTree => {
    const known = trees.get(root);
    if (known !== undefined) return known;
    const tree = new IndexedTree(openTree(root, { watch: deps.watch }), folder, pool, bringUpToDate);
    trees.set(root, tree);
    return tree;
  };
  /** The nearest tree around a path that is open or indexed, among what the caller may read. */
  const around = (path: string, allowed: readonly string[]): string | undefined =>
    ancestors(folderOf(path), allowed).find(
      (at) => trees.peek(at) !== undefined || existsSync(join(folder, rootId(at), 'trigram', MANIFEST)),
    );

  const build: Code['build'] = async (root, signal, progress) => {
    const tree = treeAt(root);
    await tree.build(signal, progress);
    const { indexed, bytes, segments } = tree.index?.state ?? { indexed: 0, bytes: 0, segments: 0 };
    return { files: indexed, bytes, segments };
  };
  deps.jobs.register({
    name: CODE_EXACT_JOB,
    afterRestart: 'resume',
    run: ({ params, signal, progress }: JobContext) =>
      build(String(params.root), signal, (done, total) =>
        progress({ done, total, unit: 'files', phase: 'indexing' }),
      ),
  });

  const place = async (path: string, allowed: readonly string[]): Promise<CodePlace> => {
    const root = around(path, allowed) ?? rootFor(path, allowed);
    const tree = treeAt(root).tree;
    const below = relative(root, path).replaceAll('\\', '/');
    if (below === '' || (await isKnown(tree, below))) return { tree, below };
    // Hidden by an ignore rule and yet asked for by name: a tree of its own.
    const own = folderOf(path);
    return { tree: treeAt(own).tree, below: relative(own, path) };
  };

  return {
    async tree(root) {
      const { tree } = treeAt(root);
      await tree.refresh();
      return tree;
    },
    build,
    place,
    regexSearch: (place, query, signal) => treeAt(place.tree.root).search(query, signal),
    async matchFile({ tree }, { pattern, filter }, signal) {
      const sums = noSums();
      const query: PrintQuery = { pattern, filter, what: 'matches', ignored: false, style: PLAIN };
      const file = await writeMatchFile(
        join(folder, 'matches'),
        treeAt(tree.root).print(query, sums, signal),
      );
      return { ...file, hits: sums.lines, files: sums.files };
    },
    async *grep(raw, roots, signal) {
      const request = parseGrep(raw);
      const sums = noSums();
      const started = performance.now();
      for (const path of request.paths) {
        const found = await place(await roots.resolve(path.folder), roots.folders);
        const pieces = treeAt(found.tree.root).print(printQuery(request, path, found), sums, signal);
        for await (const piece of pieces) {
          if (request.quiet) return { matched: true };
          yield piece;
        }
      }
      const took = performance.now() - started;
      if (request.form === 'json') yield Buffer.from(summaryMessage(sums, took));
      else if (request.stats) yield Buffer.from(statsText(sums, took));
      return { matched: sums.files > 0 };
    },
    skipReason: (root, path) => trees.get(root)?.index?.skipOf(path),
    indexes: () => listCodeIndexes(folder, deps.jobs),
    async startIndex({ root }) {
      return { job: await deps.jobs.start(CODE_EXACT_JOB, root, { root }) };
    },
    async close() {
      await Promise.all([...trees.values()].map((tree) => tree.close()));
      await pool.close();
    },
  };
}

/** True when no ignore rule hides the file or folder in the tree. */
async function isKnown(tree: SourceTree, below: string): Promise<boolean> {
  const has = () => tree.files.has(below) || tree.folders.has(below);
  if (has()) return true;
  await tree.refresh();
  return has();
}

/** The repository around a path, as far as it may be read; else the folder that the caller works in, or the path's. */
function rootFor(path: string, allowed: readonly string[]): string {
  const folder = folderOf(path);
  const home = homedir();
  const repository = ancestors(folder, allowed).find((at) => existsSync(join(at, '.git')));
  if (repository !== undefined) return repository;
  const readable = allowed.filter((root) => isInside(folder, root) && !isInside(home, root));
  return readable.sort((a, b) => b.length - a.length)[0] ?? folder;
}

/** A folder and those above it that may be read, the nearest first. */
function ancestors(folder: string, allowed: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = folder; allowed.some((root) => isInside(at, root)); at = dirname(at)) {
    found.push(at);
    if (at === dirname(at)) break;
  }
  return found;
}

function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}
