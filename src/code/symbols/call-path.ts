import { findSymbols, parseName } from './find-symbol.ts';
import { keyOf } from './resolve/member-lookup.ts';
import type { SymbolQuestion } from './symbol-question.ts';
import type { SymbolRow } from './symbol-rows.ts';

/** One call of a path: where it is, what it is in and what it calls. */
export interface CallStep {
  readonly path: string;
  readonly line: number;
  readonly from: SymbolRow;
  readonly to: SymbolRow;
}

/** A shortest chain of calls, or why there is none. */
export type CallPath =
  | { readonly steps: readonly CallStep[] }
  | { readonly unknown: string }
  /** How many definitions were looked at, and whether those were all that lead to the end. */
  | { readonly looked: number; readonly all: boolean };

/** Definitions whose callers are looked up. */
const MAX_DEFINITIONS = 400;
const MAX_SEARCH_MS = 10_000;

/**
 * Goes back from the end, caller by caller: a use is resolved with everything that is known about its receiver, and an
 * interface counts as what implements it.
 */
export async function callPath(
  question: SymbolQuestion,
  [first, last]: readonly [first: string, last: string],
  accept: (path: string) => boolean,
): Promise<CallPath> {
  const starts = new Set((await findSymbols(question, parseName(first), accept)).map(keyOf));
  const ends = await findSymbols(question, parseName(last), accept);
  if (starts.size === 0) return { unknown: first };
  if (ends.length === 0) return { unknown: last };
  const deadline = performance.now() + MAX_SEARCH_MS;
  /** The call that leads from each definition towards the end. */
  const next = new Map<string, CallStep | undefined>(ends.map((end) => [keyOf(end), undefined]));
  let looked = 0;
  for (let level: readonly SymbolRow[] = ends; level.length > 0; ) {
    const above: SymbolRow[] = [];
    for (const to of level) {
      if (looked++ >= MAX_DEFINITIONS || performance.now() > deadline) return { looked, all: false };
      for (const { kind, path, line, inside } of (await question.references.of(to)).certain) {
        if (kind !== 'call' || inside === undefined) continue;
        const { definitions } = await question.files.facts(path);
        for (const from of around(definitions, inside)) {
          const key = keyOf(from);
          if (next.has(key)) continue;
          const step = { path, line, from, to };
          next.set(key, step);
          if (starts.has(key)) return { steps: steps(step, next) };
          above.push(from);
        }
      }
    }
    level = above;
  }
  return { looked, all: true };
}

/** A definition and those that it is written in, innermost first. */
function* around(definitions: readonly SymbolRow[], inside: number): Generator<SymbolRow> {
  for (let at: number | undefined = inside; at !== undefined; ) {
    const definition: SymbolRow | undefined = definitions[at];
    if (definition === undefined) return;
    yield definition;
    at = definition.parent;
  }
}

function steps(first: CallStep, next: ReadonlyMap<string, CallStep | undefined>): readonly CallStep[] {
  const found = [first];
  for (let step = next.get(keyOf(first.to)); step !== undefined; step = next.get(keyOf(step.to)))
    found.push(step);
  return found;
}
