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
    const found: number[] = [];
    this.#eachPending(manifest, accept, (number) => found.push(number));
    return found;
  }

  /** How many there are, without a list of them: searches of a large tree that is being read ask often. */
  countPending(manifest: Manifest, accept?: Wanted['accept']): number {
    let count = 0;
    this.#eachPending(manifest, accept, () => count++);
    return count;
  }

  #eachPending(manifest: Manifest, accept: Wanted['accept'], found: (number: number) => void): void {
    const { files } = this.#tree;
    const stamps = this.#stampsOf(manifest);
    const look = (number: number): void => {
      if (!files.isShown(number)) return;
      const size = files.sizeAt(number);
      const mtimeMs = files.mtimeAt(number);
      const stamp = stamps.get(number);
      const same =
        stamp === undefined
          ? this.#known.isAt(number, size, mtimeMs)
          : stamp[0] === size && stamp[1] === mtimeMs;
      if (same && !this.changed.has(number)) return;
      if (accept?.(files.paths.path(number)) !== false) found(number);
    };
    if (this.#compared) for (const number of this.changed.numbers) look(number);
    else for (let number = 0; number < files.paths.length; number++) look(number);
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
    for (let number = 0; number < files.paths.length; number++)
      if (this.#known.holds(number) && !files.isShown(number)) gone.push(files.paths.path(number));
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
