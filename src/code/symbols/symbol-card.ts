import { type Callee, callableUses, calleesOf } from './callees.ts';
import { findSymbols, isCallable, similarNames, type WantedSymbol } from './find-symbol.ts';
import { type Implementation, implementationsOf } from './implementations.ts';
import { qualifiedName, qualifiedNames } from './qualified-names.ts';
import { keyOf } from './resolve/member-lookup.ts';
import { isType } from './resolve/question-files.ts';
import type { FoundReferences } from './resolve/symbol-references.ts';
import type { ParsedFile, SymbolQuestion } from './symbol-question.ts';
import type { ReferenceRow, SymbolRow } from './symbol-rows.ts';

export const SYMBOL_PARTS = ['body', 'callers', 'callers2', 'callees', 'refs'] as const;
export type SymbolPart = (typeof SYMBOL_PARTS)[number];

/** A use of a symbol, and what it is in. */
export interface SymbolUse {
  readonly path: string;
  readonly line: number;
  readonly kind: ReferenceRow['kind'];
  readonly in?: string | undefined;
  readonly isTest: boolean;
}

/** Everything a question wants to know about one symbol. */
export interface SymbolCard {
  readonly symbol: SymbolRow;
  /** Other definitions with the name. */
  readonly others: readonly SymbolRow[];
  /** The file that the body is in, as it is now. */
  readonly file: ParsedFile | undefined;
  /** Whether `uses` are calls only. */
  readonly calls: boolean;
  readonly uses: readonly SymbolUse[];
  /** Where it is used without being called, if its callers are wanted: code that receives it may call it. */
  readonly passed: readonly SymbolUse[];
  /** How many more there are outside the given path. */
  readonly elsewhere: number;
  /** Uses that may mean another definition with the name. */
  readonly possible: readonly SymbolUse[];
  /** How many uses are not among these: those that do not call it, and those of the name that mean something else. */
  readonly unlisted: { readonly refs: number; readonly sameName: number };
  readonly callees: readonly Callee[];
  /** Who calls the callers, if that is wanted. */
  readonly above: readonly CallersOf[];
  /** The types that extend or implement it. */
  readonly implementations: readonly Implementation[];
}

/** The callers of one caller. */
export interface CallersOf {
  readonly caller: SymbolRow;
  readonly uses: readonly SymbolUse[];
}

/** What is known about a name that nothing defines. */
export interface UnknownSymbol {
  /** Files outside the given path that define it. */
  readonly outside: readonly string[];
  readonly similar: readonly string[];
  readonly uses: readonly SymbolUse[];
}

const MAX_SIMILAR_NAMES = 5;
/** How many callers have their own callers looked up. */
const MAX_CALLERS = 30;

/** Where to look for a symbol, and what to find out about it. */
export interface CardRequest {
  /** Whether its definition may be in a file. */
  readonly accept: (path: string) => boolean;
  /** Whether its uses must be in such files too. */
  readonly usesInside: boolean;
  readonly show: SymbolPart | undefined;
  readonly read: (path: string) => Promise<ParsedFile | undefined>;
}

/** Looks a symbol up. */
export async function symbolCard(
  question: SymbolQuestion,
  wanted: WantedSymbol,
  { accept, usesInside, show, read }: CardRequest,
): Promise<SymbolCard | UnknownSymbol> {
  const inside = await findSymbols(question, wanted, accept);
  // A symbol defined outside the given path may be used in it.
  const away =
    inside.length === 0 && show !== undefined && USES.has(show)
      ? await findSymbols(question, wanted, () => true)
      : [];
  const [stored, ...others] = inside.length > 0 ? inside : away;
  const withText = show === undefined || show === 'body' || show === 'callees';
  const file = stored !== undefined && withText ? await read(stored.path) : undefined;
  const symbol = file === undefined || stored === undefined ? stored : inText(stored, file);
  if (symbol === undefined) {
    if (!('name' in wanted)) return { outside: [], similar: [], uses: [] };
    const names = await question.rows.definedNames();
    const uses = (await question.rows.referencesNamed(wanted.name)).filter(({ path }) => accept(path));
    const elsewhere = await question.rows.definitionsNamed(wanted.name);
    return {
      outside: [...new Set(elsewhere.map(({ path }) => path))],
      similar: elsewhere.length > 0 ? [] : similarNames(wanted.name, names, MAX_SIMILAR_NAMES),
      uses: await Promise.all(uses.map((use) => usedIn(question, use))),
    };
  }
  const wantsUses = show === undefined || USES.has(show);
  const all = wantsUses ? await question.references.of(symbol) : { certain: [], possible: [] };
  const isShown = ({ path }: ReferenceRow): boolean => (away.length === 0 && !usesInside) || accept(path);
  const found = { certain: all.certain.filter(isShown), possible: all.possible.filter(isShown) };
  // A type that nothing calls has uses, not callers.
  const calls =
    show !== 'refs' &&
    isCallable(symbol) &&
    (!isType(symbol) || found.certain.some(({ kind }) => kind === 'call'));
  const isListed = (uses: readonly ReferenceRow[]) => callableUses(uses, calls, show);
  const isPassed = ({ kind, isTest }: ReferenceRow): boolean => kind === 'other' && !isTest;
  const passed = show === 'callers' && calls ? found.certain.filter(isPassed) : [];
  const listed = async (uses: readonly ReferenceRow[]) =>
    Promise.all(isListed(uses).map((use) => usedIn(question, use)));
  const named = wantsUses ? await question.rows.referencesNamed(symbol.name) : [];
  // Its file is one of those that must not change until the answer is ready.
  await question.files.facts(symbol.path);
  return {
    symbol,
    // A prototype is not another definition.
    others: symbol.isPrototype
      ? others
      : others.filter((each) => !each.isPrototype || each.kind === 'method'),
    file,
    calls,
    uses: await listed(found.certain),
    passed: await Promise.all(passed.map((use) => usedIn(question, use))),
    elsewhere: isListed(all.certain).length - isListed(found.certain).length,
    possible: await listed(found.possible),
    unlisted: unlistedUses(named.filter(isShown), found, isListed),
    implementations:
      show === undefined && isType(symbol) ? await implementationsOf(question, symbol, found.certain) : [],
    above: show === 'callers2' ? await callersOfCallers(question, symbol, found.certain) : [],
    callees:
      (show === 'callees' || show === 'body') && file !== undefined
        ? await calleesOf(question, symbol, file.symbols)
        : [],
  };
}

/** How many uses an answer leaves out, of all those of the name. */
function unlistedUses(
  named: readonly ReferenceRow[],
  { certain, possible }: FoundReferences,
  isListed: (uses: readonly ReferenceRow[]) => readonly ReferenceRow[],
): SymbolCard['unlisted'] {
  const found = [...certain, ...possible];
  const places = new Set(found.map(({ path, line, column }) => `${path}:${line}:${column}`));
  return {
    refs: found.length - isListed(found).length,
    sameName: named.filter(({ path, line, column }) => !places.has(`${path}:${line}:${column}`)).length,
  };
}

const USES: ReadonlySet<SymbolPart> = new Set(['callers', 'callers2', 'refs']);

/** Who calls the definitions that contain these calls. */
async function callersOfCallers(
  question: SymbolQuestion,
  symbol: SymbolRow,
  uses: readonly ReferenceRow[],
): Promise<readonly CallersOf[]> {
  const callers = new Map<string, SymbolRow>();
  for (const { path, inside, kind, isTest } of uses) {
    if (inside === undefined || kind !== 'call' || isTest) continue;
    const around = (await question.files.facts(path)).definitions[inside];
    if (around !== undefined && isCallable(around) && keyOf(around) !== keyOf(symbol) && !around.isTest)
      callers.set(keyOf(around), around);
  }
  const found: CallersOf[] = [];
  for (const caller of [...callers.values()].slice(0, MAX_CALLERS)) {
    const { certain } = await question.references.of(caller);
    const calls = callableUses(certain, true, undefined);
    found.push({ caller, uses: await Promise.all(calls.map((use) => usedIn(question, use))) });
  }
  return found;
}

/** The same definition in the text that is shown, in case the file has changed since it was stored. */
function inText(stored: SymbolRow, { symbols: { definitions } }: ParsedFile): SymbolRow | undefined {
  const names = qualifiedNames(definitions);
  const wanted = qualifiedName(stored);
  let best: SymbolRow | undefined;
  for (const [nr, definition] of definitions.entries()) {
    if (names[nr] !== wanted || definition.kind !== stored.kind) continue;
    const nearer = best === undefined || distance(definition, stored) < distance(best, stored);
    if (nearer) best = { ...definition, path: stored.path, scope: stored.scope, nr };
  }
  return best;
}

function distance(a: { readonly line: number }, b: { readonly line: number }): number {
  return Math.abs(a.line - b.line);
}

async function usedIn(
  { files }: SymbolQuestion,
  { path, line, kind, inside, isTest }: ReferenceRow,
): Promise<SymbolUse> {
  const { definitions } = await files.facts(path);
  const around = inside === undefined ? undefined : definitions[inside];
  return {
    path,
    line,
    kind,
    isTest: isTest || around?.isTest === true,
    ...(around === undefined ? {} : { in: qualifiedName(around) }),
  };
}
