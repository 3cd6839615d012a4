import { callTo } from '../contract/next-call.ts';
import type { regexSearchInput } from './operations/regex-input.ts';
import type { symbolInput } from './operations/symbol.ts';

/** The calls that answers about code suggest. */
export const callRegexSearch = callTo<typeof regexSearchInput>('regex_search');
export const callSymbol = callTo<typeof symbolInput>('symbol');
