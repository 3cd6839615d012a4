import type { GrepOutcome } from '../code/grep-output/grep-outcome.ts';
import { regexSearch } from '../code/operations/regex-search.ts';
import { byteLength, toJson } from '../contract/bytes.ts';
import type { Caller } from '../contract/caller.ts';
import type { Roots } from '../contract/roots.ts';
import type { Services } from './services.ts';

/** All matches of a request; it counts as a call of `regex_search` for rate limit and audit. */
export function matchStream(
  { code, streams }: Pick<Services, 'code' | 'streams'>,
  request: unknown,
  caller: Pick<Caller, 'client' | 'id' | 'door'>,
  roots: Roots,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, GrepOutcome> {
  const { name, perMinute } = regexSearch;
  const bytesIn = byteLength(toJson(request));
  return streams({ operation: name, perMinute, caller, bytesIn }, () =>
    code.exact.grep(request, roots, signal),
  );
}
