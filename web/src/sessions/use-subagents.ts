import { useAll } from '../data/use-all.ts';
import type { SubagentCard, SubagentPage } from './types.ts';

/** All subagents of a session, each at the call that started it; undefined until some are known. */
export function useSubagents(
  base: string,
  some: boolean,
  version: number,
): readonly SubagentCard[] | undefined {
  return useAll<SubagentPage, SubagentCard>(
    some ? `${base}/subagents?limit=200` : undefined,
    (data) => data.subagents,
    version,
  );
}
