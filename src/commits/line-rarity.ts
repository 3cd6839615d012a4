import { DAY_MS } from '../contract/time.ts';
import type { Commit } from './git/read-commits.ts';

/** A line counts as common if commits of this long before had it too. */
export const RARITY_MS = 365 * DAY_MS;

/** How many commits have a line: what many commits add says little about who wrote it. */
export class LineRarity {
  readonly #times = new Map<number, number[]>();

  /** Counts the lines that are wanted; commits come in the order of time. */
  add(
    { authoredMs, files }: Pick<Commit, 'authoredMs' | 'files'>,
    isWanted: (hash: number) => boolean,
  ): void {
    for (const { addedLines, removedLines } of files)
      for (const lines of [addedLines, removedLines])
        for (const hash of lines) if (isWanted(hash)) this.#count(hash, authoredMs);
  }

  /** Copies of a commit on other branches have its time, and count once. */
  #count(hash: number, ms: number): void {
    const times = this.#times.get(hash);
    if (times === undefined) this.#times.set(hash, [ms]);
    else if (times.at(-1) !== ms) times.push(ms);
  }

  /** The share of a line that a commit has of all commits until then that have it. */
  share(hash: number, authoredMs: number): number {
    let commits = 0;
    for (const ms of this.#times.get(hash) ?? [])
      if (ms <= authoredMs && ms > authoredMs - RARITY_MS) commits++;
    return 1 / Math.max(1, commits);
  }
}
