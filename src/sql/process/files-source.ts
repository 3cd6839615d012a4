import type { Token } from '../statement.ts';

/** The brackets of a statement. */
export interface Brackets {
  /** For each token, the one that opens the bracket around it, or -1. */
  readonly around: Int32Array;
  /** The token that closes each bracket, by the token that opens it. */
  readonly ends: ReadonlyMap<number, number>;
}

export function bracketsOf(tokens: readonly Token[]): Brackets {
  const around = new Int32Array(tokens.length);
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind === 'other' && value === ')') ends.set(open.pop() ?? -1, at);
    around[at] = open.at(-1) ?? -1;
    if (kind === 'other' && value === '(') open.push(at);
  }
  return { around, ends };
}

/** Where a SELECT names the table `files`. */
export interface FilesSource {
  /** Its position in the query. */
  readonly at: number;
  readonly hasAlias: boolean;
}

/**
 * The table `files` that a column at some place belongs to, where `table` is the qualifier of the column. Undefined if
 * it belongs to another table, or if that cannot be determined without compiling the query.
 */
export function filesOf(
  tokens: readonly Token[],
  brackets: Brackets,
  place: number,
  table: string | undefined,
): FilesSource | undefined {
  const words = tokens.map(({ kind, value }) =>
    kind === 'word' || kind === 'other' ? value.toLowerCase() : '',
  );
  const select = selectAround(words, brackets, place);
  if (select < 0 || definesFiles(tokens, words)) return undefined;
  const group = brackets.around[select] ?? -1;
  const last = brackets.ends.get(group) ?? tokens.length;
  const own = [...tokens.keys()].slice(select + 1, last).filter((at) => brackets.around[at] === group);
  const from = own.find((at) => isFrom(words, at) || AFTER_TABLES.has(words[at] ?? ''));
  if (from === undefined || !isFrom(words, from)) return undefined;
  // The replacement has more columns, which `*` would show.
  if (own.some((at) => at < from && words[at] === '*' && BEFORE_ALL.has(words[at - 1] ?? '')))
    return undefined;
  const end = own.find((at) => at > from && AFTER_TABLES.has(words[at] ?? '')) ?? last;
  const sources = own
    .filter((at) => at > from && at < end && isFiles(tokens[at]) && BEFORE_TABLE.has(words[at - 1] ?? ''))
    .map((at) => {
      const named = words[at + 1] === 'as' ? at + 2 : at + 1;
      const alias = named < end && !AFTER_NAME.has(words[named] ?? '') ? tokens[named] : undefined;
      return { at, alias, name: alias?.value.toLowerCase() ?? 'files', end: alias ? named + 1 : at + 1 };
    });
  const [source, other] = sources.filter(({ name }) => table === undefined || name === table);
  const token = source && tokens[source.at];
  if (source === undefined || token === undefined || other !== undefined) return undefined;
  // An unqualified column could belong to any of several tables.
  if (table === undefined && (source.at !== from + 1 || source.end !== end)) return undefined;
  return { at: token.at, hasAlias: source.alias !== undefined };
}

const isFiles = (token: Token | undefined) =>
  (token?.kind === 'word' || token?.kind === 'name') && token.value.toLowerCase() === 'files';

const setOf = (words: string) => new Set(words.split(' '));
const BEFORE_ALL = setOf('select distinct all , .');
const BEFORE_TABLE = setOf('from join ,');
const AFTER_TABLES = setOf('where group order limit having union except intersect window ;');
const AFTER_NAME = setOf('on using join left right full inner outer cross natural not indexed , ( )');

/** The innermost SELECT around a place, in which names are looked up first. */
function selectAround(words: readonly string[], { around }: Brackets, place: number): number {
  let group = around[place];
  for (let at = place - 1; at >= 0; at--) {
    if (at === group) group = around[at];
    else if (around[at] === group && words[at] === 'select') return at;
  }
  return -1;
}

/** Not the FROM in `IS DISTINCT FROM`. */
const isFrom = (words: readonly string[], at: number) => words[at] === 'from' && words[at - 1] !== 'distinct';

/** Whether `WITH files AS (…)` gives the name another meaning. */
function definesFiles(tokens: readonly Token[], words: readonly string[]): boolean {
  return tokens.some(
    (token, at) =>
      isFiles(token) &&
      (words[at + 1] === '(' ||
        (words[at + 1] === 'as' && /^(?:\(|not|materialized)$/.test(words[at + 2] ?? ''))),
  );
}
