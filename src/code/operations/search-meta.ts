import { countOf } from '../../contract/format.ts';
import type { ExactSearch } from '../exact/exact-query.ts';
import type { HitTally } from './hit-rows.ts';

/** Only pages that come this late are checked for files that changed since the search. */
const CHECK_AFTER_MS = 50;

/** Facts about an answer. They are getters because some are known only when the answer is written. */
export function searchMeta(
  search: ExactSearch,
  tally: Readonly<HitTally>,
  elapsedMs: () => number,
  countChanged: () => number,
) {
  return {
    get ms() {
      return elapsedMs();
    },
    /** The hits found so far, while the total is not known. */
    get at_least() {
      return tally.hits > 0 && tally.total === undefined ? tally.hits : undefined;
    },
    get index() {
      const { files, doubt: reported, indexed } = search.report;
      const changed = elapsedMs() > CHECK_AFTER_MS ? countChanged() : 0;
      const doubt =
        reported ??
        (changed > 0
          ? `${countOf(changed, 'file')} on this page changed since the search; repeat the search`
          : undefined);
      return {
        files,
        fresh: doubt === undefined,
        ...(doubt === undefined ? {} : { doubt }),
        ...(indexed ? {} : { building: true }),
      };
    },
    get redacted() {
      return tally.redacted > 0 ? tally.redacted : undefined;
    },
    get skipped() {
      const { skipped } = search.report;
      return Object.keys(skipped).length > 0 ? skipped : undefined;
    },
  };
}

export type SearchMeta = ReturnType<typeof searchMeta>;

/** The facts about several searches: a doubt about one of them is a doubt about the answer. */
export function mergedMeta(searches: readonly { readonly treeRoot: string; readonly meta: SearchMeta }[]) {
  const metas = searches.map(({ meta }) => meta);
  return {
    get ms() {
      return Math.max(...metas.map(({ ms }) => ms));
    },
    get index() {
      const all = metas.map(({ index }) => index);
      return all.find(({ fresh }) => !fresh) ?? all[0];
    },
    get redacted() {
      return metas.reduce((sum, { redacted = 0 }) => sum + redacted, 0) || undefined;
    },
    get skipped() {
      // Searches of one tree skip the same files.
      const byTree = new Map(searches.map(({ treeRoot, meta }) => [treeRoot, meta.skipped ?? {}]));
      const sums: Record<string, number> = {};
      for (const skipped of byTree.values())
        for (const [why, count] of Object.entries(skipped)) sums[why] = (sums[why] ?? 0) + count;
      return Object.keys(sums).length > 0 ? sums : undefined;
    },
  };
}
