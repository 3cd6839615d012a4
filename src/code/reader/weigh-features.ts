import { float32At } from '../../contract/at.ts';
import type { ReadDefinition } from './read-tokens.ts';
import type { ReaderWeights } from './reader-weights.ts';

/** Of a fact in standard deviations. */
const LIMIT = 6;

/** The names of the two sets of weights: for the choice of what is read, and beside what was read. */
export type FeatureWeights = 'choice' | 'feats';

/** What the facts about each definition and the nearest words say: a weighted sum, and a network of one layer. */
export function weighFeatures(
  weights: ReaderWeights,
  set: FeatureWeights,
  definitions: readonly ReadDefinition[],
  nearest: readonly (readonly number[])[],
): Float64Array {
  const values = (name: string): Float32Array => weights.tensor(name).values;
  const [mean, deviation, line] = [values('mean'), values('deviation'), values(`${set}.l.weight`)];
  const [inner, innerBias, outer] = [
    values(`${set}.a.weight`),
    values(`${set}.a.bias`),
    values(`${set}.b.weight`),
  ];
  return Float64Array.from(definitions, ({ facts, named }, number) => {
    const features = [...facts, ...(nearest[number] ?? [])].map((value, at) => {
      const scaled = (value - float32At(mean, at)) / float32At(deviation, at);
      return Math.max(-LIMIT, Math.min(LIMIT, scaled));
    });
    let sum = named + features.reduce((total, value, at) => total + value * float32At(line, at), 0);
    for (let unit = 0; unit < outer.length; unit++) {
      let value = float32At(innerBias, unit);
      for (const [at, feature] of features.entries())
        value += feature * float32At(inner, unit * features.length + at);
      sum += gelu(value) * float32At(outer, unit);
    }
    return sum;
  });
}

function gelu(value: number): number {
  return value / (1 + Math.exp(-1.5957691216057308 * (value + 0.044715 * value ** 3)));
}
