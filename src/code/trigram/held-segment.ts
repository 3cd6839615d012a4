import { uint32At } from '../../contract/at.ts';
import type { Requirement } from '../../regex/literals.ts';
import type { SkipReason, SourceFile, SourceFiles } from '../files/source-tree.ts';
import type { Candidate } from './merge-candidates.ts';
import type { Segment } from './trigram-segment.ts';
import type { IndexedFile } from './trigram-segment-table.ts';

/** Which files a search covers, and in which state. */
export interface Asked {
  /** Number of the last change that the search knows. */
  readonly change: number;
  readonly admits: (file: SourceFile) => boolean;
}

const LIVES = Number.POSITIVE_INFINITY;
/** The size of a larger file, whose text is not indexed, is not needed exactly. */
const MAX_SIZE = 0xffff_ffff;

/**
 * A segment in use: its files, and since when each no longer counts. Of a file that counts, the tree knows the same
 * state, so only its number in the tree is kept.
 */
export class HeldSegment {
  readonly name: string;
  readonly textBytes: number;
  /** Text of files that later segments or changes have replaced. */
  deadBytes = 0;
  readonly #segment: Segment;
  readonly #files: SourceFiles;
  /** The number of each file in the tree. */
  readonly #numbers: Uint32Array;
  readonly #sizes: Uint32Array;
  readonly #skips = new Map<number, SkipReason>();
  /** Most segments have only files that count. */
  #deadSince: Float64Array | undefined;
  #live: number;

  constructor(name: string, segment: Segment, indexed: readonly IndexedFile[], files: SourceFiles) {
    this.name = name;
    this.#segment = segment;
    this.#files = files;
    this.#numbers = Uint32Array.from(indexed, ({ path }) => files.paths.add(path));
    this.#sizes = Uint32Array.from(indexed, ({ size }) => Math.min(size, MAX_SIZE));
    this.textBytes = this.#sizes.reduce((sum, size) => sum + size, 0);
    this.#live = indexed.length;
    for (const [number, { skip }] of indexed.entries()) if (skip !== undefined) this.#skips.set(number, skip);
  }

  get path(): string {
    return this.#segment.path;
  }

  get bytes(): number {
    return this.#segment.bytes;
  }

  /** All files of the segment come at or after this path. */
  get from(): string {
    const [first] = this.#numbers;
    return first === undefined ? '' : this.#files.paths.path(first);
  }

  /** The numbers of its files in the tree. */
  get numbers(): Uint32Array {
    return this.#numbers;
  }

  /** Why the content of a file is not searched. */
  skipOf(number: number): SkipReason | undefined {
    return this.#skips.get(number);
  }

  /** A file stops counting with this change; searches that started earlier still use it. */
  kill(number: number, change: number): void {
    this.#live--;
    this.#deadSince ??= new Float64Array(this.#numbers.length).fill(LIVES);
    this.#deadSince[number] = change;
    this.deadBytes += uint32At(this.#sizes, number);
  }

  /** Whether no file counts any more. */
  get isDead(): boolean {
    return this.#live === 0;
  }

  /** The numbers, in the tree, of files that count. */
  live(): Uint32Array {
    return this.#numbers.filter((_number, place) => this.#endOf(place) === LIVES);
  }

  /** Files that may satisfy the requirement. Throws DamagedSegment. */
  *candidates(need: Requirement, asked: Asked): Generator<Candidate> {
    for (const [number, spans] of this.#segment.candidates(need)) {
      const file = this.#wanted(number, asked);
      // Spans hold for the content that was indexed only.
      if (file !== undefined) yield { file, spans: this.#endOf(number) === LIVES ? spans : undefined };
    }
  }

  /** Files whose content was not indexed, to be searched as a whole. */
  *leftOut(asked: Asked): Generator<Candidate> {
    for (const number of this.#skips.keys()) {
      const file = this.#wanted(number, asked);
      if (file !== undefined) yield { file, spans: undefined };
    }
  }

  /** All files, to be searched as a whole. */
  *everything(asked: Asked): Generator<Candidate> {
    for (const number of this.#numbers.keys()) {
      const file = this.#skips.has(number) ? undefined : this.#wanted(number, asked);
      if (file !== undefined) yield { file, spans: undefined };
    }
  }

  close(): void {
    this.#segment.close();
  }

  /** The change with which a file stopped counting. */
  #endOf(number: number): number {
    return this.#deadSince?.[number] ?? LIVES;
  }

  #wanted(number: number, { change, admits }: Asked): SourceFile | undefined {
    if (number >= this.#numbers.length || this.#endOf(number) <= change) return undefined;
    const file = this.#files.at(uint32At(this.#numbers, number));
    return file !== undefined && admits(file) ? file : undefined;
  }
}
