/** Pseudo-random numbers from 0 to 1, the same in every run. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The values in a shuffled order, the same in every run. */
export function shuffled(values, seed) {
  const next = random(seed);
  return values
    .map((value) => [next(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}
