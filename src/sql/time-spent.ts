/** Slower queries report where the time went. */
const SLOW_QUERY_MS = 3_000;

/** Shorter parts are left out. */
const MIN_PART_MS = 1_000;

/** Adds up what a query spends its time on. */
export interface TimeSpent {
  /** Counts the time until the work is done. */
  on<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** One line if it took long, else nothing. */
  notes(): readonly string[];
}

export function createTimeSpent(now: () => number = () => performance.now()): TimeSpent {
  const spent = new Map<string, number>();
  return {
    async on(what, work) {
      const started = now();
      try {
        return await work();
      } finally {
        spent.set(what, (spent.get(what) ?? 0) + now() - started);
      }
    },
    notes() {
      const total = [...spent.values()].reduce((sum, ms) => sum + ms, 0);
      const parts = [...spent].filter(([, ms]) => ms >= MIN_PART_MS).sort(([, a], [, b]) => b - a);
      if (total <= SLOW_QUERY_MS || parts.length === 0) return [];
      return [`Time: ${parts.map(([what, ms]) => `${Math.round(ms / 1000)} s ${what}`).join(', ')}.`];
    },
  };
}
