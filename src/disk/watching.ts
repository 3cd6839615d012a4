import { type FSWatcher, watch } from 'node:fs';

const MOST = 200;

/** Watches the folders that were looked at last: what changes there is heard, even inside files. */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #heard: (folder: string) => void;

  constructor(heard: (folder: string) => void) {
    this.#heard = heard;
  }

  /** Begins to watch a folder, or moves it to the end of those to be given up. */
  add(folder: string): void {
    const known = this.#watchers.get(folder);
    if (known !== undefined) {
      this.#watchers.delete(folder);
      this.#watchers.set(folder, known);
      return;
    }
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#heard(folder));
      watcher.on('error', () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // Out of watches, or gone: the folder's change time still tells.
      return;
    }
    const [oldest] = this.#watchers.keys();
    if (this.#watchers.size > MOST && oldest !== undefined) this.#drop(oldest);
  }

  close(): void {
    for (const folder of [...this.#watchers.keys()]) this.#drop(folder);
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}
