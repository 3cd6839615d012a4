import { availableParallelism } from 'node:os';
import { redact } from '../../contract/redact.ts';
import { Thread } from '../../threads/thread.ts';
import type { Archive } from '../ingest/reader-messages.ts';
import { skimInThreads } from '../ingest/skim-in-threads.ts';
import { skimLogs } from '../ingest/skim-logs.ts';
import { questionOf, SKIM_LIMITS, type TokenIndexDeps, tokenIndex } from '../ingest/token-index.ts';
import type { TokenMethods } from '../ingest/token-index.worker.ts';
import { PROVIDERS } from '../providers/index.ts';
import type { LogFolder } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import type { OwnPrices } from './own-prices.ts';
import { type UsageFilter, type UsageFound, type UsageGroup, usageTotals } from './totals.ts';

const MAX_HELPERS = 3;
const WORKER = new URL('../ingest/token-index.worker.ts', import.meta.url);

const mostHelpers = () => Math.min(MAX_HELPERS, availableParallelism() - 1);

export interface TokensFirst {
  /** The totals of all logs, read without the index. */
  find(group: UsageGroup, zone: string, filter: UsageFilter): Promise<UsageFound>;
  /** Frees the memory once the index has everything. */
  forget(): void;
  close(): Promise<void>;
}

/** Token totals while the index is not complete yet: reads only the tokens, in separate threads. */
export function tokensFirst(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  archive: () => Archive,
  prices: OwnPrices,
): TokensFirst {
  if (providers !== PROVIDERS)
    return tokensHere(providers, folders, archive, prices, async (tasks) => skimLogs(providers, tasks));
  let thread: Thread<TokenMethods> | undefined;
  let asking: Promise<unknown> = Promise.resolve();
  /** Only between calls: ending a thread inside SQLite would crash the process. */
  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await asking.catch(() => {});
    await ending?.call('close', undefined);
    await ending?.stop();
  }
  return {
    find(group, zone, filter) {
      thread ??= new Thread<TokenMethods>(WORKER, { background: true, limits: SKIM_LIMITS });
      const answer = thread.call('find', {
        ...{ folders, archive: archive(), prices: prices.table(), group, zone, filter },
        helpers: mostHelpers(),
      });
      asking = Promise.allSettled([asking, answer]);
      return answer;
    },
    forget: () => void end(),
    close: end,
  };
}

/** The same for a process with nothing else to do: this thread reads too. */
export function tokensHere(
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  archive: () => Archive,
  prices: OwnPrices,
  skim: TokenIndexDeps['skim'] = (tasks) => skimInThreads(tasks, mostHelpers()),
): TokensFirst {
  const make = () => tokenIndex({ providers, redact, skim });
  let index = make();
  return {
    async find(group, zone, filter) {
      const db = await index.tables(folders, archive(), questionOf(group, filter));
      return usageTotals(db, providers, prices).find(group, zone, filter);
    },
    forget() {
      void index.close();
      index = make();
    },
    close: () => index.close(),
  };
}
