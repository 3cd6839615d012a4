const VOWEL = /[aeiouy]/;
const MIN_STEM_LENGTH = 3;

/** Endings that turn a verb into a noun or adjective, longest first, and how many letters must be left. */
const DERIVED: readonly (readonly [ending: string, left: number])[] = [
  ['izations', 3],
  ['ization', 3],
  ['ations', 4],
  ['ation', 4],
  ['ators', 4],
  ['ator', 4],
  ['ments', 4],
  ['ment', 4],
  ['ability', 4],
  ['able', 4],
  ['ible', 4],
  ['ions', 4],
  ['ion', 4],
  ['izers', 3],
  ['izer', 3],
  ['ize', 3],
  ['ate', 4],
  ['ers', 4],
  ['er', 4],
  ['ors', 4],
  ['or', 4],
  ['ly', 4],
];

/**
 * Reduces a word to what its family shares: route, router, routes and routing become the same, and so do validate,
 * validator and validation. The result is a key, not a dictionary form.
 */
export function stem(word: string): string {
  if (word.length <= MIN_STEM_LENGTH) return word;
  return withoutFinalE(withoutDerivation(withoutVerbEnding(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|z|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutVerbEnding(word: string): string {
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  if (ending === 0) return word;
  const rest = word.slice(0, -ending);
  if (rest.length < MIN_STEM_LENGTH || !VOWEL.test(rest)) return word;
  // serializing becomes serialize, so that the noun endings below see the whole verb.
  return /(?:iz|at)$/.test(rest) ? `${rest}e` : undoubled(rest);
}

function withoutDerivation(word: string): string {
  for (const [ending, left] of DERIVED) {
    if (word.endsWith(ending)) {
      return word.length - ending.length < left ? word : undoubled(word.slice(0, -ending.length));
    }
  }
  return word;
}

/** running becomes run, but calling is call and passing is pass. */
function undoubled(word: string): string {
  const last = word.at(-1);
  const doubled = last === word.at(-2) && last !== 'l' && last !== 's' && last !== 'z';
  return doubled ? word.slice(0, -1) : word;
}

function withoutFinalE(word: string): string {
  return word.length > MIN_STEM_LENGTH + 1 && word.endsWith('e') ? word.slice(0, -1) : word;
}
