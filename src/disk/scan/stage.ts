import { isDir } from './kinds.ts';
import { ENTRIES_HEAD_BYTES, entriesView } from './wire.ts';

/** Where the entries of one folder lie in a stage: files first, then folders. */
export interface Listing {
  readonly ref: number;
  /** Sequence number of the first entry. */
  readonly first: number;
  readonly files: number;
  readonly dirs: number;
  readonly errors: number;
}

const FIRST_LENGTH = 1 << 16;

/** Everything one scanner has sent, as growing columns in the order of its sequence numbers. */
export class Stage {
  count = 0;
  size = new Float64Array(FIRST_LENGTH);
  /** Allocated blocks of 512 bytes, as far as they fit; larger ones are in `big`. */
  blocks = new Uint32Array(FIRST_LENGTH);
  readonly big = new Map<number, number>();
  ino = new Uint32Array(FIRST_LENGTH);
  mtime = new Uint32Array(FIRST_LENGTH);
  owner = new Uint32Array(FIRST_LENGTH);
  kind = new Uint8Array(FIRST_LENGTH);
  /** Where the name of an entry starts; the next one's start is its end. */
  nameAt = new Uint32Array(FIRST_LENGTH + 1);
  names = new Uint8Array(FIRST_LENGTH * 16);
  nameBytes = 0;
  dirs = 0;
  /** Sequence numbers of the entries that are folders, ascending, and their change times. */
  dirAt = new Uint32Array(FIRST_LENGTH);
  dirTime = new Float64Array(FIRST_LENGTH);
  listings = 0;
  /** Five numbers a listing: ref, first, files, dirs, errors. */
  listing = new Uint32Array(FIRST_LENGTH * 5);
  links = 0;
  linkAt = new Uint32Array(64);
  linkCount = new Uint32Array(64);
  linkDev = new Float64Array(64);
  linkIno = new Float64Array(64);

  /** Takes an entries payload; returns how many folders its sender still has to read. */
  add(payload: Uint8Array): number {
    const [entries = 0, listings = 0, dirs = 0, links = 0, nameBytes = 0, pending = 0] = new Uint32Array(
      payload.buffer,
      payload.byteOffset,
      ENTRIES_HEAD_BYTES / 4,
    );
    const view = entriesView(payload.buffer, payload.byteOffset, {
      entries,
      listings,
      dirs,
      links,
      nameBytes,
      pending,
    });
    this.#reserve(entries, listings, dirs, links, nameBytes);
    const base = this.count;
    this.size.set(view.size, base);
    this.ino.set(view.ino, base);
    this.mtime.set(view.mtime, base);
    this.owner.set(view.owner, base);
    this.kind.set(view.kind, base);
    this.names.set(view.names, this.nameBytes);
    let dir = 0;
    for (let i = 0; i < entries; i++) {
      const blocks = view.blocks[i] ?? 0;
      if (blocks >= BIG) this.big.set(base + i, blocks);
      this.blocks[base + i] = Math.min(BIG, blocks);
      this.nameBytes += view.nameLength[i] ?? 0;
      this.nameAt[base + i + 1] = this.nameBytes;
      if (isDir(view.kind[i] ?? 0)) {
        this.dirAt[this.dirs] = base + i;
        this.dirTime[this.dirs++] = view.ctime[dir++] ?? 0;
      }
    }
    this.#addListings(view.listingRef, view.listingFiles, view.listingDirs, view.listingErrors);
    for (let i = 0; i < links; i++) {
      this.linkAt[this.links] = base + (view.linkAt[i] ?? 0);
      this.linkCount[this.links] = view.linkCount[i] ?? 0;
      this.linkDev[this.links] = view.linkDev[i] ?? 0;
      this.linkIno[this.links++] = view.linkIno[i] ?? 0;
    }
    this.count += entries;
    return pending;
  }

  #addListings(refs: Uint32Array, files: Uint32Array, dirs: Uint32Array, errors: Uint32Array): void {
    let first = this.count;
    for (let i = 0; i < refs.length; i++) {
      const at = this.listings++ * 5;
      const fileCount = files[i] ?? 0;
      const dirCount = dirs[i] ?? 0;
      this.listing[at] = refs[i] ?? 0;
      this.listing[at + 1] = first;
      this.listing[at + 2] = fileCount;
      this.listing[at + 3] = dirCount;
      this.listing[at + 4] = errors[i] ?? 0;
      first += fileCount + dirCount;
    }
  }

  /** The listing by its number. */
  listingAt(number: number): Listing {
    const at = number * 5;
    const [ref = 0, first = 0, files = 0, dirs = 0, errors = 0] = this.listing.subarray(at, at + 5);
    return { ref, first, files, dirs, errors };
  }

  #reserve(entries: number, listings: number, dirs: number, links: number, nameBytes: number): void {
    const needed = this.count + entries;
    this.size = roomy(this.size, needed, (n) => new Float64Array(n));
    this.blocks = roomy(this.blocks, needed, (n) => new Uint32Array(n));
    this.ino = roomy(this.ino, needed, (n) => new Uint32Array(n));
    this.mtime = roomy(this.mtime, needed, (n) => new Uint32Array(n));
    this.owner = roomy(this.owner, needed, (n) => new Uint32Array(n));
    this.kind = roomy(this.kind, needed, (n) => new Uint8Array(n));
    this.nameAt = roomy(this.nameAt, needed + 1, (n) => new Uint32Array(n));
    this.names = roomy(this.names, this.nameBytes + nameBytes, (n) => new Uint8Array(n));
    this.dirAt = roomy(this.dirAt, this.dirs + dirs, (n) => new Uint32Array(n));
    this.dirTime = roomy(this.dirTime, this.dirs + dirs, (n) => new Float64Array(n));
    this.listing = roomy(this.listing, (this.listings + listings) * 5, (n) => new Uint32Array(n));
    this.linkAt = roomy(this.linkAt, this.links + links, (n) => new Uint32Array(n));
    this.linkCount = roomy(this.linkCount, this.links + links, (n) => new Uint32Array(n));
    this.linkDev = roomy(this.linkDev, this.links + links, (n) => new Float64Array(n));
    this.linkIno = roomy(this.linkIno, this.links + links, (n) => new Float64Array(n));
  }
}

/** The value in a block column that says: look into `big`. */
export const BIG = 0xffffffff;

/** The column itself when it is long enough, else a copy half as long again. */
function roomy<Column extends { readonly length: number; set(from: Column): void }>(
  column: Column,
  needed: number,
  make: (length: number) => Column,
): Column {
  if (needed <= column.length) return column;
  const larger = make(Math.max(needed, Math.ceil(column.length * 1.5)));
  larger.set(column);
  return larger;
}
