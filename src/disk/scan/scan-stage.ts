import { ENTRIES_HEAD_BYTES, type EntriesView, entriesView } from './scanner-frames.ts';

/** One frame of entries, kept as it came. Whole folders only: none goes on in the next frame. */
export interface Chunk {
  readonly view: EntriesView;
  /** Where the name of each entry starts; the next one's start is its end. */
  readonly nameAt: Uint32Array;
  /** How many folders the same scanner has sent before. */
  readonly dirsBefore: number;
}

/** Everything one scanner has sent. */
export class Stage {
  readonly chunks: Chunk[] = [];
  entries = 0;
  dirs = 0;
  listings = 0;

  /** Takes an entries payload; returns how many folders its sender still has to read. */
  add(payload: Uint8Array): number {
    const { buffer, byteOffset } = payload;
    const head = new Uint32Array(buffer, byteOffset, ENTRIES_HEAD_BYTES / 4);
    const [entries = 0, listings = 0, dirs = 0, links = 0, nameBytes = 0, pending = 0] = head;
    const counts = { entries, listings, dirs, links, nameBytes, pending };
    const view = entriesView(buffer, byteOffset, counts);
    const nameAt = new Uint32Array(entries + 1);
    for (let i = 0; i < entries; i++) nameAt[i + 1] = (nameAt[i] ?? 0) + (view.nameLength[i] ?? 0);
    this.chunks.push({ view, nameAt, dirsBefore: this.dirs });
    this.entries += entries;
    this.dirs += dirs;
    this.listings += listings;
    return pending;
  }
}
