import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uint32At } from '../../contract/at.ts';
import { fail } from '../../contract/errors.ts';
import { isInside } from '../../contract/roots.ts';
import { glob } from '../../glob/glob.ts';
import type { Indexer, IndexRequest } from '../../jobs/indexer.ts';
import type { Job, JobContext, JobReport, Jobs } from '../../jobs/jobs.ts';
import { handleNumber, indexHandle } from '../handles.ts';
import { expectedEntries } from '../scan/expected-entries.ts';
import type { NewGeneration } from '../sets.ts';
import { DamagedSnapshot, loadTree } from '../tree/load-tree.ts';
import { removeDrafts } from '../tree/save-tree.ts';
import type { ScanOptions, Tree } from '../tree/tree-columns.ts';
import { folderAt, rowOfPath } from '../tree/tree-nodes.ts';
import { MARK, Marks } from '../watch/folder-marks.ts';
import { TreeWatch } from '../watch/tree-watch.ts';
import { type Freshness, freshnessOf } from './freshness.ts';
import { indexReport, progressOf } from './index-report.ts';
import type { IndexRow, IndexRows } from './index-rows.ts';
import { type LoadedTree, LoadedTrees } from './loaded-trees.ts';
import { collectSoon } from './release-memory.ts';
import { runIndexing } from './run-indexing.ts';

export const INDEX_JOB = 'disk-index';

/** An index older than this is brought up to date when someone looks at it; earlier when changes were heard. */
const STALE_MS = 10 * 60_000;
const CHANGED_STALE_MS = 60_000;
/** How long a rescan may look at files one by one. */
const FILE_CHECK_MS = 80;

/** An index that can be asked. */
export interface OpenIndex {
  readonly row: IndexRow;
  readonly tree: Tree;
  /** Node ids of folders in which something was heard since the scan. */
  readonly heard: { has(id: number): boolean };
  /** How far it can be trusted now. */
  readonly fresh: Freshness;
}

export interface IndexesDeps {
  readonly rows: IndexRows;
  readonly jobs: Jobs;
  /** Where the files of indexes are. */
  readonly folder: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Called after a new generation took the place of the old one. */
  readonly onSwap: (row: IndexRow, generation: NewGeneration) => Promise<void>;
  /** How many folders may be watched. */
  readonly watches: number;
}

/** The indexes of this machine: scans them as jobs, keeps the trees in memory, swaps generations. */
export class IndexCatalog implements Indexer {
  readonly #deps: IndexesDeps;
  readonly #loaded = new LoadedTrees((index) => this.#watch.unfollow(index));
  readonly #watch: TreeWatch;

  constructor(deps: IndexesDeps) {
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

  /** The job that scans an index, or waits to. */
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
    const job = await this.#deps.jobs.start(INDEX_JOB, root, { index: row.id, allowed, full });
    return { job, indexId: indexHandle(row.id) };
  }

  /** The index with this handle, ready to be asked. */
  async open(handle: string): Promise<OpenIndex> {
    const row = await this.#deps.rows.get(handleNumber('i', handle));
    if (row === undefined) {
      fail('index_not_found', `There is no index '${handle.slice(0, 20)}'; index root=… makes one.`);
    }
    const loaded = row.generation === 0 ? undefined : await this.#load(row);
    if (loaded === undefined) {
      const job = await this.scanOf(row);
      fail(
        'index_not_found',
        job === undefined
          ? `The scan of index ${handle} did not end; index with its root makes it anew.`
          : `Index ${handle} is still being made; job_progress job_id=${job.id} tells when it is ready.`,
      );
    }
    return this.#opened(row, loaded);
  }

  /** The index that knows most closely about a path of this machine, if there is one. */
  async covering(path: string): Promise<OpenIndex | undefined> {
    const rows = (await this.#deps.rows.all()).filter(
      (row) => row.generation > 0 && row.options.imported !== true && isInside(path, row.root),
    );
    rows.sort((a, b) => b.root.length - a.root.length);
    for (const row of rows) {
      const loaded = await this.#load(row);
      if (loaded === undefined) continue;
      return this.#opened(row, loaded);
    }
    return undefined;
  }

  /** Tells that a folder was looked at: it is watched from now on. */
  lookedAt(path: string): void {
    for (const [index, { tree }] of this.#loaded) {
      const row = isInside(path, tree.meta.root) ? rowOfPath(tree, path) : -1;
      const folder = row < 0 ? -1 : folderAt(tree, row);
      if (folder >= 0) this.#watch.lookedAt(index, folder);
    }
  }

  /** Tells that a folder is not as the index has it: the next rescan reads it, whatever its times say. */
  suspect({ row, tree }: OpenIndex, at: number): void {
    this.#loaded.get(row.id)?.marks.add(uint32At(tree.id, at), MARK.changed);
  }

  /** Resolves when the folders of an index are watched, as many as can be, and it has caught up with the disk. */
  async watching(handle: string): Promise<void> {
    await this.#watch.ready(handleNumber('i', handle));
  }

  /** Takes in a tree that was made elsewhere, such as from an import. */
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
        `Index ${handle} is of the same folder, '${root}'; to take the import instead, drop that index first: pinhole disk index delete ${handle}`,
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
    if (row === undefined) fail('index_not_found', `There is no index '${handle.slice(0, 20)}'.`);
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

  /** Loads the file of an index; a damaged or missing one is made anew in the background. */
  async #loadFile(row: IndexRow): Promise<LoadedTree | undefined> {
    try {
      const tree = await loadTree(this.#file(row));
      return this.#loaded.set(row.id, { tree, marks: new Marks(), attended: false });
    } catch (error) {
      if (row.options.imported === true)
        fail('index_not_found', `The file of ${indexHandle(row.id)} is damaged; import it again.`);
      const reason = error instanceof DamagedSnapshot ? error.message : 'it cannot be read';
      this.#deps.log(`disk index ${indexHandle(row.id)} is damaged (${reason}); it is made anew`);
      await rm(this.#file(row), { force: true });
      const params = { index: row.id, allowed: [], full: true };
      await this.#deps.jobs.start(INDEX_JOB, row.root, params);
      return undefined;
    }
  }

  #opened(row: IndexRow, loaded: LoadedTree): OpenIndex {
    const { tree, marks } = loaded;
    const unseen = row.filesUnchecked;
    if (loaded.counted?.version !== marks.version || loaded.counted.unseen !== unseen) {
      loaded.counted = { version: marks.version, unseen, fresh: freshnessOf(tree, marks, unseen) };
    }
    const { fresh } = loaded.counted;
    if (row.options.imported !== true) this.#freshen(row, loaded, fresh);
    return { row, tree, heard: marks, fresh };
  }

  /** Begins a rescan of an index that has become old; nobody waits for it. One that fails is not tried at every look. */
  #freshen(row: IndexRow, loaded: LoadedTree, { watched, changedFolders, scannedAt }: Freshness): void {
    const { now, jobs, log } = this.#deps;
    if (watched && changedFolders === 0) return;
    const patience = changedFolders > 0 ? CHANGED_STALE_MS : STALE_MS;
    if (loaded.attended && now() - scannedAt < patience) return;
    if (now() - (loaded.triedAt ?? Number.NEGATIVE_INFINITY) < CHANGED_STALE_MS) return;
    loaded.triedAt = now();
    const params = { index: row.id, allowed: [], full: false };
    jobs
      .start(INDEX_JOB, row.root, params)
      .catch((error: unknown) => log(`rescan not started: ${String(error)}`));
  }

  async #run(job: JobContext): Promise<JobReport> {
    const { rows } = this.#deps;
    const row = await rows.get(Number(job.params.index));
    if (row === undefined) throw new Error('The index was removed meanwhile.');
    await mkdir(this.folderOf(row), { recursive: true, mode: 0o700 });
    await removeDrafts(this.folderOf(row));
    const earlier = row.generation > 0 ? await this.#earlier(row) : undefined;
    const { allowed, full } = job.params;
    // What changes below a depth limit is seen by reading it.
    const quick =
      full !== true &&
      earlier !== undefined &&
      row.options.depthLimit === undefined &&
      sameOptions(earlier.tree.meta.options, row.options);
    const onFileSystem = row.generation > 0 ? undefined : await expectedEntries(row.root, row.options);
    await this.#watch.flush(row.id);
    const marks = earlier?.marks ?? new Marks();
    const taken = marks.take();
    const { tree, ...result } = await runIndexing(
      {
        root: row.root,
        options: row.options,
        allowed: Array.isArray(allowed) ? allowed.map(String) : [],
        firstId: row.nextId,
        marks: quick ? taken : undefined,
        fileMs: FILE_CHECK_MS,
        file: this.#file(row),
        growthFolder: this.folderOf(row),
      },
      earlier?.tree,
      job.signal,
      ({ entries }) => job.progress(progressOf(row, entries, onFileSystem)),
    ).catch((error: unknown) => {
      marks.giveBack(taken);
      throw error;
    });
    marks.confirm(taken, !quick);
    const { nodes } = tree.meta;
    job.progress({ done: nodes, total: nodes, unit: 'entries', phase: 'scanned' });
    await this.#swap(row, tree, marks, result.filesUnchecked);
    return indexReport(indexHandle(row.id), tree, result);
  }

  /** The generation before, if its file is whole. */
  async #earlier(row: IndexRow): Promise<LoadedTree | undefined> {
    const known = this.#loaded.get(row.id);
    if (known !== undefined) return known;
    return loadTree(this.#file(row)).then(
      (tree) => ({ tree, marks: new Marks(), attended: false }),
      () => undefined,
    );
  }

  async #swap(row: IndexRow, tree: Tree, marks: Marks, filesUnchecked: number): Promise<void> {
    const old = this.#loaded.get(row.id)?.tree;
    await this.#deps.rows.scanned(row.id, tree, filesUnchecked);
    this.#loaded.set(row.id, { tree, marks, attended: true });
    if (row.options.imported !== true) this.#watch.follow(row.id, tree, marks);
    if (old?.buffer === tree.buffer || row.generation === 0) return;
    await this.#deps.onSwap(row, { old, tree, anew: uint32At(tree.id, 0) >= row.nextId });
    if (old !== undefined) collectSoon(old.buffer.byteLength);
  }
}

function sameOptions(a: ScanOptions, b: ScanOptions): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
