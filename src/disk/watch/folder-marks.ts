import { uint8At } from '../../contract/at.ts';
/** What is known about a folder besides its row, as bits. */
export const MARK = {
  /** The system reports every change in it. */
  watched: 1,
  /** It was read before it was watched: changes in between are not known yet. */
  unchecked: 2,
  /** A change was reported since it was read. */
  changed: 4,
} as const;

/** True if a folder certainly matches the index: watched, checked, and without a reported change. */
export function isSure(bits: number | undefined): boolean {
  return bits === MARK.watched;
}

/** The bits of a node id. Marks grow on demand, so ids beyond their end have none. */
export function marksOf(marks: Uint8Array, id: number): number {
  return marks[id] ?? 0;
}

/** The marks of the folders of an index by node id, so that they survive new generations. One byte per node. */
export class Marks {
  #bits = new Uint8Array(0);
  /** Increases with every change, to tell when a cached count is out of date. */
  version = 0;

  get(id: number): number {
    return marksOf(this.#bits, id);
  }

  /** True if a change in the folder was reported since it was read. */
  has(id: number): boolean {
    return (this.get(id) & MARK.changed) !== 0;
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

  /** A copy for a rescan; changes reported from now on are left to the next one. */
  take(): Uint8Array {
    const taken = this.#bits.slice();
    this.#each((bits) => bits & ~MARK.changed);
    return taken;
  }

  /** After a failed rescan: the changes it should have read are still to be read. */
  giveBack(taken: Uint8Array): void {
    for (const [id, bits] of taken.entries()) if ((bits & MARK.changed) !== 0) this.add(id, MARK.changed);
  }

  /** After a scan: folders that were already watched when it read them are sure. `all`: it read every folder. */
  confirm(taken: Uint8Array, all: boolean): void {
    const read = all ? MARK.watched : MARK.watched | MARK.changed;
    this.#each((bits, id) => ((marksOf(taken, id) & read) === read ? bits & ~MARK.unchecked : bits));
  }

  /** Events may have been lost: every watched folder must be checked again. */
  uncheckAll(): void {
    this.#each((bits) => ((bits & MARK.watched) === 0 ? bits : bits | MARK.unchecked));
  }

  /** After the watches are gone. */
  unwatchAll(): void {
    this.#each((bits) => bits & MARK.changed);
  }

  #each(change: (bits: number, id: number) => number): void {
    const all = this.#bits;
    for (let id = 0; id < all.length; id++) {
      const bits = uint8At(all, id);
      if (bits !== 0) all[id] = change(bits, id);
    }
    this.version++;
  }
}
