import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { errorText } from '../contract/errors.ts';
import { Lru } from '../contract/lru.ts';
import { isInside, type Roots } from '../contract/roots.ts';
import type { Indexer } from '../jobs/indexer.ts';
import type { JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import { type CodeIndex, listCodeIndexes } from './catalog.ts';
import type { SkipReason, SourceTree } from './files/source-tree.ts';
import { openTree } from './files/tree.ts';
import { IndexedTree } from './indexed-tree.ts';
import { type MatchFile, writeMatchFile } from './print/export-file.ts';
import { parseGrep, printQuery } from './print/grep-request.ts';
import { summaryMessage } from './print/json-messages.ts';
import { noSums, type PrintQuery } from './print/print-search.ts';
import { statsText } from './print/stats.ts';
import { PLAIN } from './print/style.ts';
import { startPool } from './search/pool.ts';
import type { RegexQuery, RegexSearch } from './search/query.ts';

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
  /** The tree that serves a real path; a parent's tree serves its subfolders. */
  place(path: string, allowed: readonly string[]): Promise<CodePlace>;
  /** Prepares an exact search in the tree of a place. */
  regexSearch(place: CodePlace, query: RegexQuery, signal: AbortSignal): Promise<RegexSearch>;
  /** Writes all matches into a file of the data folder, `path:line:text` each, and says how many there are. */
  matchFile(place: CodePlace, query: RegexQuery, signal: AbortSignal): Promise<MatchFile & MatchNumbers>;
  /** Writes out all matches, piece by piece; see {@link GrepRequest} for what is asked. */
  grep(request: unknown, roots: Roots, signal: AbortSignal): AsyncGenerator<Uint8Array>;
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

const JOB_KIND = 'code-index';
/** Trees kept open; the one that was not used for longest is closed. */
const MAX_TREES = 12;

/** Opens the code subject. Call before `jobs.recover`, since it registers its kind of job. */
export async function openCode(deps: CodeDeps): Promise<Code> {
  const folder = join(deps.home, 'code');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pool = startPool();
  const trees = new Lru<string, IndexedTree>({ most: MAX_TREES, dropped: (tree) => void tree.close() });

  const bringUpToDate = (tree: IndexedTree) => {
    deps.jobs.start(JOB_KIND, tree.tree.root, { root: tree.tree.root }).catch((error: unknown) => {
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
  const containing = (path: string) => [...trees.keys()].find((root) => isInside(path, root));

  const build = async ({ params, signal, progress }: JobContext): Promise<JobReport> => {
    const tree = treeAt(String(params.root));
    await tree.build(signal, (done, total) => progress({ done, total, unit: 'files', phase: 'indexing' }));
    const { indexed, bytes, segments } = tree.index?.state ?? { indexed: 0, bytes: 0, segments: 0 };
    return { files: indexed, bytes, segments };
  };
  deps.jobs.register({ name: JOB_KIND, afterRestart: 'resume', run: build });

  const place = async (path: string, allowed: readonly string[]): Promise<CodePlace> => {
    const root = containing(path) ?? rootFor(path, allowed);
    const tree = treeAt(root).tree;
    const below = relative(root, path).replaceAll('\\', '/');
    if (below === '' || (await isKnown(tree, below))) return { tree, below };
    // Hidden by an ignore rule and yet asked for by name: a tree of its own.
    const own = statSync(path).isDirectory() ? path : dirname(path);
    return { tree: treeAt(own).tree, below: relative(own, path) };
  };

  return {
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
        yield* treeAt(found.tree.root).print(printQuery(request, path, found), sums, signal);
      }
      const took = performance.now() - started;
      if (request.form === 'json') yield Buffer.from(summaryMessage(sums, took));
      else if (request.stats) yield Buffer.from(statsText(sums, took));
    },
    skipReason: (root, path) => trees.get(root)?.index?.skipOf(path),
    indexes: () => listCodeIndexes(folder, deps.jobs, JOB_KIND),
    async startIndex({ root }) {
      return { job: await deps.jobs.start(JOB_KIND, root, { root }) };
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
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  const home = homedir();
  const readable = allowed.filter((root) => isInside(folder, root));
  for (let at = folder; readable.some((root) => isInside(at, root)); at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) break;
  }
  const narrow = readable.filter((root) => !isInside(home, root)).sort((a, b) => b.length - a.length);
  return narrow[0] ?? folder;
}
