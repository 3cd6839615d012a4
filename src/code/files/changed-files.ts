import { PathTable } from './path-table.ts';
import { type SourceFile, type SourceTree, sameFile } from './source-tree.ts';

/** Files that changed and were not read since. Size and time alone do not show every change. */
export class ChangedFiles {
  #paths = new PathTable();
  /** By the numbers of their paths. */
  #changed = new Map<number, SourceFile>();
  readonly #removed = new Set<string>();
  #later: SourceFile[] | undefined;
  #stop = (): void => {};

  /** Follows the changes of this tree instead of the previous one. */
  follow(tree: SourceTree): void {
    this.#stop();
    this.#paths = tree.files.paths;
    this.#changed = new Map([...this.#changed.values()].map((file) => [this.#paths.add(file.path), file]));
    this.#stop = tree.onChange(({ changed, removed }) => {
      for (const file of changed) this.#changed.set(this.#paths.add(file.path), file);
      for (const path of removed) {
        this.#changed.delete(this.#paths.numberOf(path));
        this.#removed.add(path);
      }
      this.#later?.push(...changed);
    });
  }

  /** The numbers of changed files. */
  get numbers(): Iterable<number> {
    return this.#changed.keys();
  }

  /** Paths that were removed since `forgetRemoved`; some may exist again. */
  get removed(): Iterable<string> {
    return this.#removed;
  }

  forgetRemoved(): void {
    this.#removed.clear();
  }

  has(number: number): boolean {
    return this.#changed.has(number);
  }

  /** Removes files that were read, except those that changed again in the meantime. */
  read(files: readonly SourceFile[]): void {
    for (const file of files) {
      const number = this.#paths.numberOf(file.path);
      const changed = this.#changed.get(number);
      if (changed !== undefined && sameFile(changed, file)) this.#changed.delete(number);
    }
  }

  /** Remembers all changes from now on, read or not. */
  remember(): void {
    this.#later = [];
  }

  /** Counts everything that changed since as not read. */
  recall(): void {
    for (const file of this.#later ?? []) this.#changed.set(this.#paths.add(file.path), file);
    this.#later = undefined;
  }

  close(): void {
    this.#stop();
  }
}
