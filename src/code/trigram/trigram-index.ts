import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { uint32At } from '../../contract/at.ts';
import type { Requirement } from '../../regex/literals.ts';
import { NumberColumn } from '../files/number-column.ts';
import { NumberSet } from '../files/number-set.ts';
import { comparePaths } from '../files/path-order.ts';
import {
  type SkipCounts,
  type SkipReason,
  type SourceFile,
  type SourceTree,
  sameFile,
  type TreeChange,
} from '../files/source-tree.ts';
import { buildersFor, buildSegments, segmentLists } from './build-trigram-segments.ts';
import { FileTally } from './file-tally.ts';
import { type Asked, HeldSegment } from './held-segment.ts';
import { type Candidate, mergeByPath } from './merge-candidates.ts';
import { worthRetiring } from './retire-segments.ts';
import { MANIFEST, readManifest, writeManifest } from './trigram-manifest.ts';
import { openSegmentReader } from './trigram-segment.ts';
import { DamagedSegment } from './trigram-segment-file.ts';

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

/** More than a segment has files. Segments count from one, so that 0 is no place. */
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
  readonly #places = new NumberColumn();
  #indexed = 0;
  readonly #owners = new Map<number, HeldSegment>();
  #opened = 0;
  readonly #pending = new NumberSet();
  /** The size with which a pending file was counted, and which files were counted as hidden. */
  readonly #pendingSizes = new NumberColumn();
  readonly #hidden = new NumberSet();
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
    index.#stopListening = tree.onChange((change) => index.#update(change));
    for (const name of readManifest(folder)) {
      index.#open(name);
      // A large index has many segments, so others get their turn in between.
      await nextTurn();
    }
    index.#removeStrays();
    for (const number of tree.files.numbers()) if (!index.#isKnown(number)) index.#await(number);
    return index;
  }

  get state(): IndexState {
    const bytes = this.#segments.reduce((sum, one) => sum + one.bytes, 0);
    const { pendingBytes } = this.#tally;
    return {
      indexed: this.#indexed,
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
    return this.#pending.has(this.#tree.files.paths.numberOf(path));
  }

  /** Why the file's content is not searched, if the index knows. */
  skipOf(path: string): SkipReason | undefined {
    const entry = this.#entryOf(this.#tree.files.paths.numberOf(path));
    return entry?.owner.skipOf(entry.place);
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
    const { files, root } = this.#tree;
    const retired = worthRetiring(this.#segments);
    const numbers = this.#inPathOrder([...this.#pending, ...retired.flatMap((owner) => [...owner.live()])]);
    const planned = segmentLists(numbers, this.#tree).map((list) => {
      const name = `${Date.now().toString(36)}-${this.#next++}.seg`;
      return { numbers: list, output: join(this.#folder, name) };
    });
    let done = 0;
    await buildSegments(
      planned,
      { root, files },
      buildersFor(this.#tree),
      ({ output, numbers: { length } }) => {
        this.#open(basename(output));
        done += length;
        progress(done, numbers.length);
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
    for (const number of owner.numbers) {
      if (this.#entryOf(number)?.owner !== owner) continue;
      this.#forget(number);
      if (this.#tree.files.isListed(number)) this.#await(number);
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
    const { files } = this.#tree;
    for (const number of this.#inPathOrder([...this.#pending])) {
      const file = files.at(number);
      if (file !== undefined && admits(file)) yield { file, spans: undefined };
    }
  }

  /** Most are in order already, because a tree numbers its files so. */
  #inPathOrder(numbers: number[]): number[] {
    const { paths } = this.#tree.files;
    return numbers.sort((a, b) => comparePaths(paths.path(a), paths.path(b)));
  }

  #open(name: string): void {
    let opened: ReturnType<typeof openSegmentReader>;
    try {
      opened = openSegmentReader(join(this.#folder, name));
    } catch {
      return;
    }
    const { segment, files } = opened;
    const owner = new HeldSegment(name, segment, files, this.#tree.files);
    const first = ++this.#opened * OWNER_STEP;
    this.#owners.set(this.#opened, owner);
    this.#segments.push(owner);
    for (const [place, file] of files.entries()) {
      const number = uint32At(owner.numbers, place);
      const now = this.#tree.files.at(number);
      // Changed while it was read, or earlier: the entry would never be right.
      if (now === undefined || !sameFile(now, file)) owner.kill(place, 0);
      else {
        this.#forget(number);
        this.#places.set(number, first + place);
        this.#indexed++;
        if (now.hidden) this.#hidden.add(number);
        this.#tally.addEntry(now, file.skip, 1);
      }
    }
  }

  #update({ changed, removed }: TreeChange): void {
    const { paths } = this.#tree.files;
    for (const { path } of changed) {
      const number = paths.numberOf(path);
      this.#forget(number);
      this.#await(number);
    }
    for (const path of removed) this.#forget(paths.numberOf(path));
  }

  /** The segment that has the current content of a file, and its place there. */
  #entryOf(number: number): { readonly owner: HeldSegment; readonly place: number } | undefined {
    const place = this.#places.get(number);
    const owner = this.#owners.get(Math.floor(place / OWNER_STEP));
    return owner === undefined ? undefined : { owner, place: place % OWNER_STEP };
  }

  #isKnown(number: number): boolean {
    return this.#pending.has(number) || this.#places.get(number) !== 0;
  }

  #await(number: number): void {
    const file = this.#tree.files.at(number);
    if (file === undefined) return;
    this.#pending.add(number);
    this.#pendingSizes.set(number, file.size);
    if (file.hidden) this.#hidden.add(number);
    this.#tally.addPending(file, 1);
  }

  /** Removes the file from whichever list it is in. */
  #forget(number: number): void {
    const hidden = this.#hidden.delete(number);
    const entry = this.#entryOf(number);
    if (entry !== undefined) {
      const { owner, place } = entry;
      this.#tally.addEntry({ hidden }, owner.skipOf(place), -1);
      this.#places.set(number, 0);
      this.#indexed--;
      owner.kill(place, ++this.#changes);
    }
    if (this.#pending.delete(number))
      this.#tally.addPending({ hidden, size: this.#pendingSizes.get(number) }, -1);
  }

  #dropDead(): void {
    for (const owner of [...this.#segments]) if (owner.isDead) this.#retire(owner);
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
