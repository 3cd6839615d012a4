import type { SourceFile, SourceTree } from '../files/source-tree.ts';
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

  constructor(tree: SourceTree, known: KnownFiles) {
    this.#tree = tree;
    this.#known = known;
  }

  follow(tree: SourceTree): void {
    this.#tree = tree;
    this.changed.follow(tree);
  }

  /** The accepted files that are not in the index as they are now. */
  pending(manifest: Manifest, accept?: Wanted['accept']): SourceFile[] {
    const found: SourceFile[] = [];
    this.#eachPending(manifest, accept, (file) => found.push(file));
    return found;
  }

  /** How many there are, without a list of them: searches of a large tree that is being read ask often. */
  countPending(manifest: Manifest, accept?: Wanted['accept']): number {
    let count = 0;
    this.#eachPending(manifest, accept, () => count++);
    return count;
  }

  #eachPending(
    { touched, skipped }: Manifest,
    accept: Wanted['accept'],
    found: (file: SourceFile) => void,
  ): void {
    for (const file of this.#compared ? this.#changedFiles() : this.#tree.files.values()) {
      if (file.hidden || accept?.(file.path) === false) continue;
      const { path, size, mtimeMs } = file;
      const stamp = touched[path] ?? skipped[path]?.stamp;
      const same =
        stamp === undefined
          ? this.#known.isAt(path, size, mtimeMs)
          : stamp[0] === size && stamp[1] === mtimeMs;
      if (!same || this.changed.has(file.path)) found(file);
    }
  }

  /** Indexed paths that the tree no longer has, or has only as hidden files. */
  removed(): string[] {
    const paths = this.#compared ? [...this.changed.removed, ...this.changed.paths] : this.#known.paths;
    return [...paths].filter((path) => this.#known.has(path) && this.#tree.files.get(path)?.hidden !== false);
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

  #changedFiles(): SourceFile[] {
    return [...this.changed.paths].flatMap((path) => this.#tree.files.get(path) ?? []);
  }
}
