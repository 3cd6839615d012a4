import { uint32At } from '../../contract/at.ts';
import { MAX_FILE_BYTES } from '../files/file-content.ts';
import type { PathTable } from '../files/path-table.ts';
import type { SourceFile, SourceFiles } from '../files/source-tree.ts';
import { languageOf } from '../languages.ts';
import { ROLE, rolesOf } from '../rank/file-roles.ts';
import { eachIdentifier, splitTerms } from '../words/terms.ts';

/** What a waiting search needs: its files are read first. */
export interface Wanted {
  readonly words: ReadonlySet<string>;
  /** The files that can answer it; absent if all can. */
  readonly accept?: ((path: string) => boolean) | undefined;
  /** How much of the question the text of a file contains, from 0 to 1; 0 for files that are not in the map. */
  readonly likely?: ReadonlyMap<string, number> | undefined;
}

/** Files that go into one segment. */
export interface Batch {
  readonly files: readonly SourceFile[];
  /** A search waits for it, so it goes before background work, for other trees too. */
  readonly urgent: boolean;
}

/** Files in the first batches; each later pair is twice as large, so that many files make few segments. */
const FIRST_BATCH_FILES = 400;
const MAX_BATCH_FILES = 8000;
/**
 * Text of one batch: the memory that reading it takes grows with its text. With 7 MB there are so many more segments that
 * the search thread takes what the reading thread saves.
 */
export const MAX_BATCH_BYTES = 12_000_000;
const MAX_URGENT_BATCHES = 4;
/** A file with all words of a question in its text comes before one with three of them in its name. */
const LIKELY_WEIGHT = 6;
const MAX_HITS = 4;
/** More than the rank of any other file, and than any rank. */
const [ASKED_FIRST, HIGHEST] = [1_000, 1_020];
/** How fine ranks are, and more places than a tree has files; a rank and a place fit into a whole number. */
const [RANK_STEPS, PLACES] = [1_000, 2 ** 32];
/** No ending that a stem is without begins before the fourth letter. */
const STEM_START = 3;
/** What is known of a path. */
const [UNKNOWN, ORDINARY, ASIDE] = [0, 1, 2];

/** Files to read, those of the latest search first, so that it can be answered before all are read. */
export class FileQueue {
  readonly #tree: SourceFiles;
  /** Numbers of files in the tree; those before `#start` are read. */
  #numbers: Uint32Array;
  #start = 0;
  /** The number of files at the front that the latest search, about a part of the tree, needs. */
  #asked = 0;
  #askedBatches = 0;
  #batches = 0;
  #waitedForAll = false;

  constructor(tree: SourceFiles, numbers: readonly number[], wanted?: Wanted) {
    this.#tree = tree;
    this.#numbers = Uint32Array.from(numbers);
    if (wanted !== undefined) this.prefer(wanted);
    else this.#sort({ words: new Set() });
  }

  get length(): number {
    return this.#numbers.length - this.#start;
  }

  /** How many threads can be kept busy. */
  get width(): number {
    return Math.ceil(this.length / FIRST_BATCH_FILES);
  }

  /** Whether a search waits for the next batch. */
  get isUrgent(): boolean {
    const isAsked = this.#asked > 0;
    const number = isAsked ? this.#askedBatches : this.#batches;
    return this.length > 0 && (isAsked || this.#waitedForAll) && number < MAX_URGENT_BATCHES;
  }

  /** Puts the files of another search first. */
  prefer(wanted: Wanted): void {
    this.#waitedForAll = wanted.accept === undefined;
    this.#askedBatches = 0;
    this.#sort(wanted);
  }

  /** Removes files that are read elsewhere. */
  drop(files: readonly SourceFile[]): void {
    const dropped = new Set(files.map(({ path }) => this.#tree.paths.numberOf(path)));
    const left = this.#left();
    const isLeft = (number: number) => !dropped.has(number);
    this.#asked = left.subarray(0, this.#asked).filter(isLeft).length;
    this.#put(left.filter(isLeft));
  }

  clear(): void {
    this.#put(new Uint32Array(0));
    this.#asked = 0;
  }

  /** The files to read next, if a search waits for them. */
  nextUrgent(): Batch | undefined {
    return this.isUrgent ? this.next() : undefined;
  }

  /** The files to read next. */
  next(): Batch | undefined {
    const isAsked = this.#asked > 0;
    const most = isAsked ? this.#asked : this.length;
    if (most === 0) return undefined;
    const urgent = this.isUrgent;
    const number = isAsked ? this.#askedBatches++ : this.#batches++;
    const size = Math.min(MAX_BATCH_FILES, FIRST_BATCH_FILES * 2 ** Math.floor(number / 2));
    // The last two batches share what is left, so that two threads end together.
    const wanted = most <= size ? most : most < 2 * size ? Math.ceil(most / 2) : size;
    const taken = this.#fitting(wanted);
    this.#start += taken.length;
    this.#asked = Math.max(0, this.#asked - taken.length);
    // Those that are gone by now need not be read.
    return { files: Array.from(taken).flatMap((file) => this.#tree.at(file) ?? []), urgent };
  }

  /** Of the first `most` files those that fit into a batch; at least one. */
  #fitting(most: number): Uint32Array {
    const left = this.#left();
    let bytes = 0;
    for (let place = 0; place < most; place++) {
      // Only the start of a larger file is read.
      bytes += Math.min(this.#tree.sizeAt(uint32At(left, place)), MAX_FILE_BYTES);
      if (place > 0 && bytes > MAX_BATCH_BYTES) return left.subarray(0, place);
    }
    return left.subarray(0, most);
  }

  #left(): Uint32Array {
    return this.#numbers.subarray(this.#start);
  }

  #put(numbers: Uint32Array): void {
    this.#numbers = numbers;
    this.#start = 0;
  }

  #sort({ words, accept, likely }: Wanted): void {
    const hitsIn = hitCounter(words);
    const isAside = asideIn(this.#tree.paths);
    const numbers = this.#left();
    // Rank and place in one number: sorting numbers is several times as fast as comparing ranks.
    const keys = new Float64Array(numbers.length);
    let asked = 0;
    for (const [place, number] of numbers.entries()) {
      const path = this.#tree.paths.path(number);
      const isAsked = accept?.(path) === true;
      if (isAsked) asked++;
      // Files with words of the question in their name come first, then code, then tests and prose.
      const named = 2 * Math.min(hitsIn(path), MAX_HITS) + (isAside(number, path) ? 0 : 1);
      const rank = named + LIKELY_WEIGHT * (likely?.get(path) ?? 0) + (isAsked ? ASKED_FIRST : 0);
      keys[place] = Math.round((HIGHEST - rank) * RANK_STEPS) * PLACES + place;
    }
    keys.sort();
    this.#put(Uint32Array.from(keys, (key) => uint32At(numbers, key % PLACES)));
    this.#asked = asked;
  }
}

/**
 * Counts words of a question in paths. What it learns about names is dropped with it: the names of a large tree would
 * fill the cache of terms.
 */
function hitCounter(words: ReadonlySet<string>): (path: string) => number {
  const starts = startsOf(words);
  const known = new Map<string, number>();
  const hitsOf = (name: string): number => {
    const seen = known.get(name);
    if (seen !== undefined) return seen;
    const hits = splitTerms(name).filter((term) => words.has(term)).length;
    known.set(name, hits);
    return hits;
  };
  return (path) => {
    if (words.size === 0 || !starts.test(path)) return 0;
    const text = path.replaceAll('-', '_');
    let hits = 0;
    eachIdentifier(text, (from, to) => {
      hits += hitsOf(text.slice(from, to));
    });
    return hits;
  };
}

/** Finds the paths that may have one of these words: a stem has the first letters of its word, unless they have accents. */
function startsOf(words: ReadonlySet<string>): RegExp {
  const starts = [...words].map((word) => word.slice(0, STEM_START).replace(/\W|_|\$/g, '.'));
  return new RegExp([...new Set(starts), '[^\\0-\\x7f]'].join('|'), 'i');
}

const asides = new WeakMap<PathTable, Uint8Array>();

/** Whether a path of a tree is a test, prose or something generated; each path is looked at once. */
function asideIn(paths: PathTable): (number: number, path: string) => boolean {
  const known = asides.get(paths);
  const kinds = new Uint8Array(paths.length);
  if (known !== undefined) kinds.set(known);
  asides.set(paths, kinds);
  return (number, path) => {
    if (kinds[number] === UNKNOWN) {
      const roles = rolesOf(path, languageOf(path), '');
      const aside = ROLE.test | ROLE.aside | ROLE.generated | ROLE.prose | ROLE.config;
      kinds[number] = (roles & aside) === 0 ? ORDINARY : ASIDE;
    }
    return kinds[number] === ASIDE;
  };
}
