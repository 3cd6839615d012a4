import { uint16At, uint32At } from '../../contract/at.ts';
import { ENTRIES_HEAD_BYTES, type EntriesView, entriesView } from './scanner-frames.ts';

/** One frame of entries, as received. A folder is never split between two frames. */
export interface Chunk {
  readonly view: EntriesView;
  /** Where the name of each entry starts; it ends where the next one starts. */
  readonly nameAt: Uint32Array;
  /** How many folders the same scanner sent before. */
  readonly dirsBefore: number;
}

/** Everything that one scanner has sent. */
export class ScanStage {
  readonly chunks: Chunk[] = [];
  entries = 0;
  dirs = 0;
  listings = 0;

  /** Adds a payload of entries; returns how many folders its scanner still has to read. */
  add(payload: Uint8Array): number {
    const { buffer, byteOffset } = payload;
    const head = new Uint32Array(buffer, byteOffset, ENTRIES_HEAD_BYTES / 4);
    const [entries = 0, listings = 0, dirs = 0, links = 0, nameBytes = 0, pending = 0] = head;
    const counts = { entries, listings, dirs, links, nameBytes, pending };
    const view = entriesView(buffer, byteOffset, counts);
    const nameAt = new Uint32Array(entries + 1);
    for (let i = 0; i < entries; i++) nameAt[i + 1] = uint32At(nameAt, i) + uint16At(view.nameLength, i);
    this.chunks.push({ view, nameAt, dirsBefore: this.dirs });
    this.entries += entries;
    this.dirs += dirs;
    this.listings += listings;
    return pending;
  }
}
