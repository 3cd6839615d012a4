import { partsOf, type ReadDefinition, type ReadQuestion } from './read-tokens.ts';

/** The tokens that occur in a question or a definition, each with its number. */
export interface Distinct {
  readonly places: ReadonlyMap<number, number>;
  readonly logNorms: Float64Array;
}

export interface Similarities {
  readonly distinct: Distinct & { readonly matrix: { readonly rows: number } };
  /** The cosine of each token of the question, and of each from the thesaurus, with each distinct token. */
  readonly similar: Float32Array;
  readonly alike: Float32Array;
  readonly asked: readonly number[];
}

/** What a part without tokens has for a nearest word. */
const NONE = -0.1;
/** A range without tokens. */
const NOTHING: readonly [from: number, to: number] = [0, 0];
/** Below this, two words have nothing to do with each other; above the second they are nearly the same. */
const [UNLIKE, LIKE] = [0.5, 0.6];
/** Of z-scores. */
const LIMIT = 4;
const LEAST_DEVIATION = 1e-3;
const [PATH, HEAD, COMMENT, BODY] = [0, 1, 2, 3];

/**
 * How near each word of the question is to its nearest one in the parts of a definition, in ten numbers: body, comment,
 * head, path, body or comment, anywhere; anywhere without unlike words; how many words are nearly there; and for the
 * words of the thesaurus outside the path, with and without unlike ones. Each number is relative to the other definitions.
 */
export function comparisons(
  question: ReadQuestion,
  definitions: readonly ReadDefinition[],
  { distinct, similar, alike, asked }: Similarities,
): number[][] {
  const { rows } = distinct.matrix;
  const total = question.weights.slice(0, asked.length).reduce((sum, weight) => sum + weight, 0);
  const shares = asked.map((_, number) => (question.weights[number] ?? 0) / Math.max(1e-3, total));
  const found = definitions.map((definition) => {
    const places = Uint32Array.from(definition.tokens, (id) => distinct.places.get(id) ?? 0);
    const parts = partsOf(definition);
    const best = [PATH, HEAD, COMMENT, BODY].map((part) =>
      bestOfEach(similar, rows, asked.length, places, ...(parts[part] ?? NOTHING)),
    );
    const own = new Array<number>(10).fill(0);
    const count = (feature: number, value: number): void => {
      own[feature] = (own[feature] ?? 0) + value;
    };
    for (const [number, share] of shares.entries()) {
      const [path = NONE, head = NONE, comment = NONE, body = NONE] = best.map((part) => part[number]);
      const text = Math.max(body, comment);
      const any = Math.max(text, head, path);
      const values = [body, Math.max(0, comment), head, Math.max(0, path), text, any];
      for (const [feature, value] of values.entries()) count(feature, share * value);
      count(6, share * Math.max(UNLIKE, any));
      count(7, any > LIKE ? share : 0);
    }
    const { length } = question.alike;
    const inText = bestOfEach(alike, rows, length, places, parts[PATH]?.[1] ?? 0, places.length);
    for (const value of inText) {
      count(8, value / length);
      count(9, Math.max(UNLIKE, value) / length);
    }
    return own;
  });
  return relative(found);
}

/**
 * The largest similarity of each word of a table with a range of a definition's tokens. `?? 0` only pleases the compiler:
 * an accessor that checks the index takes longer, and these loops see each token of each definition.
 */
function bestOfEach(
  table: Float32Array,
  rows: number,
  words: number,
  places: Uint32Array,
  from: number,
  to: number,
): Float32Array {
  const out = new Float32Array(words).fill(NONE);
  for (let word = 0; word < words; word++) {
    let best: number = NONE;
    for (let token = from; token < to; token++) {
      const value = table[word * rows + (places[token] ?? 0)] ?? 0;
      if (value > best) best = value;
    }
    out[word] = best;
  }
  return out;
}

/** Each column as how far a value is above the mean, in standard deviations. */
function relative(rows: readonly number[][]): number[][] {
  const size = rows[0]?.length ?? 0;
  const out = rows.map((row) => [...row]);
  for (let column = 0; column < size; column++) {
    const mean = rows.reduce((sum, row) => sum + (row[column] ?? 0), 0) / rows.length;
    const variance = rows.reduce((sum, row) => sum + ((row[column] ?? 0) - mean) ** 2, 0) / rows.length;
    const deviation = Math.sqrt(variance) + LEAST_DEVIATION;
    for (const [number, row] of rows.entries()) {
      const value = ((row[column] ?? 0) - mean) / deviation;
      const own = out[number];
      if (own !== undefined) own[column] = Math.max(-LIMIT, Math.min(LIMIT, value));
    }
  }
  return out;
}
