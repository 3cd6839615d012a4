import { join } from 'node:path';
import { errorText } from '../../contract/errors.ts';
import type { PathTable } from '../files/path-table.ts';
import type { SourceFiles, SourceTree } from '../files/source-tree.ts';
import type { StoredFiles } from '../files/unread-files.ts';
import { adoptSegments } from './adopt-segments.ts';
import type { Stamp } from './build-segment.ts';
import { KnownFiles } from './known-files.ts';
import type { SemanticIndexOptions } from './semantic-index.ts';
import {
  emptyManifest,
  hasManifest,
  type Manifest,
  readManifest,
  removeSegments,
  sweepFolder,
  writeManifest,
} from './semantic-manifest.ts';

/** The stamps of a manifest by the numbers of paths, and what they were taken from. */
interface Stamps {
  readonly touched: Manifest['touched'] | undefined;
  readonly skipped: Manifest['skipped'] | undefined;
  readonly byNumber: ReadonlyMap<number, Stamp>;
}

const NO_STAMPS: Stamps = { touched: undefined, skipped: undefined, byNumber: new Map() };

/** The segments of an index on disk, and what the search thread has loaded of them. */
export class StoredIndex implements StoredFiles {
  readonly #options: SemanticIndexOptions;
  readonly known: KnownFiles;
  #paths: PathTable;
  /** They count before those of segments. */
  #stamps = NO_STAMPS;
  manifest: Manifest;
  chunks = 0;
  bytes = 0;

  constructor(tree: SourceTree, options: SemanticIndexOptions) {
    this.#options = options;
    this.#paths = tree.files.paths;
    this.known = new KnownFiles(this.#paths);
    this.manifest = emptyManifest(options.model);
  }

  /** Goes on with the numbers of a tree that was opened again. */
  follow({ files }: SourceTree): void {
    this.#paths = files.paths;
    this.known.follow(files.paths);
    this.#stamps = NO_STAMPS;
  }

  isCurrent(number: number, files: SourceFiles): boolean {
    const size = files.sizeAt(number);
    const mtimeMs = files.mtimeAt(number);
    const stamp = this.#stampsNow().get(number);
    return stamp === undefined
      ? this.known.isAt(number, size, mtimeMs)
      : stamp[0] === size && stamp[1] === mtimeMs;
  }

  holds(number: number): boolean {
    return this.known.holds(number);
  }

  /**
   * Starts the threads that a search needs, each with the model, while the tree is still listed; only one of those that
   * read files, and only if nothing is stored, since small trees need no more.
   */
  warm(): void {
    const { folder, threads, embedder } = this.#options;
    const ready = [threads.search.call('warm', embedder)];
    const [reading] = threads.index;
    if (reading !== undefined && !hasManifest(folder)) ready.push(reading.call('warm', embedder));
    // Who calls them next hears of a failure.
    for (const one of ready) one.catch(() => {});
  }

  /** Takes what an earlier process stored; if anything is wrong with it, the index starts over. */
  async open(tree: SourceTree): Promise<void> {
    const { folder, others, model, log } = this.#options;
    const kept = readManifest(folder) ?? adoptSegments(folder, others(), model);
    if (kept !== undefined && kept.model === model) this.manifest = kept;
    try {
      if (this.manifest.segments.length > 0) await this.load(tree);
    } catch (error) {
      log(`code index ${folder} is rebuilt: ${errorText(error)}`);
      this.manifest = emptyManifest(model);
    }
    sweepFolder(folder, this.manifest);
  }

  /** Loads the current segments in the search thread. */
  async load(tree: SourceTree): Promise<void> {
    const { folder, threads, embedder } = this.#options;
    const { segments, gone } = this.manifest;
    const files = segments.map((name) => join(folder, name));
    const have = this.known.among(files);
    const report = await threads.search.call('load', { root: tree.root, files, gone, have, embedder });
    this.known.take(files, report.files, gone);
    this.chunks = report.chunks;
    this.bytes = report.bytes;
  }

  /** Stores the manifest and loads its segments. */
  async commit(tree: SourceTree): Promise<void> {
    writeManifest(this.#options.folder, this.manifest);
    await this.load(tree);
  }

  /** Stores another manifest, and removes the segments that it does not use. */
  async replace(tree: SourceTree, manifest: Manifest): Promise<void> {
    const used = new Set(manifest.segments);
    const unused = this.manifest.segments.filter((name) => !used.has(name));
    this.manifest = manifest;
    await this.commit(tree);
    removeSegments(this.#options.folder, unused);
  }

  #stampsNow(): ReadonlyMap<number, Stamp> {
    const { touched, skipped } = this.manifest;
    if (this.#stamps.touched !== touched || this.#stamps.skipped !== skipped) {
      const byNumber = new Map<number, Stamp>();
      for (const [path, { stamp }] of Object.entries(skipped)) byNumber.set(this.#paths.add(path), stamp);
      for (const [path, stamp] of Object.entries(touched)) byNumber.set(this.#paths.add(path), stamp);
      this.#stamps = { touched, skipped, byNumber };
    }
    return this.#stamps.byNumber;
  }
}
