import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uint32At } from '../../contract/at.ts';
import { fail } from '../../contract/errors.ts';
import { isInside } from '../../contract/roots.ts';
import { glob } from '../../glob/glob.ts';
import { callIndex, callJobProgress } from '../../jobs/calls.ts';
import type { Indexer, IndexRequest } from '../../jobs/indexers.ts';
import type { Job, JobContext, JobReport, Jobs } from '../../jobs/jobs.ts';
import { waitForJob } from '../../jobs/wait-for-job.ts';
import { callDiskIndexes } from '../calls.ts';
import { handleNumber, indexHandle } from '../handles.ts';
import { folderChanges } from '../reports/folder-changes.ts';
import type { NewGeneration } from '../selections.ts';
import { DamagedSnapshot, loadTree } from '../tree/load-tree.ts';
import { removeDrafts } from '../tree/save-tree.ts';
import type { ScanOptions, Tree } from '../tree/tree-columns.ts';
import { folderAround, folderAt, rowOfPath } from '../tree/tree-nodes.ts';
import { MARK, Marks } from '../watch/folder-marks.ts';
import { TreeWatch } from '../watch/tree-watch.ts';
import { addBaseline } from './baselines.ts';
import { type Freshness, isStale, keptFreshness } from './freshness.ts';
import { indexReport } from './index-report.ts';
import type { IndexRow, IndexRows } from './index-rows.ts';
import { type LoadedTree, LoadedTrees } from './loaded-trees.ts';
import { releaseSoon } from './release-memory.ts';
import { scanIndex } from './scan-index.ts';

const INDEX_JOB = 'disk-index';

/** An index this young is not scanned again before an answer, unless a change was reported. */
const RECENT_MS = 10_000;

/** An index that is ready to use. */
export interface OpenIndex {
  readonly row: IndexRow;
  readonly tree: Tree;
  /** Node ids of folders with a reported change since the scan. */
  readonly heard: { has(id: number): boolean };
  /** How up to date it is. */
  readonly fresh: Freshness;
  /** How up to date a folder is, or the folder of a file. */
  freshAt(row: number): Freshness;
}

export interface IndexCatalogDeps {
  readonly rows: IndexRows;
  readonly jobs: Jobs;
  /** Where the files of indexes are. */
  readonly folder: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Called after a new generation has replaced the old one. */
  readonly onSwap: (row: IndexRow, generation: NewGeneration) => Promise<void>;
  /** How many folders may be watched. */
  readonly watches: number;
}

/** The indexes of this machine: runs scans as jobs, keeps trees in memory, and replaces generations. */
export class IndexCatalog implements Indexer {
  readonly #deps: IndexCatalogDeps;
  readonly #loaded = new LoadedTrees((index) => this.#watch.unfollow(index));
  readonly #watch: TreeWatch;
  /** Indexes whose next generation somebody asked for. */
  readonly #asked = new Set<number>();

  constructor(deps: IndexCatalogDeps) {
    this.#deps = deps;
    this.#watch = new TreeWatch({ limit: deps.watches, log: deps.log });
    deps.jobs.register({
      name: INDEX_JOB,
      afterRestart: 'resume',
      whole: true,
      run: (job) => this.#run(job),
    });
  }

  list(): Promise<IndexRow[]> {
    return this.#deps.rows.all();
  }

  /** The job that is scanning an index, or waiting to. */
  scanOf({ root }: IndexRow): Promise<Job | undefined> {
    return this.#deps.jobs.underWay(INDEX_JOB, root);
  }

  /** Where an index keeps its files. */
  folderOf(row: IndexRow): string {
    return join(this.#deps.folder, indexHandle(row.id));
  }

  /** Starts a scan, or returns the job that is doing it. */
  async startIndex(request: IndexRequest): Promise<{ job: Job; indexId: string }> {
    const { root, allowed, full, depthLimit, followSymlinks, oneFileSystem, exclude } = request;
    for (const pattern of exclude) glob(pattern);
    const row = await this.#deps.rows.ensure(root, { depthLimit, followSymlinks, oneFileSystem, exclude });
    // A rescan that already runs becomes the one that was asked for.
    this.#asked.add(row.id);
    const params = { index: row.id, allowed, full, asked: true };
    return { job: await this.#deps.jobs.start(INDEX_JOB, root, params), indexId: indexHandle(row.id) };
  }

  /** The job as it is when it ends, or when the time is over. */
  finished(job: Job, ms: number, signal: AbortSignal): Promise<Job> {
    return waitForJob(this.#deps.jobs, job, ms, signal);
  }

  /**
   * The index after a rescan, if it may be out of date and the rescan ends in time; else as it is. A thorough rescan
   * also checks files in folders that nobody watches.
   */
  async refreshed(open: OpenIndex, ms: number, thorough: boolean, signal: AbortSignal): Promise<OpenIndex> {
    const { row, fresh } = open;
    if (row.options.imported === true || (fresh.watched && fresh.changedFolders === 0)) return open;
    const recent = this.#deps.now() - fresh.scannedAt < RECENT_MS && fresh.changedFolders === 0;
    if (recent && !thorough) return open;
    const params = { index: row.id, allowed: [], full: false, thorough };
    const job = await this.#deps.jobs.start(INDEX_JOB, row.root, params);
    const { status } = await this.finished(job, ms, signal);
    return status === 'done' ? this.open(indexHandle(row.id)) : open;
  }

  /** The index with this id, ready to use. */
  async open(handle: string): Promise<OpenIndex> {
    const index = handleNumber('i', handle);
    // A change that was made before the question is in the answer, or the answer says that there was one.
    await this.#watch.heard(index);
    const row = await this.#deps.rows.get(index);
    if (row === undefined) noIndex(handle);
    const loaded = row.generation === 0 ? undefined : await this.#load(row);
    if (loaded === undefined) {
      const job = await this.scanOf(row);
      if (job === undefined)
        fail('index_not_found', `The scan of index ${handle} never finished. Index its folder again.`, {
          next: callIndex({ root: row.root }),
        });
      fail('index_not_found', `Index ${handle} is still being built.`, {
        next: callJobProgress({ job_id: job.id }),
      });
    }
    return this.#opened(row, loaded);
  }

  /** The index with the deepest root that contains a path of this machine, if there is one. */
  async covering(path: string): Promise<OpenIndex | undefined> {
    const rows = (await this.#deps.rows.all()).filter(
      (row) => row.generation > 0 && row.options.imported !== true && isInside(path, row.root),
    );
    rows.sort((a, b) => b.root.length - a.root.length);
    for (const row of rows) {
      await this.#watch.heard(row.id);
      const loaded = await this.#load(row);
      if (loaded === undefined) continue;
      return this.#opened(row, loaded);
    }
    return undefined;
  }

  /** A caller looked at a folder: it is watched from now on. */
  lookedAt(path: string): void {
    for (const [index, { tree }] of this.#loaded) {
      const row = isInside(path, tree.meta.root) ? rowOfPath(tree, path) : -1;
      const folder = row < 0 ? -1 : folderAt(tree, row);
      if (folder >= 0) this.#watch.lookedAt(index, folder);
    }
  }

  /** A folder differs from the index: the next rescan reads it, whatever its times say. */
  suspect({ row, tree }: OpenIndex, at: number): void {
    this.#loaded.get(row.id)?.marks.add(uint32At(tree.id, at), MARK.changed);
  }

  /** Resolves when as many folders as possible are watched and the index has caught up with the disk. */
  async watching(handle: string): Promise<void> {
    await this.#watch.ready(handleNumber('i', handle));
  }

  /** Adds a tree that was not scanned here, such as an import. */
  async adopt(
    root: string,
    options: ScanOptions,
    make: (row: IndexRow, file: string) => Promise<Tree>,
  ): Promise<IndexRow> {
    const known = (await this.#deps.rows.all()).find(
      (row) => row.root === root && row.options.imported !== true,
    );
    if (known !== undefined) {
      const handle = indexHandle(known.id);
      fail(
        'conflict',
        `Index ${handle} already covers '${root}'. To replace it with the import, a person runs: pinhole disk index delete ${handle}`,
      );
    }
    const row = await this.#deps.rows.ensure(root, options);
    await mkdir(this.folderOf(row), { recursive: true, mode: 0o700 });
    await this.#swap(row, await make(row, this.#file(row)), new Marks(), 0);
    return (await this.#deps.rows.get(row.id)) ?? row;
  }

  async remove(handle: string): Promise<void> {
    const { rows } = this.#deps;
    const row = await rows.get(handleNumber('i', handle));
    if (row === undefined) noIndex(handle);
    this.#loaded.delete(row.id);
    await rows.remove(row.id);
    await rm(this.folderOf(row), { recursive: true, force: true });
  }

  close(): void {
    this.#watch.close();
  }

  #file(row: IndexRow): string {
    return join(this.folderOf(row), 'tree.idx');
  }

  #load(row: IndexRow): Promise<LoadedTree | undefined> {
    return this.#loaded.load(row.id, () => this.#loadFile(row));
  }

  /** Loads the file of an index; if it is damaged or missing, the index is built again in the background. */
  async #loadFile(row: IndexRow): Promise<LoadedTree | undefined> {
    try {
      const tree = await loadTree(this.#file(row));
      return this.#loaded.set(row.id, { tree, marks: new Marks(), watchedSinceScan: false });
    } catch (error) {
      if (row.options.imported === true)
        fail('index_not_found', `The file of index ${indexHandle(row.id)} is damaged. Import it again.`);
      const reason = error instanceof DamagedSnapshot ? error.message : 'it cannot be read';
      this.#deps.log(`disk: index ${indexHandle(row.id)} is damaged (${reason}); building it again`);
      await rm(this.#file(row), { force: true });
      const params = { index: row.id, allowed: [], full: true };
      await this.#deps.jobs.start(INDEX_JOB, row.root, params);
      return undefined;
    }
  }

  #opened(row: IndexRow, loaded: LoadedTree): OpenIndex {
    const { tree, marks } = loaded;
    const at = (folder: number) => keptFreshness(loaded, row.filesUnchecked, folder);
    const fresh = at(0);
    if (row.options.imported !== true) this.#freshen(row, loaded, fresh);
    const freshAt = (row: number) => at(folderAround(tree, row));
    return { row, tree, heard: marks, fresh, freshAt };
  }

  /** Starts a rescan of an old index in the background; one that failed is not retried at every use. */
  #freshen(row: IndexRow, loaded: LoadedTree, fresh: Freshness): void {
    const { now, jobs, log } = this.#deps;
    if (!isStale(loaded, fresh, now())) return;
    loaded.rescanStartedAt = now();
    const params = { index: row.id, allowed: [], full: false };
    jobs
      .start(INDEX_JOB, row.root, params)
      .catch((error: unknown) => log(`disk: could not start a rescan: ${String(error)}`));
  }

  async #run(job: JobContext): Promise<JobReport> {
    const { rows } = this.#deps;
    const row = await rows.get(Number(job.params.index));
    if (row === undefined) throw new Error('The index was deleted in the meantime.');
    await mkdir(this.folderOf(row), { recursive: true, mode: 0o700 });
    await removeDrafts(this.folderOf(row));
    const earlier = row.generation > 0 ? await this.#earlier(row) : undefined;
    await this.#watch.flush(row.id);
    const file = this.#file(row);
    const { tree, marks, result } = await scanIndex(job, { row, earlier, file, folder: this.folderOf(row) });
    const { nodes } = tree.meta;
    job.progress({ done: nodes, total: nodes, unit: 'entries', phase: 'scanned' });
    await this.#swap(row, tree, marks, result.filesUnchecked);
    const folder = this.folderOf(row);
    const changes = await folderChanges(folder, tree, { from: 0, to: nodes - 1 }, undefined);
    if (this.#asked.delete(row.id) || job.params.asked === true) await addBaseline(folder, tree.meta);
    return indexReport(indexHandle(row.id), tree, { ...result, changes });
  }

  /** The previous generation, if its file is intact. */
  async #earlier(row: IndexRow): Promise<LoadedTree | undefined> {
    const known = this.#loaded.get(row.id);
    if (known !== undefined) return known;
    return loadTree(this.#file(row)).then(
      (tree) => ({ tree, marks: new Marks(), watchedSinceScan: false }),
      () => undefined,
    );
  }

  async #swap(row: IndexRow, tree: Tree, marks: Marks, filesUnchecked: number): Promise<void> {
    const old = this.#loaded.get(row.id)?.tree;
    await this.#deps.rows.scanned(row.id, tree, filesUnchecked);
    this.#loaded.set(row.id, { tree, marks, watchedSinceScan: true });
    if (row.options.imported !== true) this.#watch.follow(row.id, tree, marks);
    if (old?.buffer === tree.buffer || row.generation === 0) return;
    await this.#deps.onSwap(row, { old, tree, rebuilt: uint32At(tree.id, 0) >= row.nextId });
    if (old !== undefined) releaseSoon(old.buffer.byteLength);
  }
}

function noIndex(handle: string): never {
  fail('index_not_found', `No index '${handle.slice(0, 20)}'.`, { next: callDiskIndexes({}) });
}
