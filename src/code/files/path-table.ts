import { at, uint32At } from '../../contract/at.ts';
import { ownText } from '../words/own-text.ts';

const FIRST_PATHS = 1 << 8;
const FIRST_NAME_BYTES = 1 << 12;
/** Set in the column of folders if a name has characters beyond Latin-1, which take two bytes each. */
const WIDE = 0x8000_0000;

/**
 * Gives each path of a tree a number, which it keeps even after the file is deleted. Anything that is known about every
 * file is stored in columns by these numbers: keyed by path, a map of half a million files would take a hundred
 * megabytes.
 */
export class PathTable {
  readonly #folders: string[] = [];
  readonly #folderNumbers = new Map<string, number>();
  /** The folder of the last path: paths often come folder by folder. */
  #last = { folder: '', number: -1 };
  #length = 0;
  #folderOf = new Uint32Array(FIRST_PATHS);
  /** The name of path n is between #nameAt[n] and #nameAt[n + 1]. */
  #nameAt = new Uint32Array(FIRST_PATHS + 1);
  #names = Buffer.alloc(FIRST_NAME_BYTES);
  /** A hash table, at most half full: each slot has the number of a path plus one, or 0 if it is empty. */
  #slots = new Uint32Array(2 * FIRST_PATHS);

  /** All numbers are below it. */
  get length(): number {
    return this.#length;
  }

  /** The number of a path, or -1 if it never was in the tree. */
  numberOf(path: string): number {
    const slash = path.lastIndexOf('/');
    const folder = this.#folderNumber(path, slash);
    return folder === -1 ? -1 : uint32At(this.#slots, this.#slotOf(path, slash + 1, folder)) - 1;
  }

  /** The number of a path, which gets one if it has none. */
  add(path: string): number {
    const slash = path.lastIndexOf('/');
    const folder = this.#folderNumber(path, slash);
    if (folder !== -1) {
      const known = uint32At(this.#slots, this.#slotOf(path, slash + 1, folder));
      if (known > 0) return known - 1;
    }
    return this.#append(path, slash, folder === -1 ? this.#addFolder(path, slash) : folder);
  }

  /** The folder of a path, '' at the root: the same text for all paths in it. */
  folder(number: number): string {
    return at(this.#folders, this.#folderAt(number));
  }

  /** The numbers of all paths below a folder, at any depth. */
  below(folder: string): number[] {
    const isInside = this.#folders.map((each) => each === folder || each.startsWith(`${folder}/`));
    const found: number[] = [];
    for (let number = 0; number < this.#length; number++)
      if (isInside[this.#folderAt(number)] === true) found.push(number);
    return found;
  }

  path(number: number): string {
    const folder = this.folder(number);
    const name = this.#name(number);
    return folder === '' ? name : `${folder}/${name}`;
  }

  #folderAt(number: number): number {
    return uint32At(this.#folderOf, number) & ~WIDE;
  }

  #name(number: number): string {
    const encoding = uint32At(this.#folderOf, number) >= WIDE ? 'utf16le' : 'latin1';
    return this.#names.toString(encoding, uint32At(this.#nameAt, number), uint32At(this.#nameAt, number + 1));
  }

  #folderNumber(path: string, slash: number): number {
    const { folder, number } = this.#last;
    if (folder.length === Math.max(0, slash) && path.startsWith(folder)) return number;
    const wanted = path.slice(0, Math.max(0, slash));
    const found = this.#folderNumbers.get(wanted) ?? -1;
    if (found !== -1) this.#last = { folder: at(this.#folders, found), number: found };
    return found;
  }

  #addFolder(path: string, slash: number): number {
    const folder = ownText(path.slice(0, Math.max(0, slash)));
    const number = this.#folders.push(folder) - 1;
    this.#folderNumbers.set(folder, number);
    this.#last = { folder, number };
    return number;
  }

  #append(path: string, slash: number, folder: number): number {
    const number = this.#length++;
    this.#reserve(path.length);
    const start = uint32At(this.#nameAt, number);
    const name = path.slice(slash + 1);
    const isWide = /[^\0-\xff]/.test(name);
    const written = this.#names.write(name, start, isWide ? 'utf16le' : 'latin1');
    this.#folderOf[number] = (isWide ? folder | WIDE : folder) >>> 0;
    this.#nameAt[number + 1] = start + written;
    this.#slots[this.#slotOf(path, slash + 1, folder)] = number + 1;
    return number;
  }

  /** Where a name of a folder is in the hash table, or would be. */
  #slotOf(path: string, from: number, folder: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(path, from, folder) & mask;
    for (;;) {
      const known = uint32At(this.#slots, slot);
      if (known === 0 || this.#isName(known - 1, path, from, folder)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isName(number: number, path: string, from: number, folder: number): boolean {
    const own = uint32At(this.#folderOf, number);
    if ((own & ~WIDE) !== folder) return false;
    const start = uint32At(this.#nameAt, number);
    const bytes = uint32At(this.#nameAt, number + 1) - start;
    const length = path.length - from;
    if (own >= WIDE) return bytes === 2 * length && this.#name(number) === path.slice(from);
    if (bytes !== length) return false;
    for (let place = 0; place < length; place++)
      if (this.#names[start + place] !== path.charCodeAt(from + place)) return false;
    return true;
  }

  /** Makes room for one more path with a name of at most so many characters. */
  #reserve(length: number): void {
    const number = this.#length - 1;
    if (number === this.#folderOf.length) {
      const more = grown(number);
      this.#folderOf = resized(this.#folderOf, more);
      this.#nameAt = resized(this.#nameAt, more + 1);
    }
    const end = uint32At(this.#nameAt, number) + 2 * length;
    if (end > this.#names.length) {
      const larger = Buffer.alloc(Math.max(end, grown(this.#names.length)));
      this.#names.copy(larger);
      this.#names = larger;
    }
    if (2 * this.#length > this.#slots.length) this.#rehash();
  }

  #rehash(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (const known of this.#slots) {
      if (known === 0) continue;
      const name = this.#name(known - 1);
      let slot = hashOf(name, 0, this.#folderAt(known - 1)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = known;
    }
    this.#slots = slots;
  }
}

/** Half as much again: doubling the columns of a large tree would leave much of them empty. */
export function grown(length: number): number {
  return length + (length >>> 1) + 16;
}

function resized(column: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(column);
  return larger;
}

/** FNV-1a over the characters from a place on, beginning with the folder; its last step mixes the low bits. */
function hashOf(path: string, from: number, folder: number): number {
  let hash = Math.imul(folder ^ 0x811c_9dc5, 0x0100_0193);
  for (let place = from; place < path.length; place++)
    hash = Math.imul(hash ^ path.charCodeAt(place), 0x0100_0193);
  return hash ^ (hash >>> 15);
}
