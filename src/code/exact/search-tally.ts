import { countOf } from '../../contract/format.ts';
import type { SkipCounts, SkipReason } from '../files/source-tree.ts';
import type { SearchReport } from './exact-query.ts';
import { type FileFilter, isWhole } from './file-filter.ts';
import type { SearchSetup } from './search-setup.ts';
import type { SearchTarget } from './search-target.ts';

type TallySetup = Pick<SearchSetup, 'admits' | 'indexed' | 'everything'>;

/** Counts what a search read and what it left out. */
export class SearchTally {
  readonly #target: SearchTarget;
  readonly #setup: TallySetup;
  readonly #filter: FileFilter;
  /** Files that this search left out, with the reason. */
  readonly #skipped = new Map<string, SkipReason>();
  /** What the index leaves out, kept until the index changes: one answer needs it several times. */
  #leftOut: { readonly indexed: number; readonly skipped: SkipCounts } | undefined;
  #searched = 0;

  constructor(target: SearchTarget, setup: TallySetup, filter: FileFilter) {
    this.#target = target;
    this.#setup = setup;
    this.#filter = filter;
  }

  readonly addSearched = (files: number): void => {
    this.#searched += files;
  };

  readonly addSkipped = (path: string, reason: SkipReason): void => {
    this.#skipped.set(path, reason);
  };

  /** Files that the search itself left out, besides those that the index knows. */
  get skipped(): number {
    return total(this.#ownSkipped());
  }

  /** The index counts the files that it knows, and it may learn of one while the search runs. */
  #ownSkipped(): SkipCounts {
    const counts: Partial<Record<SkipReason, number>> = {};
    for (const [path, reason] of this.#skipped)
      if (this.#setup.everything || this.#target.index.skipOf(path) === undefined)
        counts[reason] = (counts[reason] ?? 0) + 1;
    return counts;
  }

  report(via: SearchReport['via']): SearchReport {
    const { index } = this.#target;
    const { files: searchable, skipped: everywhere } = index.counts(this.#filter.hidden);
    // Which files are left out is known only once they have been read; the number of files must not depend on that.
    const files = searchable + total(everywhere);
    const skipped = sumOf([this.#unreadable(), this.#leftOutByIndex(everywhere), this.#ownSkipped()]);
    const { unreadable = 0 } = skipped;
    const unread =
      unreadable > 0
        ? `${countOf(unreadable, 'file or folder', 'files or folders')} could not be read`
        : undefined;
    const doubt = this.#target.doubt ?? unread;
    const { indexed } = this.#setup;
    return { via, fresh: doubt === undefined, doubt, indexed, files, searched: this.#searched, skipped };
  }

  /** What the walk could not read, where the search looked. */
  #unreadable(): SkipCounts {
    const { below } = this.#filter;
    const isInside = (path: string) => below === '' || path === below || path.startsWith(`${below}/`);
    const unreadable = this.#target.tree.unreadable.filter(isInside).length;
    return unreadable > 0 ? { unreadable } : {};
  }

  #leftOutByIndex(everywhere: SkipCounts): SkipCounts {
    const { index } = this.#target;
    if (this.#setup.everything) return {};
    if (isWhole(this.#filter)) return everywhere;
    const { indexed } = index.state;
    if (this.#leftOut?.indexed !== indexed)
      this.#leftOut = { indexed, skipped: index.leftOut(this.#setup.admits) };
    return this.#leftOut.skipped;
  }
}

function total(counts: SkipCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function sumOf(counts: readonly SkipCounts[]): SkipCounts {
  const sum: Partial<Record<SkipReason, number>> = {};
  for (const one of counts) {
    for (const [reason, count] of Object.entries(one)) {
      // Object.entries of our own record.
      const key = reason as SkipReason;
      sum[key] = (sum[key] ?? 0) + count;
    }
  }
  return sum;
}
