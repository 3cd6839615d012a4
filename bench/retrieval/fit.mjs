// Fits the weights of ranking signals: maximises the targets' share of a softmax over all candidates.

const STEPS = 150;
const RATE = 0.05;
const DECAY = 0.002;
/** Only the best by the initial weights compete; the others never reach a page. */
const RIVALS = 60;

/** `samples`: `{ repository, candidates: [{ signals, target }] }`. Returns weights by signal. */
export function fitWeights(samples, signals, start) {
  const data = samples
    .map((sample) => prepare(sample, signals, start))
    .filter((one) => one.targets.length > 0);
  const perRepository = new Map();
  for (const { repository } of data) perRepository.set(repository, (perRepository.get(repository) ?? 0) + 1);
  const weights = signals.map((signal) => start[signal] ?? 0);
  const momentum = new Float64Array(signals.length);
  const squares = new Float64Array(signals.length);
  for (let step = 1; step <= STEPS; step++) {
    const slope = new Float64Array(signals.length);
    for (const one of data) addSlope(one, weights, 1 / perRepository.get(one.repository), slope);
    for (let at = 0; at < weights.length; at++) {
      const total = slope[at] / perRepository.size - DECAY * weights[at];
      momentum[at] = 0.9 * momentum[at] + 0.1 * total;
      squares[at] = 0.99 * squares[at] + 0.01 * total * total;
      const own = momentum[at] / (1 - 0.9 ** step);
      weights[at] += (RATE * own) / (Math.sqrt(squares[at] / (1 - 0.99 ** step)) + 1e-8);
    }
  }
  return Object.fromEntries(signals.map((signal, at) => [signal, weights[at]]));
}

/** The signals as rows, for the targets and the strongest rivals only. */
function prepare({ repository, candidates }, signals, start) {
  const score = (one) => signals.reduce((sum, signal) => sum + (start[signal] ?? 0) * one.signals[signal], 0);
  const sorted = [...candidates].sort((a, b) => score(b) - score(a));
  const kept = sorted.filter((one, at) => at < RIVALS || one.target);
  return {
    repository,
    rows: kept.map((one) => signals.map((signal) => one.signals[signal])),
    targets: kept.flatMap((one, at) => (one.target ? [at] : [])),
  };
}

function addSlope({ rows, targets }, weights, share, slope) {
  const scores = rows.map((row) => row.reduce((sum, value, at) => sum + value * weights[at], 0));
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const isTarget = new Set(targets);
  const rivals = odds.reduce((sum, value, at) => sum + (isTarget.has(at) ? 0 : value), 0);
  for (const target of targets) {
    const all = rivals + odds[target];
    for (const [at, row] of rows.entries()) {
      if (at !== target && isTarget.has(at)) continue;
      const pull = (share / targets.length) * ((at === target ? 1 : 0) - odds[at] / all);
      for (let signal = 0; signal < row.length; signal++) slope[signal] += pull * row[signal];
    }
  }
}
