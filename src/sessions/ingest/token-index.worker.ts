import { redact } from '../../contract/redact.ts';
import { serve } from '../../threads/serve.ts';
import { PROVIDERS } from '../providers/index.ts';
import type { LogFolder } from '../providers/log-files.ts';
import type { PriceTable } from '../tokens/prices.ts';
import { type UsageFilter, type UsageGroup, usageTotals } from '../tokens/totals.ts';
import type { Archive } from './reader-messages.ts';
import { skimInThreads } from './skim-in-threads.ts';
import { skimLogs } from './skim-logs.ts';
import { questionOf, type SkimTask, tokenIndex } from './token-index.ts';

export interface TokenQuestion {
  readonly folders: readonly LogFolder[];
  readonly archive: Archive;
  /** The prices that a person set. */
  readonly prices: PriceTable;
  readonly group: UsageGroup;
  readonly zone: string;
  readonly filter: UsageFilter;
  /** How many more threads may skim logs. */
  readonly helpers: number;
}

let helpers = 0;
const index = tokenIndex({
  providers: PROVIDERS,
  redact,
  skim: (tasks) => skimInThreads(tasks, helpers),
});

const methods = {
  async find({ folders, archive, prices, group, zone, filter, helpers: more }: TokenQuestion) {
    helpers = more;
    const db = await index.tables(folders, archive, questionOf(group, filter));
    return usageTotals(db, PROVIDERS, { table: () => prices }).find(group, zone, filter);
  },
  skim: (tasks: readonly SkimTask[]) => skimLogs(PROVIDERS, tasks),
  close: () => index.close(),
};
export type TokenMethods = typeof methods;

serve(methods);
