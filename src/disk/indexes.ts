import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../contract/errors.ts';
import { isInside } from '../contract/roots.ts';
import type { Indexer, IndexRequest } from '../jobs/indexer.ts';
import type { Job, JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import { handleNumber, indexHandle } from './handles.ts';
import { indexReport } from './index-report.ts';
import { runIndexing } from './indexing.ts';
import { glob } from './scan/glob.ts';
import type { IndexRow, IndexRows } from './store/index-rows.ts';
import { DamagedSnapshot, loadTree } from './tree/load.ts';
import { rowOfPath } from './tree/nodes.ts';
import type { ScanOptions, Tree } from './tree/tree.ts';
import { FolderWatch } from './watching.ts';

export const INDEX_JOB = 'disk_index';

/** Loaded trees are dropped, least recently used first, above this many bytes. */
const MOST_LOADED_BYTES = 600 << 20;
/** An index older than this is brought up to date when someone looks at it. */
const STALE_MS = 10 * 60_000;
/** How long a rescan may look at files one by one. */
const FILE_MS = 150;

/** An index that can be asked. */
export interface OpenIndex {
  readonly row: IndexRow;
  readonly tree: Tree;
  /** Node ids of folders in which something was heard since the scan. */
  readonly heard: ReadonlySet<number>;
}

export interface IndexesDeps {
  readonly rows: IndexRows;
  readonly jobs: Jobs;
  /** Where the files of indexes are. */
  readonly folder: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Called after a new generation took the place of the old one. */
  readonly onSwap: (row: IndexRow, old: Tree, tree: Tree) => Promise<void>;
}

interface Loaded {
  readonly tree: Tree;
  readonly heard: Set<number>;
}

/** The indexes of this machine: scans them as jobs, keeps the trees in memory, swaps generations. */
export class Indexes implements Indexer {
  readonly #deps: IndexesDeps;
  readonly #loaded = new Map<number, Loaded>();
  readonly #loading = new Map<number, Promise<Loaded | undefined>>();
  readonly #watch = new FolderWatch((folder) => void this.#hear(folder));

  constructor(deps: IndexesDeps) {
    this.#deps = deps;
    deps.jobs.register({ name: INDEX_JOB, afterRestart: 'resume', run: (job) => this.#run(job) });
  }

  list(): Promise<IndexRow[]> {
    return this.#deps.rows.all();
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
      fail('index_not_found', `Index ${handle} is still being made; job_progress tells when it is ready.`);
    }
    return { row, tree: loaded.tree, heard: loaded.heard };
  }

  /** The index that knows most closely about a path, if there is one. */
  async covering(path: string): Promise<OpenIndex | undefined> {
    const rows = (await this.#deps.rows.all()).filter(
      (row) => row.generation > 0 && isInside(path, row.root),
    );
    rows.sort((a, b) => b.root.length - a.root.length);
    for (const row of rows) {
      const loaded = await this.#load(row);
      if (loaded === undefined) continue;
      this.#freshen(row, loaded);
      return { row, tree: loaded.tree, heard: loaded.heard };
    }
    return undefined;
  }

  /** Tells that a folder was looked at: it is watched from now on. */
  lookedAt(folder: string): void {
    this.#watch.add(folder);
  }

  /** Tells that a folder is not as the index has it: the next rescan reads it, whatever its times say. */
  suspect({ row, tree }: OpenIndex, at: number): void {
    this.#loaded.get(row.id)?.heard.add(tree.id[at] ?? 0);
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
        `Index ${handle} is of the same folder, '${root}'; to take the import instead, drop ${handle} first.`,
      );
    }
    const row = await this.#deps.rows.ensure(root, options);
    await mkdir(this.folderOf(row), { recursive: true, mode: 0o700 });
    await this.#swap(row, await make(row, this.#file(row)), 0);
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

  async #load(row: IndexRow): Promise<Loaded | undefined> {
    const known = this.#loaded.get(row.id);
    if (known !== undefined) {
      this.#loaded.delete(row.id);
      this.#loaded.set(row.id, known);
      return known;
    }
    const running = this.#loading.get(row.id) ?? this.#loadFile(row);
    this.#loading.set(row.id, running);
    return running.finally(() => this.#loading.delete(row.id));
  }

  /** Loads the file of an index; a damaged or missing one is made anew in the background. */
  async #loadFile(row: IndexRow): Promise<Loaded | undefined> {
    try {
      return this.#keep(row.id, await loadTree(this.#file(row)));
    } catch (error) {
      const reason = error instanceof DamagedSnapshot ? error.message : 'it cannot be read';
      this.#deps.log(`disk index ${indexHandle(row.id)} is damaged (${reason}); it is made anew`);
      await rm(this.#file(row), { force: true });
      const params = { index: row.id, allowed: [], full: true };
      await this.#deps.jobs.start(INDEX_JOB, row.root, params);
      return undefined;
    }
  }

  #keep(id: number, tree: Tree): Loaded {
    const loaded = { tree, heard: new Set<number>() };
    this.#loaded.delete(id);
    this.#loaded.set(id, loaded);
    let bytes = 0;
    for (const each of this.#loaded.values()) bytes += each.tree.buffer.byteLength;
    for (const [oldest, each] of this.#loaded) {
      if (bytes <= MOST_LOADED_BYTES || oldest === id) break;
      bytes -= each.tree.buffer.byteLength;
      this.#loaded.delete(oldest);
    }
    return loaded;
  }

  /** Begins a rescan of an index that has become old; nobody waits for it. */
  #freshen(row: IndexRow, { tree }: Loaded): void {
    const { now, jobs, log } = this.#deps;
    if (now() - tree.meta.scannedAt < STALE_MS || row.options.imported === true) return;
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
    const { tree, changed, foldersRead, filesUnchecked } = await runIndexing(
      {
        root: row.root,
        options: row.options,
        allowed: Array.isArray(allowed) ? allowed.map(String) : [],
        earlier: earlier && { meta: earlier.tree.meta, buffer: earlier.tree.buffer },
        firstId: row.nextId,
        quick: full !== true && earlier !== undefined && sameOptions(earlier.tree.meta.options, row.options),
        suspects: [...(earlier?.heard ?? [])],
        fileMs: FILE_MS,
        file: this.#file(row),
        growthFolder: this.folderOf(row),
      },
      job.signal,
      ({ entries, dirsDone, dirsLeft }) => {
        // Folders not read yet hold about as much as those read so far.
        const guess = Math.round((entries * (dirsDone + dirsLeft)) / Math.max(1, dirsDone));
        const total =
          row.generation > 0 ? Math.max(row.files + row.dirs, entries) : dirsDone > 100 ? guess : undefined;
        job.progress({ done: entries, total, unit: 'entries', phase: 'scanning' });
      },
    );
    const entries = tree.id.length;
    job.progress({ done: entries, total: entries, unit: 'entries', phase: 'scanned' });
    await this.#swap(row, tree, filesUnchecked);
    return indexReport(indexHandle(row.id), tree, { changed, foldersRead, filesUnchecked });
  }

  /** The generation before, if its file is whole. */
  async #earlier(row: IndexRow): Promise<Loaded | undefined> {
    const known = this.#loaded.get(row.id);
    if (known !== undefined) return known;
    return loadTree(this.#file(row)).then(
      (tree) => ({ tree, heard: new Set<number>() }),
      () => undefined,
    );
  }

  async #swap(row: IndexRow, tree: Tree, filesUnchecked: number): Promise<void> {
    const old = this.#loaded.get(row.id)?.tree;
    await this.#deps.rows.scanned(row.id, tree, filesUnchecked);
    this.#keep(row.id, tree);
    if (old !== undefined && old.buffer !== tree.buffer) await this.#deps.onSwap(row, old, tree);
  }

  async #hear(folder: string): Promise<void> {
    for (const row of await this.#deps.rows.all()) {
      const loaded = this.#loaded.get(row.id);
      if (loaded === undefined || !isInside(folder, row.root)) continue;
      const at = rowOfPath(loaded.tree, folder);
      if (at >= 0) loaded.heard.add(loaded.tree.id[at] ?? 0);
    }
  }
}

/** Takes away what a process that died while writing has left. */
async function removeDrafts(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tmp'));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

function sameOptions(a: ScanOptions, b: ScanOptions): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
