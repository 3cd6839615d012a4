import type { SourceFile } from '../files/source-tree.ts';
import { languageOf } from '../languages.ts';
import { ROLE, rolesOf } from '../rank/file-roles.ts';
import { termsOf } from '../words/terms.ts';

/** What the question that waits is about: its files are read first. */
export interface Wanted {
  readonly words: ReadonlySet<string>;
  /** The files that can answer it; absent when all can. */
  readonly accept?: ((path: string) => boolean) | undefined;
}

/** Files that are read into one segment. */
export interface Batch {
  readonly files: readonly SourceFile[];
  /** A question waits for it: it goes before what is read in the background, also for other trees. */
  readonly urgent: boolean;
}

/** Files of the first batches; each pair of later ones is twice as large, so that few segments come of many files. */
const FIRST_BATCH_FILES = 400;
const MAX_BATCH_FILES = 8000;
const MAX_URGENT_BATCHES = 4;

/** Files to be read, what the latest question is about first: it may be answered before all are read. */
export class FileQueue {
  #files: SourceFile[];
  /** So many of the first files are those that a question about a part of the tree is about. */
  #asked = 0;
  #askedBatches = 0;
  #batches = 0;
  #waitedForAll = false;

  constructor(files: readonly SourceFile[], wanted?: Wanted) {
    this.#files = [...files];
    if (wanted !== undefined) this.prefer(wanted);
    else this.#sort({ words: new Set() });
  }

  get length(): number {
    return this.#files.length;
  }

  /** How many threads have something to do. */
  get width(): number {
    return Math.ceil(this.#files.length / FIRST_BATCH_FILES);
  }

  /** Puts the files of another question first. */
  prefer(wanted: Wanted): void {
    this.#waitedForAll = wanted.accept === undefined;
    this.#askedBatches = 0;
    this.#sort(wanted);
  }

  /** Takes out files that are read otherwise. */
  drop(files: readonly SourceFile[]): void {
    const paths = new Set(files.map(({ path }) => path));
    const asked = this.#files.slice(0, this.#asked).filter(({ path }) => !paths.has(path));
    const others = this.#files.slice(this.#asked).filter(({ path }) => !paths.has(path));
    this.#files = [...asked, ...others];
    this.#asked = asked.length;
  }

  clear(): void {
    this.#files = [];
    this.#asked = 0;
  }

  /** The files that are to be read next. */
  next(): Batch | undefined {
    const isAsked = this.#asked > 0;
    const most = isAsked ? this.#asked : this.#files.length;
    if (most === 0) return undefined;
    const number = isAsked ? this.#askedBatches++ : this.#batches++;
    const size = Math.min(MAX_BATCH_FILES, FIRST_BATCH_FILES * 2 ** Math.floor(number / 2));
    // The last two share what is left, so that two threads end together.
    const count = most <= size ? most : most < 2 * size ? Math.ceil(most / 2) : size;
    const files = this.#files.splice(0, count);
    this.#asked = Math.max(0, this.#asked - count);
    return { files, urgent: (isAsked || this.#waitedForAll) && number < MAX_URGENT_BATCHES };
  }

  #sort({ words, accept }: Wanted): void {
    const ranked = this.#files.map((file) => ({
      file,
      asked: accept?.(file.path) === true,
      rank: urgency(file.path, words),
    }));
    ranked.sort((a, b) => Number(b.asked) - Number(a.asked) || b.rank - a.rank);
    this.#files = ranked.map(({ file }) => file);
    this.#asked = ranked.filter(({ asked }) => asked).length;
  }
}

/** A name that has words of the question comes first, then code, then tests and prose. */
function urgency(path: string, words: ReadonlySet<string>): number {
  const hits = termsOf(path.replaceAll('-', '_')).filter((term) => words.has(term)).length;
  const roles = rolesOf(path, languageOf(path), '');
  const aside = (roles & (ROLE.test | ROLE.aside | ROLE.generated | ROLE.prose | ROLE.config)) !== 0;
  return 2 * Math.min(hits, 4) + (aside ? 0 : 1);
}
