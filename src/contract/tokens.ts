import { decodeWeights } from './tokens/encoding.ts';
import { tally } from './tokens/tally.ts';
import { WEIGHTS } from './tokens/weights.ts';

const weights = decodeWeights(WEIGHTS);

/**
 * How many o200k tokens a text has, to about a tenth, without a tokenizer.
 *
 * @example estimateTokens('{"data":{"rows":[]}}') // 8
 */
export function estimateTokens(text: string): number {
  return Math.round(tally(text, weights));
}
