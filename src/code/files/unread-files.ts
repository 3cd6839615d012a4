import { ChangedFiles } from './changed-files.ts';
import type { SourceFiles, SourceTree } from './source-tree.ts';

/** What an index has stored, by the numbers of paths. */
export interface StoredFiles {
  /** Whether it has the file as the tree knows it. */
  isCurrent(number: number, files: SourceFiles): boolean;
  /** Whether it has anything of the file. */
  holds(number: number): boolean;
}

/** Which files of a tree differ from an index. All are compared once; then only what changed since. */
export class UnreadFiles {
  #tree: SourceTree;
  readonly #stored: StoredFiles;
  readonly changed = new ChangedFiles();
  #compared = false;

  constructor(tree: SourceTree, stored: StoredFiles) {
    this.#tree = tree;
    this.#stored = stored;
  }

  follow(tree: SourceTree): void {
    if (tree !== this.#tree) this.doubt();
    this.#tree = tree;
    this.changed.follow(tree);
  }

  /** The numbers of accepted files that are not in the index as they are now. */
  pending(accept?: (path: string) => boolean): number[] {
    const found: number[] = [];
    this.#eachPending(accept, (number) => found.push(number));
    return found;
  }

  /** How many there are, without a list of them: searches of a large tree that is being read ask often. */
  countPending(accept?: (path: string) => boolean): number {
    let count = 0;
    this.#eachPending(accept, () => count++);
    return count;
  }

  isPending(number: number): boolean {
    const { files } = this.#tree;
    return !this.#stored.isCurrent(number, files) || this.changed.has(number);
  }

  /** Indexed paths that the tree no longer has, or has only as hidden files. */
  removed(): string[] {
    const { files } = this.#tree;
    const gone: string[] = [];
    const look = (number: number): void => {
      if (this.#stored.holds(number) && !files.isShown(number)) gone.push(files.paths.path(number));
    };
    if (this.#compared) {
      const removed = [...this.changed.removed].map((path) => files.paths.numberOf(path));
      for (const number of new Set([...removed, ...this.changed.numbers])) look(number);
    } else for (let number = 0; number < files.paths.length; number++) look(number);
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

  /** Not a generator, which would take several times as long over all files of a large tree. */
  #eachPending(accept: ((path: string) => boolean) | undefined, found: (number: number) => void): void {
    const { files } = this.#tree;
    const look = (number: number): void => {
      if (!files.isShown(number) || !this.isPending(number)) return;
      if (accept?.(files.paths.path(number)) !== false) found(number);
    };
    if (this.#compared) for (const number of this.changed.numbers) look(number);
    else for (let number = 0; number < files.paths.length; number++) look(number);
  }
}
