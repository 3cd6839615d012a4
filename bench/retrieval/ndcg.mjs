// NDCG@10 as the public benchmark counts it: any chunk of a target file is a hit unless the target names lines.

const TOP = 10;
const gain = (place) => 1 / Math.log2(place + 2);

/** All targets of a query, primary and secondary alike. */
export function targetsOf({ relevant = [], secondary = [] }) {
  return [...relevant, ...secondary].map((target) =>
    typeof target === 'string' ? { path: target } : target,
  );
}

/** True if the paths are equal, or one ends with a slash and the other. */
function samePath(a, b) {
  if (a === b) return true;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return long.endsWith(`/${short}`);
}

/** Whether a result `{ path, line_start, line_end }` meets a target. */
export function meets(result, target) {
  if (!samePath(result.path, target.path)) return false;
  if (target.start_line === undefined) return true;
  return result.line_start <= target.end_line && result.line_end >= target.start_line;
}

/** Scores the first rank of each target among ten results; two targets at one rank count once. */
export function ndcg(results, query) {
  const targets = targetsOf(query);
  const places = new Set();
  for (const target of targets) {
    const place = results.slice(0, TOP).findIndex((result) => meets(result, target));
    if (place !== -1) places.add(place);
  }
  let ideal = 0;
  for (let place = 0; place < Math.min(TOP, targets.length); place++) ideal += gain(place);
  return ideal === 0 ? 0 : [...places].reduce((sum, place) => sum + gain(place), 0) / ideal;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function groups(rows, key) {
  const by = new Map();
  for (const row of rows) by.set(row[key], [...(by.get(row[key]) ?? []), row]);
  return by;
}

const meanOverRepositories = (rows) =>
  mean([...groups(rows, 'repository').values()].map((own) => mean(own.map((row) => row.ndcg))));

/** Rows `{ repository, language, category, ndcg }` as means over repositories. */
export function summarize(rows) {
  const of = (key) =>
    Object.fromEntries([...groups(rows, key)].sort().map(([name, own]) => [name, meanOverRepositories(own)]));
  return {
    all: meanOverRepositories(rows),
    category: of('category'),
    language: of('language'),
    repository: of('repository'),
  };
}
