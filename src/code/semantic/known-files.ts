import { float64At } from '../../contract/at.ts';
import type { PathTable } from '../files/path-table.ts';
import { StampTable } from '../files/stamp-table.ts';
import type { FileColumns } from './semantic-searcher.ts';

/** What the segments of an index contain of each file. */
export class KnownFiles {
  #files: StampTable;
  #segments: readonly string[] = [];

  constructor(paths: PathTable) {
    this.#files = new StampTable(paths);
  }

  /** Goes on with the numbers of a tree that was opened again. */
  follow(paths: PathTable): void {
    if (paths !== this.#files.paths) this.#files = this.#files.movedTo(paths);
  }

  get size(): number {
    return this.#files.size;
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  holds(number: number): boolean {
    return this.#files.holds(number);
  }

  hashOf(path: string): string | undefined {
    return this.#files.hashOf(path);
  }

  /** Whether the file was read when it had this size and time. */
  isAt(number: number, size: number, mtimeMs: number): boolean {
    return this.#files.isAt(number, size, mtimeMs, 0);
  }

  /**
   * Those of the segments whose files are known. A segment that replaces others has all of their files that still exist;
   * the tree says which ones do not.
   */
  among(segments: readonly string[]): readonly string[] {
    const used = new Set(segments);
    return this.#segments.filter((segment) => used.has(segment));
  }

  /** Takes the files of the segments that were not known, newest last. */
  take(segments: readonly string[], { paths, stamps, hashes }: FileColumns, gone: readonly string[]): void {
    if (this.among(segments).length === 0) this.#files = new StampTable(this.#files.paths);
    const names = texts(paths);
    const contents = texts(hashes);
    for (let at = 0; at < stamps.length; at += 2) {
      const path = names.next().value ?? '';
      const [size, mtimeMs] = [float64At(stamps, at), float64At(stamps, at + 1)];
      this.#files.set(path, { size, mtimeMs, ctimeMs: 0, hash: contents.next().value ?? '' });
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
