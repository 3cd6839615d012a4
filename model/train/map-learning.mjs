// Learns a square matrix by softmax over all chunks of a question's repository, with Adam.

const TEMPERATURE = 0.05;
const RATE = 0.0005;
/** The rate falls to a tenth over all passes. */
const LAST_RATE = 0.1;
const BATCH = 64;
const [MEAN_DECAY, SQUARE_DECAY] = [0.9, 0.999];
/** Chunks with a smaller share do not move the matrix. */
const LEAST_SHARE = 1e-4;
const SEED = 7;

/** The matrix that changes nothing, row by row. */
export function identity(size) {
  const map = new Float32Array(size * size);
  for (let at = 0; at < size; at++) map[at * size + at] = 1;
  return map;
}

/** Keeps only a share of what was learned. */
export function towards(map, size, share) {
  const start = identity(size);
  for (let at = 0; at < map.length; at++) map[at] = start[at] + share * (map[at] - start[at]);
}

/** How many chunks come before the best right one, for each task. */
export function places(map, tasks) {
  return tasks.map(({ question, vectors, right }) => {
    const { similar } = compare(map, question, vectors);
    const best = Math.max(...[...right].map((number) => similar[number]));
    return similar.filter((value) => value > best).length;
  });
}

/** Changes the matrix in place. */
export function learn(map, tasks, passes) {
  const means = new Float32Array(map.length);
  const squares = new Float32Array(map.length);
  const random = randomNumbers(SEED);
  const order = [...tasks];
  let step = 0;
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, random);
    const rate = RATE * (1 - (pass / passes) * (1 - LAST_RATE));
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH);
      const slope = new Float32Array(map.length);
      for (const task of batch) addSlope(slope, map, task);
      step++;
      const [meanScale, squareScale] = [1 - MEAN_DECAY ** step, 1 - SQUARE_DECAY ** step];
      for (let at = 0; at < map.length; at++) {
        const value = slope[at] / batch.length;
        means[at] = MEAN_DECAY * means[at] + (1 - MEAN_DECAY) * value;
        squares[at] = SQUARE_DECAY * squares[at] + (1 - SQUARE_DECAY) * value * value;
        map[at] -= (rate * (means[at] / meanScale)) / (Math.sqrt(squares[at] / squareScale) + 1e-8);
      }
    }
  }
}

/** The turned question at unit length, how long it was, and its similarity with each chunk. */
function compare(map, question, vectors) {
  const size = question.length;
  const turned = new Float32Array(size);
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let at = 0; at < size; at++) sum += map[row * size + at] * question[at];
    turned[row] = sum;
  }
  const length = Math.hypot(...turned) || 1;
  for (let at = 0; at < size; at++) turned[at] /= length;
  const similar = Float32Array.from(vectors, (vector) => dot(vector, turned));
  return { turned, length, similar };
}

/** Adds how the loss of one task changes with each number of the matrix. */
function addSlope(slope, map, { question, vectors, right }) {
  const size = question.length;
  const { turned, length, similar } = compare(map, question, vectors);
  const best = [...right].reduce((one, other) => (similar[other] > similar[one] ? other : one));
  const highest = similar.reduce((one, other) => Math.max(one, other));
  // Other right chunks are neither wanted nor rivals.
  const shares = similar.map((value, number) =>
    right.has(number) && number !== best ? 0 : Math.exp((value - highest) / TEMPERATURE),
  );
  const total = shares.reduce((sum, share) => sum + share, 0);
  const pull = new Float32Array(size);
  for (const [number, vector] of vectors.entries()) {
    const share = shares[number] / total - (number === best ? 1 : 0);
    if (Math.abs(share) < LEAST_SHARE) continue;
    for (let at = 0; at < size; at++) pull[at] += (share * vector[at]) / TEMPERATURE;
  }
  const along = dot(pull, turned);
  for (let row = 0; row < size; row++) {
    const value = (pull[row] - along * turned[row]) / length;
    for (let at = 0; at < size; at++) slope[row * size + at] += value * question[at];
  }
}

function dot(a, b) {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

function shuffle(list, random) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other], list[at]];
  }
}

/** Numbers from 0 to 1, the same for a seed each time. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
