import { DAY_MS } from '../contract/time.ts';
import type { Commit } from './git/read-commits.ts';

/** How far back commits are searched for the same line, to see how common it is. */
export const RARITY_MS = 365 * DAY_MS;

/** Counts how many commits have a line: a line that many commits add says little about who wrote it. */
export class LineRarity {
  readonly #times = new Map<number, number[]>();

  /** Counts the lines that are wanted; call it for commits in chronological order. */
  add(
    { authoredMs, files }: Pick<Commit, 'authoredMs' | 'files'>,
    isWanted: (hash: number) => boolean,
  ): void {
    for (const { addedLines, removedLines } of files)
      for (const lines of [addedLines, removedLines])
        for (const hash of lines) if (isWanted(hash)) this.#count(hash, authoredMs);
  }

  /** Copies of a commit on other branches have the same time, and count once. */
  #count(hash: number, ms: number): void {
    const times = this.#times.get(hash);
    if (times === undefined) this.#times.set(hash, [ms]);
    else if (times.at(-1) !== ms) times.push(ms);
  }

  /** One commit's share of a line, among all commits up to then that have it. */
  share(hash: number, authoredMs: number): number {
    let commits = 0;
    for (const ms of this.#times.get(hash) ?? [])
      if (ms <= authoredMs && ms > authoredMs - RARITY_MS) commits++;
    return 1 / Math.max(1, commits);
  }
}
