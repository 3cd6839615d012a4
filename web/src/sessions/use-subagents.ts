import { useAll } from '../data/use-all.ts';
import type { SubagentCard } from './types.ts';

/** All subagents of a session; undefined until some are known. */
export function useSubagents(
  session: string,
  hasSubagents: boolean,
  version: number,
): readonly SubagentCard[] | undefined {
  return useAll(
    'session_subagents',
    hasSubagents ? { session_id: session, limit: 200 } : undefined,
    (data) => data.subagents,
    version,
  );
}
