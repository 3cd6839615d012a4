import { float64At } from '../../contract/at.ts';
import { StampTable } from '../files/stamp-table.ts';
import type { FileColumns } from './semantic-searcher.ts';

/** What the segments of an index contain of each file. */
export class KnownFiles {
  #files = new StampTable();
  #segments: readonly string[] = [];

  get size(): number {
    return this.#files.size;
  }

  get paths(): Iterable<string> {
    return this.#files.keys();
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  hashOf(path: string): string | undefined {
    return this.#files.get(path)?.hash;
  }

  /** Whether the file was read when it had this size and time. */
  isAt(path: string, size: number, mtimeMs: number): boolean {
    return this.#files.isAt(path, { size, mtimeMs, ctimeMs: 0 });
  }

  /** The segments whose files are known; none if some of them are no longer used, because then all must be read. */
  among(segments: readonly string[]): readonly string[] {
    const used = new Set(segments);
    return this.#segments.every((segment) => used.has(segment)) ? this.#segments : [];
  }

  /**
   * Takes the files of the segments that were not known, newest last. `own` gives the text of a path that is in memory
   * already.
   */
  take(
    segments: readonly string[],
    { paths, stamps, hashes }: FileColumns,
    gone: readonly string[],
    own: (path: string) => string = (path) => path,
  ): void {
    if (this.among(segments).length === 0) this.#files = new StampTable();
    const names = texts(paths);
    const contents = texts(hashes);
    for (let at = 0; at < stamps.length; at += 2) {
      const path = names.next().value ?? '';
      const [size, mtimeMs] = [float64At(stamps, at), float64At(stamps, at + 1)];
      this.#files.set(own(path), { size, mtimeMs, ctimeMs: 0, hash: contents.next().value ?? '' });
    }
    for (const path of gone) this.#files.delete(path);
    this.#segments = segments;
  }
}

/** Texts that end with NUL, one by one. */
function* texts({ buffer, byteOffset, length }: Uint8Array): Generator<string, undefined> {
  const bytes = Buffer.from(buffer, byteOffset, length);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0, from);
    yield bytes.toString('utf8', from, end);
    from = end + 1;
  }
}
