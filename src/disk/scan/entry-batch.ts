import {
  ENTRIES_HEAD_BYTES,
  type EntriesCounts,
  entriesBytes,
  entriesView,
  FRAME,
  HEAD_BYTES,
} from './scanner-frames.ts';

interface Link {
  readonly at: number;
  readonly dev: number;
  readonly ino: number;
  readonly count: number;
}

interface Listing {
  readonly ref: number;
  readonly files: number;
  readonly dirs: number;
  readonly errors: number;
}

/** The facts about a node, as they become columns. */
export interface Entry {
  readonly kind: number;
  readonly size: number;
  readonly blocks: number;
  readonly mtime: number;
  /** See `keptDetails`. */
  readonly details: number;
  readonly owner: number;
  readonly ino: number;
}

const ENTRY_LIMIT = 8_192;

/** Collects the entries that a scanner reads until there are enough for a frame. */
export class EntryBatch {
  #dirs = 0;
  #count = 0;
  #size = new Float64Array(ENTRY_LIMIT * 2);
  #blocks = new Float64Array(ENTRY_LIMIT * 2);
  #ino = new Uint32Array(ENTRY_LIMIT * 2);
  #mtime = new Uint32Array(ENTRY_LIMIT * 2);
  #details = new Uint32Array(ENTRY_LIMIT * 2);
  #owner = new Uint32Array(ENTRY_LIMIT * 2);
  #kind = new Uint8Array(ENTRY_LIMIT * 2);
  #nameLength = new Uint16Array(ENTRY_LIMIT * 2);
  #names = Buffer.alloc(ENTRY_LIMIT * 32);
  #nameBytes = 0;
  #ctime: number[] = [];
  #links: Link[] = [];
  #listings: Listing[] = [];

  get full(): boolean {
    return this.#count >= ENTRY_LIMIT;
  }

  add({ kind, size, blocks, mtime, details, owner, ino }: Entry): void {
    const at = this.#count++;
    if (at >= this.#size.length) this.#grow();
    this.#kind[at] = kind;
    this.#size[at] = size;
    this.#blocks[at] = blocks;
    this.#mtime[at] = mtime;
    this.#details[at] = details;
    this.#owner[at] = owner;
    this.#ino[at] = ino;
  }

  /** Sets the change time of the folder just added; returns its number among all folders added so far. */
  dirTime(ctime: number): number {
    this.#ctime.push(ctime);
    return this.#dirs++;
  }

  /** Notes that the entry just added has `count` names. */
  link(dev: number, ino: number, count: number): void {
    this.#links.push({ at: this.#count - 1, dev, ino, count });
  }

  /** Writes the names of the last `names.length` entries, in order. */
  name(names: readonly string[]): void {
    if (names.length === 0) return;
    const joined = names.join('');
    this.#room(joined.length * 3);
    const written = this.#names.write(joined, this.#nameBytes, 'utf8');
    this.#nameBytes += written;
    const first = this.#count - names.length;
    const ascii = written === joined.length;
    for (const [i, name] of names.entries())
      this.#nameLength[first + i] = ascii ? name.length : Buffer.byteLength(name);
  }

  /** The same for names that are not valid UTF-8. */
  rawName(names: readonly Buffer[]): void {
    const first = this.#count - names.length;
    names.forEach((name, i) => {
      this.#room(name.length);
      name.copy(this.#names, this.#nameBytes);
      this.#nameBytes += name.length;
      this.#nameLength[first + i] = name.length;
    });
  }

  /** Completes a folder, whose files and then sub-folders were the last entries added. */
  listing(ref: number, files: number, dirs: number, errors: number): void {
    this.#listings.push({ ref, files, dirs, errors });
  }

  /** The frame with everything since the last call, or undefined if there is nothing. */
  take(pending: number): Uint8Array | undefined {
    if (this.#count === 0 && this.#listings.length === 0) return undefined;
    const counts: EntriesCounts = {
      entries: this.#count,
      listings: this.#listings.length,
      dirs: this.#ctime.length,
      links: this.#links.length,
      nameBytes: this.#nameBytes,
      pending,
    };
    const bytes = entriesBytes(counts);
    const frame = new ArrayBuffer(HEAD_BYTES + bytes);
    new Uint32Array(frame, 0, 2).set([FRAME.entries, bytes]);
    new Uint32Array(frame, HEAD_BYTES, ENTRIES_HEAD_BYTES / 4).set([
      counts.entries,
      counts.listings,
      counts.dirs,
      counts.links,
      counts.nameBytes,
      pending,
    ]);
    const view = entriesView(frame, HEAD_BYTES, counts);
    view.size.set(this.#size.subarray(0, this.#count));
    view.blocks.set(this.#blocks.subarray(0, this.#count));
    view.ino.set(this.#ino.subarray(0, this.#count));
    view.mtime.set(this.#mtime.subarray(0, this.#count));
    view.details.set(this.#details.subarray(0, this.#count));
    view.owner.set(this.#owner.subarray(0, this.#count));
    view.kind.set(this.#kind.subarray(0, this.#count));
    view.nameLength.set(this.#nameLength.subarray(0, this.#count));
    view.names.set(this.#names.subarray(0, this.#nameBytes));
    view.ctime.set(this.#ctime);
    this.#links.forEach((link, i) => {
      view.linkAt[i] = link.at;
      view.linkCount[i] = link.count;
      view.linkDev[i] = link.dev;
      view.linkIno[i] = link.ino;
    });
    this.#listings.forEach((listing, i) => {
      view.listingRef[i] = listing.ref;
      view.listingFiles[i] = listing.files;
      view.listingDirs[i] = listing.dirs;
      view.listingErrors[i] = listing.errors;
    });
    this.#count = 0;
    this.#nameBytes = 0;
    this.#ctime = [];
    this.#links = [];
    this.#listings = [];
    return new Uint8Array(frame);
  }

  #grow(): void {
    const length = this.#size.length * 2;
    this.#size = copied(this.#size, new Float64Array(length));
    this.#blocks = copied(this.#blocks, new Float64Array(length));
    this.#ino = copied(this.#ino, new Uint32Array(length));
    this.#mtime = copied(this.#mtime, new Uint32Array(length));
    this.#details = copied(this.#details, new Uint32Array(length));
    this.#owner = copied(this.#owner, new Uint32Array(length));
    this.#kind = copied(this.#kind, new Uint8Array(length));
    this.#nameLength = copied(this.#nameLength, new Uint16Array(length));
  }

  #room(bytes: number): void {
    if (this.#nameBytes + bytes <= this.#names.length) return;
    const larger = Buffer.alloc(Math.max(this.#names.length * 2, this.#nameBytes + bytes));
    this.#names.copy(larger, 0, 0, this.#nameBytes);
    this.#names = larger;
  }
}

function copied<Column extends { set(from: Column): void }>(from: Column, into: Column): Column {
  into.set(from);
  return into;
}
