import { redact } from '../../contract/redact.ts';
import { providerWith } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import { skimLog } from './skim-log.ts';
import type { SkimmedLog } from './skimmed-log.ts';
import type { SkimTask } from './token-index.ts';

/** Skims logs one after the other; leaves out those that cannot be read, since the index reports them. */
export function skimLogs(
  providers: readonly Provider[],
  tasks: readonly SkimTask[],
): readonly (SkimmedLog | undefined)[] {
  return tasks.map(({ log, origin, depth }) => {
    const provider = providerWith(providers, log.provider);
    if (provider === undefined) return undefined;
    try {
      return skimLog(log, { provider, redact, origin, depth });
    } catch {
      return undefined;
    }
  });
}
