import { countOf } from '../../contract/format.ts';
import type { UsageData } from './usage.ts';

const SHOWN: Readonly<Record<string, string>> = { cached: 'cache read', cache_write: 'cache write' };

/** What the sums lack, in words: kinds that an agent does not record, and sessions without tokens. */
export function usageGaps(
  { unrecorded = [], without_tokens = [] }: Pick<UsageData, 'unrecorded' | 'without_tokens'>,
  nameOf: (agent: string) => string = (agent) => agent,
): readonly string[] {
  const kinds = unrecorded.flatMap(({ kind, agents }) =>
    SHOWN[kind] === undefined ? [] : [`${SHOWN[kind]} by ${agents.map(nameOf).join(', ')}`],
  );
  const sessions = without_tokens.reduce((sum, one) => sum + one.sessions, 0);
  const whose = without_tokens.map((one) => `${one.sessions} of ${nameOf(one.agent)}`);
  return [
    ...(kinds.length === 0 ? [] : [`not recorded: ${kinds.join('; ')}`]),
    ...(sessions === 0 ? [] : [`${countOf(sessions, 'session')} recorded no tokens: ${whose.join(', ')}`]),
  ];
}
