import type { Callee } from '../symbols/callees.ts';
import { isCallable } from '../symbols/find-symbol.ts';
import { qualifiedName } from '../symbols/qualified-names.ts';
import type { SymbolCard, SymbolPart, SymbolUse, UnknownSymbol } from '../symbols/symbol-card.ts';
import type { SymbolRow } from '../symbols/symbol-rows.ts';
import type {
  CalleeShown,
  CallShown,
  OneSymbol,
  OutsideShown,
  Place,
  SymbolData,
  Use,
} from './symbol-data.ts';
import { bodyRows } from './symbol-lines.ts';

interface Total {
  readonly total: number;
}

/** One row of an answer; a long answer is cut into pages between rows. */
export type SymbolLine = {
  readonly at: number;
  /** Which of several names it is about. */
  readonly of?: number | undefined;
} & (
  | { readonly part: 'symbol'; readonly place: Place; readonly counts: Readonly<Record<string, number>> }
  | {
      readonly part: 'body';
      readonly text: string;
      /** It contains nothing but a comment. */
      readonly comment?: true;
      /** Lines before it were left out, because there was no room. */
      readonly gap?: true;
    }
  | ({ readonly part: 'others'; readonly place: Place } & Total)
  | ({ readonly part: 'implementations'; readonly place: Place } & Total)
  | ({ readonly part: 'callers' | 'refs' | 'tests' | 'possible'; readonly use: Use } & Total)
  | { readonly part: 'callers_of'; readonly caller: string; readonly above?: Use | undefined }
  | ({ readonly part: 'callees'; readonly callee: CalleeShown } & Total)
  | { readonly part: 'possible_callees'; readonly callee: CalleeShown }
  | { readonly part: 'outside'; readonly outside: OutsideShown }
  | { readonly part: 'calls'; readonly call: CallShown }
  | { readonly part: 'no_path'; readonly text: string }
  | { readonly part: 'unknown' }
);

type Shown = (path: string) => string;

/**
 * How many uses that may mean something else are listed next to a body, and how many other definitions next to uses.
 */
const FEW_POSSIBLE = 5;

/** The rows of a symbol, in the order in which they are shown. */
export async function cardRows(
  card: SymbolCard,
  show: SymbolPart | undefined,
  shown: Shown,
): Promise<readonly SymbolLine[]> {
  const { symbol, others, file, uses, possible, callees, calls, implementations, above } = card;
  const label = calls ? 'callers' : 'refs';
  const asksUses = show !== 'body' && show !== 'callees';
  const inTests = symbol.isTest ? [] : possible.filter(({ isTest }) => isTest);
  const outsideTests = possible.filter((use) => !inTests.includes(use));
  // Beside certain uses, many that may mean something else say little.
  const few =
    uses.length > 0 && outsideTests.length > FEW_POSSIBLE ? [] : outsideTests.slice(0, FEW_POSSIBLE);
  const listed = show === undefined ? few : possible;
  const rows: SymbolLine[] = [
    {
      part: 'symbol',
      at: 0,
      place: {
        ...placeOf(symbol, shown),
        ...(show === undefined || show === 'body' ? {} : { signature: symbol.signature }),
      },
      counts: {
        ...(asksUses && uses.length === 0 && (isCallable(symbol) || show !== undefined)
          ? countsWithout(card, label)
          : {}),
        ...(listed.length < possible.length
          ? { possible: possible.length, possible_tests: inTests.length }
          : {}),
        ...(card.elsewhere > 0 ? { elsewhere: card.elsewhere } : {}),
        ...(show === 'body' && callees.length > 0 ? { called: callees.length } : {}),
      },
    },
  ];
  if (file !== undefined && show !== 'callees') {
    // Loaded with the first answer: the bridge knows every operation and runs none.
    const { linesOf } = await import('../../contract/redact.ts');
    rows.push(...bodyRows(linesOf(file.text, symbol.from, symbol.to), symbol.from, file.symbols.comments));
  }
  // Next to uses, a few are enough to show that the name also means something else.
  const also = show === undefined || show === 'body' ? others : others.slice(0, FEW_POSSIBLE);
  for (const [at, other] of also.entries())
    rows.push({ part: 'others', at, place: placeOf(other, shown), total: others.length });
  for (const [at, each] of implementations.entries())
    rows.push({
      part: 'implementations',
      at,
      place: {
        name: each.name,
        kind: each.kind,
        path: shown(each.path),
        line_start: each.from,
        line_end: each.to,
      },
      total: implementations.length,
    });
  const sources = uses.filter(({ isTest }) => !isTest || symbol.isTest);
  const tests = uses.filter(({ isTest }) => isTest && !symbol.isTest);
  rows.push(
    ...useRows(label, sources, shown),
    ...useRows('refs', card.passed, shown),
    ...useRows('tests', tests, shown),
    ...useRows('possible', listed, shown, possible.length),
  );
  let at = 0;
  for (const { caller, uses: callers } of above) {
    const name = qualifiedName(caller);
    const sources = callers.filter(({ isTest }) => !isTest);
    if (sources.length === 0) rows.push({ part: 'callers_of', at: at++, caller: name });
    for (const each of sources)
      rows.push({ part: 'callers_of', at: at++, caller: name, above: useOf(each, shown) });
  }
  rows.push(...calleeRows(card, show, shown));
  return rows;
}

function calleeRows(
  { callees }: SymbolCard,
  show: SymbolPart | undefined,
  shown: Shown,
): readonly SymbolLine[] {
  const rowOf = (target: SymbolRow, { name, lines }: Callee): CalleeShown => ({
    name: target.name === name ? qualifiedName(target) : name,
    path: shown(target.path),
    line: target.line,
    lines: [...lines],
  });
  const known = callees.flatMap((each) => (each.symbol === undefined ? [] : [rowOf(each.symbol, each)]));
  const rows: SymbolLine[] = known.map((callee, at) => ({
    part: 'callees',
    at,
    callee,
    total: known.length,
  }));
  if (show !== 'callees') return rows;
  const open = callees.filter((each) => each.symbol === undefined);
  const possible = open.flatMap((each) => each.candidates.map((target) => rowOf(target, each)));
  for (const [at, callee] of possible.entries()) rows.push({ part: 'possible_callees', at, callee });
  const names = open.filter(({ candidates }) => candidates.length === 0);
  for (const [at, { name, lines }] of names.entries())
    rows.push({ part: 'outside', at, outside: { name, lines: [...lines] } });
  return rows;
}

/** If no use is certain, counts the other ones, so that nobody concludes that there is no use at all. */
function countsWithout(
  { possible, unlisted }: SymbolCard,
  label: 'callers' | 'refs',
): Record<string, number> {
  return {
    [label]: 0,
    ...(possible.length > 0 ? { possible: possible.length } : {}),
    ...(unlisted.refs > 0 ? { other_refs: unlisted.refs } : {}),
    ...(unlisted.sameName > 0 ? { same_name: unlisted.sameName } : {}),
  };
}

/** The rows of a name that nothing defines: where it is used. */
export async function unknownRows({ uses }: UnknownSymbol, shown: Shown): Promise<readonly SymbolLine[]> {
  return useRows('refs', uses, shown);
}

function useRows(
  part: 'callers' | 'refs' | 'tests' | 'possible',
  uses: readonly SymbolUse[],
  shown: Shown,
  total = uses.length,
): SymbolLine[] {
  return uses.map((each, at) => ({ part, at, use: useOf(each, shown), total }));
}

function useOf({ path, line, in: inside, kind }: SymbolUse, shown: Shown): Use {
  return {
    path: shown(path),
    line,
    ...(inside === undefined ? {} : { in: inside }),
    ...(kind === 'import' ? { kind } : {}),
  };
}

function placeOf(row: SymbolRow, shown: Shown): Place {
  return {
    name: qualifiedName(row),
    kind: row.isPrototype && isCallable(row) ? `${row.kind} prototype` : row.kind,
    path: shown(row.path),
    line_start: row.from,
    line_end: row.to,
  };
}

/** A name that nothing defines. */
export interface UnknownName {
  readonly name: string;
  readonly similar: readonly string[];
  readonly unread?: boolean | undefined;
  readonly unparsed?: readonly string[] | undefined;
}

/** The data of the rows that fit, name by name. */
export function shapeSymbols(rows: readonly SymbolLine[], found: readonly ShapedName[]): SymbolData {
  if (found.length === 1) return shapeSymbol(rows, found[0]?.unknown);
  const symbols = found.flatMap(({ unknown, rows: all }, of) => {
    const mine = rows.filter((row) => row.of === of);
    // Rows that continue from an earlier page name their symbol again.
    return mine.length === 0 && rows.length > 0 ? [] : [shapeSymbol(mine, unknown, all.find(isHead))];
  });
  return { symbols };
}

type ShapedName = { readonly rows: readonly SymbolLine[]; readonly unknown?: UnknownName | undefined };

function isHead(row: SymbolLine): row is SymbolLine & { part: 'symbol' } {
  return row.part === 'symbol';
}

function shapeSymbol(
  rows: readonly SymbolLine[],
  unknown: UnknownName | undefined,
  head = rows.find(isHead),
): OneSymbol {
  const totals: Record<string, number> = { ...head?.counts };
  for (const row of rows) if ('total' in row) totals[row.part] = row.total;
  const uses = (part: SymbolLine['part']) =>
    some(rows.flatMap((row) => ('use' in row && row.part === part ? [row.use] : [])));
  return {
    unknown: unknown?.name,
    unread: unknown?.unread,
    unparsed: some([...(unknown?.unparsed ?? [])]),
    did_you_mean: some([...(unknown?.similar ?? [])]),
    symbol: head?.place,
    body: some(rows.flatMap((row) => (row.part === 'body' ? [lineOf(row)] : []))),
    others: some(rows.flatMap((row) => (row.part === 'others' ? [row.place] : []))),
    implementations: some(rows.flatMap((row) => (row.part === 'implementations' ? [row.place] : []))),
    callers: uses('callers'),
    refs: uses('refs'),
    tests: uses('tests'),
    possible: uses('possible'),
    callers_of: some(callersOf(rows)),
    callees: some(rows.flatMap((row) => (row.part === 'callees' ? [row.callee] : []))),
    possible_callees: some(rows.flatMap((row) => (row.part === 'possible_callees' ? [row.callee] : []))),
    calls: some(rows.flatMap((row) => (row.part === 'calls' ? [row.call] : []))),
    no_path: rows.flatMap((row) => (row.part === 'no_path' ? [row.text] : []))[0],
    outside: some(rows.flatMap((row) => (row.part === 'outside' ? [row.outside] : []))),
    totals: Object.keys(totals).length > 0 ? totals : undefined,
  };
}

function lineOf({ at, text, gap }: SymbolLine & { part: 'body' }): NonNullable<OneSymbol['body']>[number] {
  return { line: at, text, ...(gap === true ? { gap } : {}) };
}

function callersOf(rows: readonly SymbolLine[]): { name: string; callers: Use[] }[] {
  const found = new Map<string, Use[]>();
  for (const row of rows) {
    if (row.part !== 'callers_of') continue;
    const known = found.get(row.caller) ?? [];
    found.set(row.caller, known);
    if (row.above !== undefined) known.push(row.above);
  }
  return [...found].map(([name, callers]) => ({ name, callers }));
}

/** Empty lists are left out. */
function some<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}
