import type { Freshness, LogReading } from '../log-reading.ts';
import type { TokensFirst } from './tokens-first.ts';
import type { UsageFilter, UsageFound, UsageGroup, UsageTotals } from './totals.ts';

/** How long a request waits for an index that is nearly complete. */
const MAX_WAIT_MS = 1_500;
/** The page shows what is known so far: it reloads as more is read. */
const PAGE_WAIT_MS = 100;
/** With more than this to read, waiting takes longer than reading the tokens alone. */
const MANY_BYTES = 16 << 20;

export interface UsageNow extends UsageFound {
  /** The totals cover only the logs read so far: on the page, and for people who may not see all sessions. */
  readonly indexing?: Omit<Freshness, 'fresh'>;
}

/**
 * Totals that are exact even while the index is being built: then they come from the logs themselves, which takes as
 * long as reading all of them. With `soon` they are what the index has so far.
 */
export function usageNow(totals: UsageTotals, reading: LogReading, tokens: TokensFirst | undefined) {
  return async (group: UsageGroup, zone: string, filter: UsageFilter, soon: boolean): Promise<UsageNow> => {
    const { done = 0, total = 0 } = reading.progress() ?? {};
    const first = !soon && tokens !== undefined && (total - done > MANY_BYTES || (await reading.isNew()));
    const { fresh, ...progress } = await reading.settled(soon ? PAGE_WAIT_MS : first ? 0 : MAX_WAIT_MS);
    if (fresh) tokens?.forget();
    else if (tokens !== undefined && !soon) {
      const goOn = reading.hold();
      try {
        return await tokens.find(group, zone, filter);
      } finally {
        goOn();
      }
    }
    return { ...(await totals.find(group, zone, filter)), ...(fresh ? {} : { indexing: progress }) };
  };
}
