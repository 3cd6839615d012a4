import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Requirement } from '../../regex/literals.ts';
import {
  type SkipCounts,
  type SkipReason,
  type SourceFile,
  type SourceTree,
  sameFile,
  type TreeChange,
} from '../files.ts';
import { comparePaths } from '../paths.ts';
import { buildSegments, segmentTasks } from './build.ts';
import { FileTally } from './file-tally.ts';
import { MANIFEST, readManifest, writeManifest } from './manifest.ts';
import { type Candidate, mergeByPath } from './merge.ts';
import { openSegmentReader, type Segment } from './segment.ts';
import { DamagedSegment } from './segment-file.ts';
import type { IndexedFile } from './segment-table.ts';

/** How far the index is. */
export interface IndexState {
  /** Files whose present content is in the index, searched or knowingly left out. */
  readonly indexed: number;
  /** Files that are looked at directly until they are indexed, and their size. */
  readonly pending: number;
  readonly pendingBytes: number;
  readonly bytes: number;
  readonly segments: number;
}

interface OpenSegment {
  readonly name: string;
  readonly segment: Segment;
  readonly textBytes: number;
  /** Text of files that later segments or changes have replaced. */
  deadBytes: number;
}

interface Entry {
  readonly owner: OpenSegment;
  readonly file: IndexedFile;
}

/** Segments smaller than this are merged once there are several. */
const SMALL_TEXT = 16 * 1024 * 1024;
const MAX_SMALL = 6;
/** No search takes longer than this. */
const RETIRED_MS = 120_000;

/**
 * The n-gram index of one tree: segments on disk, each made once and never changed. A file's newest segment
 * counts; what changed since is pending and looked at as a whole, so an answer is right at any moment.
 */
export class TrigramIndex {
  readonly #folder: string;
  readonly #tree: SourceTree;
  #segments: OpenSegment[] = [];
  readonly #entries = new Map<string, Entry>();
  readonly #pending = new Map<string, SourceFile>();
  readonly #tally = new FileTally();
  /** When an indexed state of a file stopped counting: a search goes on with the files of its beginning. */
  readonly #deadSince = new WeakMap<IndexedFile, number>();
  #changes = 0;
  #next = 1;
  #stopListening: () => void = () => {};

  private constructor(folder: string, tree: SourceTree) {
    this.#folder = folder;
    this.#tree = tree;
  }

  /** Opens what is stored; the tree must have been refreshed once. Damaged segments are dropped. */
  static async open(folder: string, tree: SourceTree): Promise<TrigramIndex> {
    const index = new TrigramIndex(folder, tree);
    mkdirSync(folder, { recursive: true });
    for (const name of readManifest(folder)) {
      index.#open(name);
      // A large index has many segments: others get their turn in between.
      await nextTurn();
    }
    index.#removeStrays();
    // In one go with the subscription, so that no change falls between.
    const removed = [...index.#entries.keys()].filter((path) => !tree.files.has(path));
    index.#update({ changed: [...tree.files.values()], removed });
    index.#stopListening = tree.onChange((change) => index.#update(change));
    return index;
  }

  get state(): IndexState {
    const bytes = this.#segments.reduce((sum, one) => sum + one.segment.bytes, 0);
    const { pendingBytes } = this.#tally;
    return {
      indexed: this.#entries.size,
      pending: this.#pending.size,
      pendingBytes,
      bytes,
      segments: this.#segments.length,
    };
  }

  /** How many files are searched and how many are left out for their content. */
  counts(hidden: boolean): { readonly files: number; readonly skipped: SkipCounts } {
    return this.#tally.counts(hidden);
  }

  /** Why the file's content is not searched, as far as the index knows. */
  skipOf(path: string): SkipReason | undefined {
    return this.#entries.get(path)?.file.skip;
  }

  /** Files that may satisfy the requirement, in path order, found as they are asked for. */
  *candidates(need: Requirement, admits: (file: SourceFile) => boolean): Generator<Candidate> {
    const now = this.#changes;
    const alive = (file: IndexedFile) => (this.#deadSince.get(file) ?? Number.POSITIVE_INFINITY) > now;
    const wanted = (file: IndexedFile) => alive(file) && admits(file);
    const sources = this.#segments.map((owner) => ({
      from: owner.segment.files[0]?.path ?? '',
      candidates: this.#fromSegment(owner, need, wanted),
    }));
    yield* mergeByPath([...sources, { from: '', candidates: this.#fromPending(admits) }]);
  }

  /** Indexes what is pending. Each segment counts as soon as it is on the disk. */
  async build(signal: AbortSignal, progress: (doneFiles: number, allFiles: number) => void): Promise<void> {
    const retired = this.#worthRetiring();
    const files = [...this.#pending.values(), ...retired.flatMap((owner) => this.#liveFiles(owner))];
    files.sort((a, b) => comparePaths(a.path, b.path));
    const tasks = segmentTasks(files).map((list, number) => {
      const name = `${Date.now().toString(36)}-${this.#next++}.seg`;
      return { number, root: this.#tree.root, files: list, output: join(this.#folder, name), name };
    });
    let done = 0;
    const names = new Map(tasks.map((task) => [task.number, task.name]));
    await buildSegments(
      tasks,
      (task) => {
        this.#open(names.get(task.number) ?? '');
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
    for (const { segment } of this.#segments) segment.close();
    this.#segments = [];
  }

  /** Forgets a segment that turned out damaged; its files are pending again. */
  drop(segmentPath: string): void {
    const owner = this.#segments.find((one) => one.segment.path === segmentPath);
    if (owner === undefined) return;
    for (const [path, entry] of this.#entries) {
      if (entry.owner !== owner) continue;
      this.#forget(path);
      const file = this.#tree.files.get(path);
      if (file !== undefined) this.#await(file);
    }
    this.#retire(owner);
    this.#writeManifest();
  }

  *#fromSegment(
    owner: OpenSegment,
    need: Requirement,
    wanted: (file: IndexedFile) => boolean,
  ): Generator<Candidate> {
    try {
      for (const [index, spans] of owner.segment.candidates(need)) {
        const file = owner.segment.files[index];
        if (file !== undefined && wanted(file)) yield { file, spans };
      }
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      const lost = owner.segment.files.filter(wanted);
      this.drop(owner.segment.path);
      for (const file of lost) yield { file, spans: undefined };
    }
  }

  *#fromPending(admits: (file: SourceFile) => boolean): Generator<Candidate> {
    const files = [...this.#pending.values()].filter(admits);
    files.sort((a, b) => comparePaths(a.path, b.path));
    for (const file of files) yield { file, spans: undefined };
  }

  #liveFiles(owner: OpenSegment): SourceFile[] {
    return owner.segment.files.filter((file) => this.#entries.get(file.path)?.file === file);
  }

  #open(name: string): void {
    let segment: Segment;
    try {
      segment = openSegmentReader(join(this.#folder, name));
    } catch {
      return;
    }
    const textBytes = segment.files.reduce((sum, file) => sum + file.size, 0);
    const owner: OpenSegment = { name, segment, textBytes, deadBytes: 0 };
    this.#segments.push(owner);
    for (const file of segment.files) {
      const now = this.#tree.files.get(file.path);
      // Changed while it was read, or long ago: the entry would never be right.
      if (now === undefined || !sameFile(now, file)) {
        owner.deadBytes += file.size;
        this.#deadSince.set(file, 0);
      } else {
        this.#forget(file.path);
        this.#entries.set(file.path, { owner, file });
        this.#tally.addEntry(file, 1);
      }
    }
  }

  #update({ changed, removed }: TreeChange): void {
    for (const file of changed) {
      const entry = this.#entries.get(file.path);
      if (entry !== undefined && sameFile(entry.file, file)) continue;
      this.#forget(file.path);
      this.#await(file);
    }
    for (const path of removed) this.#forget(path);
  }

  #await(file: SourceFile): void {
    this.#pending.set(file.path, file);
    this.#tally.addPending(file, 1);
  }

  /** Takes the file out of whichever list it is in. */
  #forget(path: string): void {
    const entry = this.#entries.get(path);
    if (entry !== undefined) {
      entry.owner.deadBytes += entry.file.size;
      this.#entries.delete(path);
      this.#deadSince.set(entry.file, ++this.#changes);
      this.#tally.addEntry(entry.file, -1);
    }
    const waiting = this.#pending.get(path);
    if (waiting !== undefined) {
      this.#pending.delete(path);
      this.#tally.addPending(waiting, -1);
    }
  }

  /** Segments to make anew: mostly dead ones, and small ones when there are many. */
  #worthRetiring(): OpenSegment[] {
    const small = this.#segments.filter((one) => one.textBytes < SMALL_TEXT);
    const crowd = small.length >= MAX_SMALL ? small : [];
    return this.#segments.filter((one) => crowd.includes(one) || one.deadBytes * 2 > one.textBytes);
  }

  #dropDead(): void {
    const alive = new Set([...this.#entries.values()].map((entry) => entry.owner));
    for (const owner of [...this.#segments]) if (!alive.has(owner)) this.#retire(owner);
  }

  /** Takes a segment out; searches that began with it may read on for a while. */
  #retire(owner: OpenSegment): void {
    setTimeout(() => owner.segment.close(), RETIRED_MS).unref();
    this.#segments = this.#segments.filter((one) => one !== owner);
    rmSync(owner.segment.path, { force: true });
  }

  #writeManifest(): void {
    const names = this.#segments.map((one) => one.name);
    writeManifest(this.#folder, this.#tree.root, names);
  }

  /** What a build that was killed left behind. */
  #removeStrays(): void {
    const known = new Set([MANIFEST, ...this.#segments.map((one) => one.name)]);
    for (const name of readdirSync(this.#folder)) {
      if (!known.has(name)) rmSync(join(this.#folder, name), { force: true });
    }
  }
}
