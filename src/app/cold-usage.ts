import { createEngine, type Engine } from '../contract/engine.ts';
import { createResultSets } from '../contract/result-sets.ts';
import { archiveSetting } from '../sessions/archive/archive-setting.ts';
import { usage } from '../sessions/operations/usage.ts';
import { PROVIDERS } from '../sessions/providers/index.ts';
import { logFolders } from '../sessions/providers/log-files.ts';
import { ownPrices } from '../sessions/tokens/own-prices.ts';
import { tokensHere } from '../sessions/tokens/tokens-first.ts';

export interface ColdUsage extends Engine {
  /** Whether an answer went on in a page that only the process with the data has. */
  isCut(): boolean;
  close(): Promise<void>;
}

/**
 * Answers `usage` in this process, from the logs alone: where nothing is indexed yet, that takes less than starting the
 * background process. Nothing is written to the data folder.
 */
export function coldUsage(home: string, log: (line: string) => void, env = process.env): ColdUsage {
  const archive = archiveSetting(home, env.PINHOLE_ARCHIVE === '1' ? true : undefined);
  const prices = ownPrices(home);
  const tokens = tokensHere(PROVIDERS, logFolders(PROVIDERS, env), archive.state, prices);
  const results = createResultSets(Date.now);
  let cut = false;
  const engine = createEngine({
    operations: [usage],
    services: {
      sessions: {
        providers: PROVIDERS,
        prices,
        usage: { now: (group, zone, filter) => tokens.find(group, zone, filter) },
      },
    },
    cursors: {
      save: async () => {
        cut = true;
      },
      load: async () => undefined,
    },
    results,
    audit: { record: () => {} },
    allowed: async () => [],
    baseUrl: () => '',
    log,
  });
  return {
    run: engine.run,
    isCut: () => cut,
    async close() {
      await Promise.all([results.close(), tokens.close()]);
    },
  };
}
