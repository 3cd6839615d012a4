import { uint32At } from '../../contract/at.ts';
import type { FileList } from './file-table.ts';

const FIRST_SLOTS = 1 << 10;

/** The number of the newest file at each path: a hash table over the paths of the files, without a copy of any path. */
export class PathNumbers {
  /** File numbers plus one, and the hashes of their paths. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #hashes = new Uint32Array(FIRST_SLOTS);
  #count = 0;

  /** Makes a file the newest at its path; returns the one before. */
  replace(files: FileList, file: number): number | undefined {
    if (2 * (this.#count + 1) > this.#slots.length) this.#grow();
    const bytes = Buffer.from(files.path(file));
    const hash = hashOf(bytes);
    const slot = this.#slot(files, hash, bytes);
    const before = uint32At(this.#slots, slot);
    this.#slots[slot] = file + 1;
    this.#hashes[slot] = hash;
    if (before === 0) this.#count++;
    return before === 0 ? undefined : before - 1;
  }

  get(files: FileList, path: string): number | undefined {
    const bytes = Buffer.from(path);
    const found = uint32At(this.#slots, this.#slot(files, hashOf(bytes), bytes));
    return found === 0 ? undefined : found - 1;
  }

  /** The slot of a path, or the empty one where it belongs. */
  #slot(files: FileList, hash: number, bytes: Buffer): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = uint32At(this.#slots, slot);
      if (found === 0) return slot;
      if (this.#hashes[slot] === hash && files.hasPath(found - 1, bytes)) return slot;
    }
  }

  #grow(): void {
    const { slots, hashes } = { slots: this.#slots, hashes: this.#hashes };
    this.#slots = new Uint32Array(2 * slots.length);
    this.#hashes = new Uint32Array(2 * slots.length);
    const mask = this.#slots.length - 1;
    for (const [old, value] of slots.entries()) {
      if (value === 0) continue;
      const hash = uint32At(hashes, old);
      let slot = hash & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = value;
      this.#hashes[slot] = hash;
    }
  }
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
