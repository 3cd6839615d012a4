import type { GrepOutcome } from '../code/grep-output/grep-outcome.ts';
import { regexSearch } from '../code/operations/regex-search.ts';
import { byteLength, toJson } from '../contract/bytes.ts';
import type { Caller } from '../contract/caller.ts';
import type { Roots } from '../contract/roots.ts';
import type { Services } from './services.ts';

/** All matches of a request; the audit shows them as a call of `regex_search`. */
export function matchStream(
  { code, streams }: Pick<Services, 'code' | 'streams'>,
  request: unknown,
  caller: Pick<Caller, 'client' | 'id' | 'door'>,
  roots: Roots,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, GrepOutcome> {
  const bytesIn = byteLength(toJson(request));
  return streams({ operation: regexSearch.name, caller, bytesIn }, () =>
    code.exact.grep(request, roots, signal),
  );
}
