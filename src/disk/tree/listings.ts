import type { Chunk, Stage } from '../scan/scan-stage.ts';
import { EARLIER, refNumber, refScanner } from '../scan/scanner-frames.ts';

/** The entries of one folder in its chunk: files first, then folders. */
export interface Listing {
  readonly chunk: Chunk;
  readonly first: number;
  readonly files: number;
  readonly dirs: number;
  readonly errors: number;
  /** Number of its first folder among all that were seen. */
  readonly firstDir: number;
}

/** All folders that the scanners have read. Columns, since there may be a hundred thousand. */
export class Listings {
  readonly chunks: readonly Chunk[];
  /** How many folders were seen, read or not. */
  readonly dirs: number;
  /** Folders of the earlier tree that were read anew, ascending. */
  readonly reread: Uint32Array;
  readonly #chunkOf: Uint32Array;
  readonly #first: Uint32Array;
  readonly #firstDir: Uint32Array;
  readonly #place: Uint32Array;
  /** Number of the first folder of each chunk. */
  readonly #dirBase: number[] = [];
  /** The listing of each folder that was seen, or -1. */
  readonly #ofDir: Int32Array;
  readonly #ofEarlier = new Map<number, number>();

  constructor(stages: readonly Stage[]) {
    this.chunks = stages.flatMap((stage) => stage.chunks);
    const dirBases: number[] = [];
    let dirs = 0;
    for (const stage of stages) {
      dirBases.push(dirs);
      dirs += stage.dirs;
    }
    this.dirs = dirs;
    const count = stages.reduce((sum, stage) => sum + stage.listings, 0);
    this.#chunkOf = new Uint32Array(count);
    this.#first = new Uint32Array(count);
    this.#firstDir = new Uint32Array(count);
    this.#place = new Uint32Array(count);
    this.#ofDir = new Int32Array(dirs).fill(-1);
    let listing = 0;
    let number = 0;
    for (const [scanner, stage] of stages.entries()) {
      for (const { view, dirsBefore } of stage.chunks) {
        this.#dirBase.push((dirBases[scanner] ?? 0) + dirsBefore);
        let first = 0;
        let firstDir = (dirBases[scanner] ?? 0) + dirsBefore;
        for (let i = 0; i < view.listingRef.length; i++, listing++) {
          this.#chunkOf[listing] = number;
          this.#first[listing] = first;
          this.#firstDir[listing] = firstDir;
          this.#place[listing] = i;
          first += (view.listingFiles[i] ?? 0) + (view.listingDirs[i] ?? 0);
          firstDir += view.listingDirs[i] ?? 0;
          this.#belongs(view.listingRef[i] ?? 0, listing, dirBases);
        }
        number++;
      }
    }
    this.reread = Uint32Array.from(this.#ofEarlier.keys()).sort();
  }

  /** The number of the listing of a folder that was seen, or -1 when it was not read. */
  ofDir(dir: number): number {
    return this.#ofDir[dir] ?? -1;
  }

  /** The number of the new listing of a folder of the earlier tree, or -1. */
  ofEarlier(folder: number): number {
    return this.#ofEarlier.get(folder) ?? -1;
  }

  get(number: number): Listing {
    const chunk = this.chunks[this.#chunkOf[number] ?? 0];
    if (chunk === undefined) throw new RangeError(`no listing ${number}`);
    const place = this.#place[number] ?? 0;
    const { listingFiles, listingDirs, listingErrors } = chunk.view;
    return {
      chunk,
      first: this.#first[number] ?? 0,
      files: listingFiles[place] ?? 0,
      dirs: listingDirs[place] ?? 0,
      errors: listingErrors[place] ?? 0,
      firstDir: this.#firstDir[number] ?? 0,
    };
  }

  /** The number of the chunk that holds a listing. */
  chunkNumber(number: number): number {
    return this.#chunkOf[number] ?? 0;
  }

  /** The number of the first folder in the chunk of a listing. */
  dirBase(number: number): number {
    return this.#dirBase[this.chunkNumber(number)] ?? 0;
  }

  #belongs(ref: number, listing: number, dirBases: readonly number[]): void {
    const scanner = refScanner(ref);
    if (scanner === EARLIER) this.#ofEarlier.set(refNumber(ref), listing);
    else this.#ofDir[(dirBases[scanner] ?? 0) + refNumber(ref)] = listing;
  }
}
