import type { WordWeights } from '../words/word-fields.ts';

/** Measured: changes within a factor of two matter little; see the benchmark. */
export const WORD_WEIGHTS: WordWeights = {
  body: 1,
  comment: 0.3,
  signature: 0.5,
  symbol: 2,
  stem: 3,
  folder: 1,
  k1: 1.5,
  b: 0.6,
};
