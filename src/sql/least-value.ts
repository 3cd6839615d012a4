import type { Token } from './statement.ts';

/** Words that end the conditions of a SELECT. */
const ENDS = new Set(['group', 'order', 'limit', 'having', 'window', 'union', 'except', 'intersect', ';']);
/** If one of these occurs, a condition may not hold for every row. */
const OPEN = new Set(['or', 'case', 'between']);
/** Words that can follow a table and are not an alias for it. */
const AFTER_TABLE = new Set([
  ...ENDS,
  ...['where', 'join', 'inner', 'left', 'right', 'full', 'cross', 'natural', 'on', 'using', 'indexed', 'not'],
]);

/**
 * The smallest value of a column that a statement can ask of a table, if that is obvious: wherever the statement reads
 * the table, a condition that every row must meet says so.
 */
export function leastOf(tokens: readonly Token[], table: string, column: string): number | undefined {
  const words = tokens.map(({ kind, value }) => (kind === 'text' ? "'" : value.toLowerCase()));
  const depths = depthsOf(words);
  const bounds = words.flatMap((word, at) =>
    word === table && isSource(words, at) ? [boundAt(words, depths, at, column)] : [],
  );
  const known = bounds.filter((bound) => bound !== undefined);
  return bounds.length === 0 || known.length < bounds.length ? undefined : Math.min(...known);
}

/** How many brackets are open around each word; an opening bracket counts itself. */
function depthsOf(words: readonly string[]): readonly number[] {
  let depth = 0;
  return words.map((word) => {
    if (word === '(') depth++;
    const here = depth;
    if (word === ')') depth--;
    return here;
  });
}

function isSource(words: readonly string[], at: number): boolean {
  return ['from', 'join', ','].includes(words[at - 1] ?? '') && words[at + 1] !== '.';
}

/** The bound that the SELECT reading a table at this place sets on its column. */
function boundAt(
  words: readonly string[],
  depths: readonly number[],
  at: number,
  column: string,
): number | undefined {
  const next = words[at + 1] === 'as' ? words[at + 2] : words[at + 1];
  const isAlias = next !== undefined && /^\w/.test(next) && !AFTER_TABLE.has(next);
  const names = new Set(isAlias ? [next] : [words[at]]);
  const terms = conditions(words, depths, at);
  const bounds = terms.flatMap((term) => {
    const [first, dot] = term;
    const [left, sign, equal, value] =
      dot === '.' && names.has(first) ? term.slice(2) : term.length > 0 ? term : [];
    const number = Number(equal === '=' ? value : equal);
    const length = (dot === '.' ? 2 : 0) + (equal === '=' ? 4 : 3);
    return left === column && sign === '>' && Number.isFinite(number) && term.length === length
      ? [number]
      : [];
  });
  return bounds.length === 0 ? undefined : Math.max(1, ...bounds);
}

/** The conditions joined by AND in the WHERE of the SELECT around a place; none if they may not hold for every row. */
function conditions(words: readonly string[], depths: readonly number[], at: number): string[][] {
  const depth = depths[at];
  const inner: string[][] = [[]];
  let inWhere = false;
  for (let i = at; i < words.length; i++) {
    const [word = '', here = 0] = [words[i], depths[i]];
    if (here < (depth ?? 0) || (here === depth && (word === ')' || ENDS.has(word)))) break;
    if (here === depth && word === 'where') {
      inWhere = true;
      continue;
    }
    if (!inWhere) continue;
    if (here === depth && OPEN.has(word)) return [];
    if (here === depth && word === 'and') inner.push([]);
    else inner.at(-1)?.push(word);
  }
  return inner;
}
