import type { SourceTree } from '../files/source-tree.ts';
import type { Stamp } from './build-segment.ts';
import { ChangedFiles } from './changed-files.ts';
import type { Wanted } from './file-queue.ts';
import type { KnownFiles } from './known-files.ts';
import type { Manifest } from './semantic-manifest.ts';

/** Which files of a tree differ from the index. All are compared once; then only what changed since. */
export class UnreadFiles {
  #tree: SourceTree;
  readonly #known: KnownFiles;
  readonly changed = new ChangedFiles();
  #compared = false;
  /** The stamps of a manifest, which count before those of segments, by the numbers of paths. */
  #stamps: { readonly of: Manifest | undefined; readonly byNumber: ReadonlyMap<number, Stamp> } = {
    of: undefined,
    byNumber: new Map(),
  };

  constructor(tree: SourceTree, known: KnownFiles) {
    this.#tree = tree;
    this.#known = known;
  }

  follow(tree: SourceTree): void {
    this.#tree = tree;
    this.#known.follow(tree.files.paths);
    this.#stamps = { of: undefined, byNumber: new Map() };
    this.changed.follow(tree);
  }

  /** The numbers of accepted files that are not in the index as they are now. */
  pending(manifest: Manifest, accept?: Wanted['accept']): number[] {
    return [...this.#pending(manifest, accept)];
  }

  /** How many there are, without a list of them: searches of a large tree that is being read ask often. */
  countPending(manifest: Manifest, accept?: Wanted['accept']): number {
    let count = 0;
    for (const _number of this.#pending(manifest, accept)) count++;
    return count;
  }

  *#pending(manifest: Manifest, accept: Wanted['accept']): Generator<number> {
    const { files } = this.#tree;
    const stamps = this.#stampsOf(manifest);
    for (const number of this.#compared ? this.changed.numbers : files.numbers()) {
      if (!files.isShown(number) || accept?.(files.paths.path(number)) === false) continue;
      const [size, mtimeMs] = [files.sizeAt(number), files.mtimeAt(number)];
      const stamp = stamps.get(number);
      const same =
        stamp === undefined
          ? this.#known.isAt(number, size, mtimeMs)
          : stamp[0] === size && stamp[1] === mtimeMs;
      if (!same || this.changed.has(number)) yield number;
    }
  }

  /** Indexed paths that the tree no longer has, or has only as hidden files. */
  removed(): string[] {
    const { files } = this.#tree;
    if (this.#compared) {
      const paths = [...this.changed.numbers].map((number) => files.paths.path(number));
      const isGone = (path: string) => files.get(path)?.hidden !== false;
      return [...this.changed.removed, ...paths].filter((path) => this.#known.has(path) && isGone(path));
    }
    const gone: string[] = [];
    for (const number of this.#known.numbers) if (!files.isShown(number)) gone.push(files.paths.path(number));
    return gone;
  }

  /** Records that nothing is pending or removed now. */
  confirm(): void {
    this.#compared = true;
    this.changed.forgetRemoved();
  }

  /** Compares all files again. */
  doubt(): void {
    this.#compared = false;
  }

  #stampsOf(manifest: Manifest): ReadonlyMap<number, Stamp> {
    if (this.#stamps.of !== manifest) {
      const { paths } = this.#tree.files;
      const byNumber = new Map<number, Stamp>();
      for (const [path, { stamp }] of Object.entries(manifest.skipped)) byNumber.set(paths.add(path), stamp);
      for (const [path, stamp] of Object.entries(manifest.touched)) byNumber.set(paths.add(path), stamp);
      this.#stamps = { of: manifest, byNumber };
    }
    return this.#stamps.byNumber;
  }
}
