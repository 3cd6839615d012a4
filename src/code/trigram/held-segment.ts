import { at, float64At } from '../../contract/at.ts';
import type { Requirement } from '../../regex/literals.ts';
import type { SkipReason, SourceFile } from '../files/source-tree.ts';
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

/**
 * A segment in use: its files, and since when each no longer counts. Files that are as the tree knows them are
 * the tree's own objects, so that a large tree is in memory only once.
 */
export class HeldSegment {
  readonly name: string;
  readonly textBytes: number;
  /** Text of files that later segments or changes have replaced. */
  deadBytes = 0;
  readonly #segment: Segment;
  readonly #files: readonly SourceFile[];
  readonly #skips = new Map<number, SkipReason>();
  readonly #deadSince: Float64Array;

  constructor(
    name: string,
    segment: Segment,
    indexed: readonly IndexedFile[],
    known: (file: IndexedFile) => SourceFile,
  ) {
    this.name = name;
    this.#segment = segment;
    this.#files = indexed.map(known);
    this.textBytes = indexed.reduce((sum, file) => sum + file.size, 0);
    this.#deadSince = new Float64Array(indexed.length).fill(LIVES);
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
    return this.#files[0]?.path ?? '';
  }

  get files(): readonly SourceFile[] {
    return this.#files;
  }

  /** Why the content of a file is not searched. */
  skipOf(number: number): SkipReason | undefined {
    return this.#skips.get(number);
  }

  /** A file stops counting with this change; searches that started earlier still use it. */
  kill(number: number, change: number): void {
    this.#deadSince[number] = change;
    this.deadBytes += at(this.#files, number).size;
  }

  liveFiles(): SourceFile[] {
    return this.#files.filter((_file, number) => this.#deadSince[number] === LIVES);
  }

  /** Files that may satisfy the requirement. Throws DamagedSegment. */
  *candidates(need: Requirement, asked: Asked): Generator<Candidate> {
    for (const [number, spans] of this.#segment.candidates(need)) {
      const file = this.#wanted(number, asked);
      if (file !== undefined) yield { file, spans };
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
    for (const number of this.#files.keys()) {
      const file = this.#skips.has(number) ? undefined : this.#wanted(number, asked);
      if (file !== undefined) yield { file, spans: undefined };
    }
  }

  close(): void {
    this.#segment.close();
  }

  #wanted(number: number, { change, admits }: Asked): SourceFile | undefined {
    const file = this.#files[number];
    if (file === undefined || float64At(this.#deadSince, number) <= change) return undefined;
    return admits(file) ? file : undefined;
  }
}
