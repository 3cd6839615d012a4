import type { SourceFile, SourceTree } from '../files/source-tree.ts';

/** Files that changed and were not read since. Size and time alone do not show every change. */
export class ChangedFiles {
  readonly #changed = new Map<string, SourceFile>();
  #later: SourceFile[] | undefined;
  #stop = (): void => {};

  /** Follows the changes of this tree instead of the previous one. */
  follow(tree: SourceTree): void {
    this.#stop();
    this.#stop = tree.onChange(({ changed, removed }) => {
      for (const file of changed) this.#changed.set(file.path, file);
      for (const path of removed) this.#changed.delete(path);
      this.#later?.push(...changed);
    });
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
