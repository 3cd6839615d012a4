import type { SourceFile, SourceTree } from '../files/source-tree.ts';

/** Files that changed and were not read since. Size and time alone do not show every change. */
export class ChangedFiles {
  readonly #changed = new Map<string, SourceFile>();
  readonly #removed = new Set<string>();
  #later: SourceFile[] | undefined;
  #stop = (): void => {};

  /** Follows the changes of this tree instead of the previous one. */
  follow(tree: SourceTree): void {
    this.#stop();
    this.#stop = tree.onChange(({ changed, removed }) => {
      for (const file of changed) this.#changed.set(file.path, file);
      for (const path of removed) {
        this.#changed.delete(path);
        this.#removed.add(path);
      }
      this.#later?.push(...changed);
    });
  }

  get paths(): Iterable<string> {
    return this.#changed.keys();
  }

  /** Paths that were removed since `forgetRemoved`; some may exist again. */
  get removed(): Iterable<string> {
    return this.#removed;
  }

  forgetRemoved(): void {
    this.#removed.clear();
  }

  has(path: string): boolean {
    return this.#changed.has(path);
  }

  /** Removes files that were read, except those that changed again in the meantime. */
  read(files: readonly SourceFile[]): void {
    for (const file of files) if (this.#changed.get(file.path) === file) this.#changed.delete(file.path);
  }

  /** Remembers all changes from now on, read or not. */
  remember(): void {
    this.#later = [];
  }

  /** Counts everything that changed since as not read. */
  recall(): void {
    for (const file of this.#later ?? []) this.#changed.set(file.path, file);
    this.#later = undefined;
  }

  close(): void {
    this.#stop();
  }
}
