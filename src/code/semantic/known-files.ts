import type { KnownFile } from './semantic-searcher.ts';

/** What the segments of an index contain of each file. */
export class KnownFiles {
  #files = new Map<string, KnownFile>();
  #segments: readonly string[] = [];

  get size(): number {
    return this.#files.size;
  }

  get paths(): Iterable<string> {
    return this.#files.keys();
  }

  get(path: string): KnownFile | undefined {
    return this.#files.get(path);
  }

  /** The segments whose files are known; none if some of them are no longer used, because then all must be read. */
  among(segments: readonly string[]): readonly string[] {
    const used = new Set(segments);
    return this.#segments.every((segment) => used.has(segment)) ? this.#segments : [];
  }

  /** Takes the files of the segments that were not known, newest last. */
  take(
    segments: readonly string[],
    files: Readonly<Record<string, KnownFile>>,
    gone: readonly string[],
  ): void {
    if (this.among(segments).length === 0) this.#files = new Map();
    for (const [path, file] of Object.entries(files)) this.#files.set(path, file);
    for (const path of gone) this.#files.delete(path);
    this.#segments = segments;
  }
}
