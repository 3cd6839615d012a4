/** What is known of a folder beyond its row, as bits. */
export const MARK = {
  /** The system tells of every change in it. */
  watched: 1,
  /** It was read before it was watched: what changed in between is not known yet. */
  unchecked: 2,
  /** Something was heard of it since it was read. */
  heard: 4,
} as const;

/** True when a folder is exactly as the index has it: watched, checked, and nothing was heard. */
export function isSure(bits: number | undefined): boolean {
  return bits === MARK.watched;
}

/** The marks on the folders of an index by node id, so that they outlive generations. A byte a node. */
export class Marks {
  #bits = new Uint8Array(0);
  /** Counts up with every change, for those who keep what they counted. */
  version = 0;

  get(id: number): number {
    return this.#bits[id] ?? 0;
  }

  /** True when something was heard of the folder since it was read. */
  has(id: number): boolean {
    return (this.get(id) & MARK.heard) !== 0;
  }

  add(id: number, bits: number): void {
    if (id >= this.#bits.length) this.fit(id + 1);
    this.#bits[id] = this.get(id) | bits;
    this.version++;
  }

  remove(id: number, bits: number): void {
    if (id >= this.#bits.length) return;
    this.#bits[id] = this.get(id) & ~bits;
    this.version++;
  }

  /** Makes room for ids below `ids`. */
  fit(ids: number): void {
    if (ids <= this.#bits.length) return;
    const larger = new Uint8Array(Math.ceil(ids * 1.05));
    larger.set(this.#bits);
    this.#bits = larger;
  }

  /** A copy for a rescan; what is heard from now on is for the next one. */
  take(): Uint8Array {
    const taken = this.#bits.slice();
    this.#each((bits) => bits & ~MARK.heard);
    return taken;
  }

  /** After a rescan that came to nothing: what it should have looked at is still to be looked at. */
  giveBack(taken: Uint8Array): void {
    for (let id = 0; id < taken.length; id++)
      if (((taken[id] ?? 0) & MARK.heard) !== 0) this.add(id, MARK.heard);
  }

  /** After a scan: folders that were watched already when it read them are sure. `all`: it read every folder. */
  settle(taken: Uint8Array, all: boolean): void {
    const read = all ? MARK.watched : MARK.watched | MARK.heard;
    this.#each((bits, id) => (((taken[id] ?? 0) & read) === read ? bits & ~MARK.unchecked : bits));
  }

  /** Events may have been lost: every watched folder has to be looked at again. */
  doubt(): void {
    this.#each((bits) => ((bits & MARK.watched) === 0 ? bits : bits | MARK.unchecked));
  }

  /** Nothing is watched any more. */
  unwatchAll(): void {
    this.#each((bits) => bits & MARK.heard);
  }

  #each(change: (bits: number, id: number) => number): void {
    const all = this.#bits;
    for (let id = 0; id < all.length; id++) {
      const bits = all[id] ?? 0;
      if (bits !== 0) all[id] = change(bits, id);
    }
    this.version++;
  }
}
