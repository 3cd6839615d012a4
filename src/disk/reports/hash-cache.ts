import { readFileSync, renameSync, type Stats, writeFileSync } from 'node:fs';

const MAX_DIGESTS = 100_000;

/**
 * Digests of files that were read before. The key includes everything that changes with the content, so an entry can be
 * wrong only if something writes to the disk without the file system.
 */
export class HashCache {
  readonly #file: string;
  readonly #digests: Map<string, string>;
  #changed = false;

  private constructor(file: string, digests: Map<string, string>) {
    this.#file = file;
    this.#digests = digests;
  }

  /** If the file cannot be read, the cache is empty. */
  static load(file: string): HashCache {
    const digests = new Map<string, string>();
    try {
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        const [key, digest] = line.split(' ');
        if (key !== undefined && digest?.length === 64) digests.set(key, digest);
      }
    } catch {
      // First use, or unreadable: everything is hashed again.
    }
    return new HashCache(file, digests);
  }

  static key({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
    return [dev, ino, size, mtimeMs, ctimeMs].join(':');
  }

  get(key: string): string | undefined {
    const digest = this.#digests.get(key);
    if (digest !== undefined) {
      // Moved to the end, because the oldest entries are dropped.
      this.#digests.delete(key);
      this.#digests.set(key, digest);
    }
    return digest;
  }

  set(key: string, digest: string): void {
    this.#digests.set(key, digest);
    this.#changed = true;
  }

  save(): void {
    if (!this.#changed) return;
    const lines = [...this.#digests].slice(-MAX_DIGESTS).map(([key, digest]) => `${key} ${digest}`);
    writeFileSync(`${this.#file}.tmp`, lines.join('\n'), { mode: 0o600 });
    renameSync(`${this.#file}.tmp`, this.#file);
  }
}
