import { at, int32At, uint32At } from '../../contract/at.ts';
import type { Chunk, ScanStage } from '../scan/scan-stage.ts';
import { EARLIER, refNumber, refScanner } from '../scan/scanner-frames.ts';

/** The entries of one folder in its chunk: files first, then sub-folders. */
export interface Listing {
  readonly chunk: Chunk;
  readonly first: number;
  readonly files: number;
  readonly dirs: number;
  readonly errors: number;
  /** Number of its first sub-folder among all folders that were seen. */
  readonly firstDir: number;
}

/** All folders that the scanners have read, as columns, because there can be hundreds of thousands. */
export class Listings {
  readonly chunks: readonly Chunk[];
  /** How many folders were seen, whether read or not. */
  readonly dirs: number;
  /** Folders of the earlier tree that were read again, ascending. */
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

  constructor(stages: readonly ScanStage[]) {
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
        let first = 0;
        let firstDir = at(dirBases, scanner) + dirsBefore;
        this.#dirBase.push(firstDir);
        for (let i = 0; i < view.listingRef.length; i++, listing++) {
          this.#chunkOf[listing] = number;
          this.#first[listing] = first;
          this.#firstDir[listing] = firstDir;
          this.#place[listing] = i;
          first += uint32At(view.listingFiles, i) + uint32At(view.listingDirs, i);
          firstDir += uint32At(view.listingDirs, i);
          this.#assign(uint32At(view.listingRef, i), listing, dirBases);
        }
        number++;
      }
    }
    this.reread = Uint32Array.from(this.#ofEarlier.keys()).sort();
  }

  /** The number of the listing of a folder that was seen, or -1 if it was not read. */
  ofDir(dir: number): number {
    return int32At(this.#ofDir, dir);
  }

  /** The number of the new listing of a folder of the earlier tree, or -1. */
  ofEarlier(folder: number): number {
    return this.#ofEarlier.get(folder) ?? -1;
  }

  get(number: number): Listing {
    const chunk = at(this.chunks, uint32At(this.#chunkOf, number));
    const place = uint32At(this.#place, number);
    const { listingFiles, listingDirs, listingErrors } = chunk.view;
    return {
      chunk,
      first: uint32At(this.#first, number),
      files: uint32At(listingFiles, place),
      dirs: uint32At(listingDirs, place),
      errors: uint32At(listingErrors, place),
      firstDir: uint32At(this.#firstDir, number),
    };
  }

  /** The number of the chunk that holds a listing. */
  chunkNumber(number: number): number {
    return uint32At(this.#chunkOf, number);
  }

  /** The number of the first folder in the chunk of a listing. */
  dirBase(number: number): number {
    return at(this.#dirBase, this.chunkNumber(number));
  }

  /** Notes which folder a listing is of. */
  #assign(ref: number, listing: number, dirBases: readonly number[]): void {
    const scanner = refScanner(ref);
    if (scanner === EARLIER) this.#ofEarlier.set(refNumber(ref), listing);
    else this.#ofDir[at(dirBases, scanner) + refNumber(ref)] = listing;
  }
}
