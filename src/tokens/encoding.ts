// One printable character per weight, from -2 to 3 in steps of 0.06; without the characters that end or escape a string.
const ALPHABET = Array.from({ length: 87 }, (_, i) => String.fromCharCode(40 + i)).filter(
  (c) => !'\\`'.includes(c),
);
const LOWEST_WEIGHT = -2;
const WEIGHT_STEP = 0.06;

/** Writes weights as text. */
export function encodeWeights(weights: ArrayLike<number>): string {
  return Array.from(weights, (weight) => {
    const index = Math.round((weight - LOWEST_WEIGHT) / WEIGHT_STEP);
    return ALPHABET[Math.max(0, Math.min(ALPHABET.length - 1, index))];
  }).join('');
}

/** Reads weights from text; line ends do not count. */
export function decodeWeights(text: string): Float32Array {
  return Float32Array.from(
    text.replace(/\n/g, ''),
    (character) => LOWEST_WEIGHT + WEIGHT_STEP * ALPHABET.indexOf(character),
  );
}
