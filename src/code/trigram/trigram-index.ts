import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { at } from '../../contract/at.ts';
import type { Requirement } from '../../regex/literals.ts';
import { comparePaths } from '../files/path-order.ts';
import {
  type SkipCounts,
  type SkipReason,
  type SourceFile,
  type SourceTree,
  sameFile,
  type TreeChange,
} from '../files/source-tree.ts';
import { buildersFor, buildSegments, segmentTasks } from './build-trigram-segments.ts';
import { FileTally } from './file-tally.ts';
import { type Asked, HeldSegment } from './held-segment.ts';
import { type Candidate, mergeByPath } from './merge-candidates.ts';
import { worthRetiring } from './retire-segments.ts';
import { MANIFEST, readManifest, writeManifest } from './trigram-manifest.ts';
import { openSegmentReader } from './trigram-segment.ts';
import { DamagedSegment } from './trigram-segment-file.ts';
import type { IndexedFile } from './trigram-segment-table.ts';

/** How much of the tree is indexed. */
export interface IndexState {
  /** Files whose current content is indexed, or left out on purpose. */
  readonly indexed: number;
  /** Files that are searched without the index until they are in it, and their size. */
  readonly pending: number;
  readonly pendingBytes: number;
  readonly bytes: number;
  readonly segments: number;
}

/** More than a segment has files. */
const OWNER_STEP = 1 << 16;

/** What a search asks the index. */
export interface Wanted {
  readonly need: Requirement;
  readonly admits: (file: SourceFile) => boolean;
  /** Include files that are left out because of their content. */
  readonly everything?: boolean | undefined;
}

/** No search takes longer than this. */
const RETIRED_MS = 120_000;

/**
 * The trigram index of one tree: segments on disk, each built once and never changed. A file's newest segment
 * counts; what changed since is pending and searched as a whole, so answers are right at any moment.
 */
export class TrigramIndex {
  readonly #folder: string;
  readonly #tree: SourceTree;
  #segments: HeldSegment[] = [];
  /** Where the current content of a file is: the number of a segment times OWNER_STEP, plus its number there. */
  readonly #entries = new Map<string, number>();
  readonly #owners = new Map<number, HeldSegment>();
  #opened = 0;
  readonly #pending = new Map<string, SourceFile>();
  readonly #tally = new FileTally();
  #changes = 0;
  #next = 1;
  #stopListening: () => void = () => {};

  private constructor(folder: string, tree: SourceTree) {
    this.#folder = folder;
    this.#tree = tree;
  }

  /** Opens the stored index; the tree must have been refreshed once. Damaged segments are dropped. */
  static async open(folder: string, tree: SourceTree): Promise<TrigramIndex> {
    const index = new TrigramIndex(folder, tree);
    mkdirSync(folder, { recursive: true });
    for (const name of readManifest(folder)) {
      index.#open(name);
      // A large index has many segments, so others get their turn in between.
      await nextTurn();
    }
    index.#removeStrays();
    // Together with the subscription, so that no change is missed in between.
    const removed = [...index.#entries.keys()].filter((path) => !tree.files.has(path));
    index.#update({ changed: [...tree.files.values()], removed });
    index.#stopListening = tree.onChange((change) => index.#update(change));
    return index;
  }

  get state(): IndexState {
    const bytes = this.#segments.reduce((sum, one) => sum + one.bytes, 0);
    const { pendingBytes } = this.#tally;
    return {
      indexed: this.#entries.size,
      pending: this.#pending.size,
      pendingBytes,
      bytes,
      segments: this.#segments.length,
    };
  }

  /** How many files are searched, and how many are left out because of their content. */
  counts(hidden: boolean): { readonly files: number; readonly skipped: SkipCounts } {
    return this.#tally.counts(hidden);
  }

  /** How many of the admitted files are left out because of their content. They are few, so each is checked. */
  leftOut(admits: (file: SourceFile) => boolean): SkipCounts {
    const skipped: Partial<Record<SkipReason, number>> = {};
    for (const owner of this.#segments) {
      for (const { file } of owner.leftOut({ change: this.#changes, admits })) {
        const reason = this.skipOf(file.path);
        if (reason !== undefined) skipped[reason] = (skipped[reason] ?? 0) + 1;
      }
    }
    return skipped;
  }

  /** Whether the file's current content is not indexed yet. */
  isPending(path: string): boolean {
    return this.#pending.has(path);
  }

  /** Why the file's content is not searched, if the index knows. */
  skipOf(path: string): SkipReason | undefined {
    const entry = this.#entryOf(path);
    return entry?.owner.skipOf(entry.number);
  }

  /** Files that may satisfy a requirement, in path order, found as they are pulled. */
  *candidates({ need, admits, everything = false }: Wanted): Generator<Candidate> {
    const asked: Asked = { change: this.#changes, admits };
    const sources = this.#segments.flatMap((owner) => {
      const indexed = { from: owner.from, candidates: this.#fromSegment(owner, need, asked) };
      return everything ? [indexed, { from: owner.from, candidates: owner.leftOut(asked) }] : [indexed];
    });
    yield* mergeByPath([...sources, { from: '', candidates: this.#fromPending(admits) }]);
  }

  /** Indexes what is pending. Each segment counts as soon as it is on disk. */
  async build(signal: AbortSignal, progress: (doneFiles: number, allFiles: number) => void): Promise<void> {
    const retired = worthRetiring(this.#segments);
    const files = [...this.#pending.values(), ...retired.flatMap((owner) => owner.liveFiles())];
    files.sort((a, b) => comparePaths(a.path, b.path));
    const tasks = segmentTasks(files, this.#tree).map((list, number) => {
      const name = `${Date.now().toString(36)}-${this.#next++}.seg`;
      return { number, root: this.#tree.root, files: list, output: join(this.#folder, name), name };
    });
    let done = 0;
    await buildSegments(
      tasks,
      buildersFor(this.#tree),
      (task) => {
        this.#open(at(tasks, task.number).name);
        done += task.files.length;
        progress(done, files.length);
        this.#dropDead();
        this.#writeManifest();
      },
      signal,
    );
  }

  close(): void {
    this.#stopListening();
    for (const owner of this.#segments) owner.close();
    this.#segments = [];
  }

  /** Drops a damaged segment; its files are pending again. */
  drop(segmentPath: string): void {
    const owner = this.#segments.find((one) => one.path === segmentPath);
    if (owner === undefined) return;
    for (const [path, place] of this.#entries) {
      if (this.#ownerAt(place) !== owner) continue;
      this.#forget(path);
      const file = this.#tree.files.get(path);
      if (file !== undefined) this.#await(file);
    }
    this.#retire(owner);
    this.#writeManifest();
  }

  *#fromSegment(owner: HeldSegment, need: Requirement, asked: Asked): Generator<Candidate> {
    try {
      yield* owner.candidates(need, asked);
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      const lost = [...owner.everything(asked)];
      this.drop(owner.path);
      yield* lost;
    }
  }

  *#fromPending(admits: (file: SourceFile) => boolean): Generator<Candidate> {
    const files = [...this.#pending.values()].filter(admits);
    files.sort((a, b) => comparePaths(a.path, b.path));
    for (const file of files) yield { file, spans: undefined };
  }

  #open(name: string): void {
    let opened: ReturnType<typeof openSegmentReader>;
    try {
      opened = openSegmentReader(join(this.#folder, name));
    } catch {
      return;
    }
    const { segment, files } = opened;
    const present = (file: IndexedFile) => {
      const now = this.#tree.files.get(file.path);
      return now !== undefined && sameFile(now, file) ? now : undefined;
    };
    const owner = new HeldSegment(name, segment, files, (file) => present(file) ?? file);
    const first = ++this.#opened * OWNER_STEP;
    this.#owners.set(this.#opened, owner);
    this.#segments.push(owner);
    for (const [number, file] of files.entries()) {
      // Changed while it was read, or earlier: the entry would never be right.
      const now = present(file);
      if (now === undefined) owner.kill(number, 0);
      else {
        this.#forget(file.path);
        // The tree's own text, because that of the segment keeps all its paths in memory.
        this.#entries.set(now.path, first + number);
        this.#tally.addEntry(file, file.skip, 1);
      }
    }
  }

  #update({ changed, removed }: TreeChange): void {
    for (const file of changed) {
      const entry = this.#entryOf(file.path);
      const indexed = entry?.owner.files[entry.number];
      if (indexed !== undefined && sameFile(indexed, file)) continue;
      this.#forget(file.path);
      this.#await(file);
    }
    for (const path of removed) this.#forget(path);
  }

  #ownerAt(place: number): HeldSegment | undefined {
    return this.#owners.get(Math.floor(place / OWNER_STEP));
  }

  #entryOf(path: string): { readonly owner: HeldSegment; readonly number: number } | undefined {
    const place = this.#entries.get(path);
    const owner = place === undefined ? undefined : this.#ownerAt(place);
    return place === undefined || owner === undefined ? undefined : { owner, number: place % OWNER_STEP };
  }

  #await(file: SourceFile): void {
    this.#pending.set(file.path, file);
    this.#tally.addPending(file, 1);
  }

  /** Removes the file from whichever list it is in. */
  #forget(path: string): void {
    const entry = this.#entryOf(path);
    if (entry !== undefined) {
      const { owner, number } = entry;
      const file = owner.files[number];
      if (file !== undefined) this.#tally.addEntry(file, owner.skipOf(number), -1);
      this.#entries.delete(path);
      owner.kill(number, ++this.#changes);
    }
    const waiting = this.#pending.get(path);
    if (waiting !== undefined) {
      this.#pending.delete(path);
      this.#tally.addPending(waiting, -1);
    }
  }

  #dropDead(): void {
    const alive = new Set<HeldSegment | undefined>();
    for (const place of this.#entries.values()) alive.add(this.#ownerAt(place));
    for (const owner of [...this.#segments]) if (!alive.has(owner)) this.#retire(owner);
  }

  /** Removes a segment; searches that started with it may still read it for a while. */
  #retire(owner: HeldSegment): void {
    setTimeout(() => owner.close(), RETIRED_MS).unref();
    this.#segments = this.#segments.filter((one) => one !== owner);
    for (const [number, one] of this.#owners) if (one === owner) this.#owners.delete(number);
    rmSync(owner.path, { force: true });
  }

  #writeManifest(): void {
    const names = this.#segments.map((one) => one.name);
    writeManifest(this.#folder, this.#tree.root, names, this.#tally.pendingBytes);
  }

  /** Removes what a killed build left behind. */
  #removeStrays(): void {
    const known = new Set([MANIFEST, ...this.#segments.map((one) => one.name)]);
    for (const name of readdirSync(this.#folder)) {
      if (!known.has(name)) rmSync(join(this.#folder, name), { force: true });
    }
  }
}
