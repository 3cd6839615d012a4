import type { FileFacts } from './question-files.ts';
import { closing, opening, skipSpace, skipSpaceBack } from './type-text.ts';

/** What a test before a place says about a variable: the class it is an instance of, or the function that tested it. */
export type TypeGuard = { readonly type: string } | { readonly test: string };

const MAX_TESTS = 8;
const MAX_NAME_LENGTH = 120;
const MAX_CHARACTERS_BACK = 5000;
const LEAVES = /\b(?:throw|return|continue|break)\b|\bprocess\.exit\(/;

/** A test of a variable, and where it is. */
interface TestPlace {
  readonly guard: TypeGuard;
  readonly at: number;
  readonly end: number;
}

const known = new WeakMap<FileFacts, ReadonlyMap<string, readonly TestPlace[]>>();

/** The tests that hold for a variable at a place, nearest first. */
export function typeGuards(
  facts: FileFacts,
  name: string,
  offset: number,
  least: number,
): readonly TypeGuard[] {
  let tests = known.get(facts);
  if (tests === undefined) {
    tests = testsIn(facts.text);
    known.set(facts, tests);
  }
  return (tests.get(name) ?? [])
    .filter(({ at, end }) => at >= least && end <= offset)
    .slice(-MAX_TESTS)
    .reverse()
    .filter(({ at, end }) => isSettled(facts.text, at, end, offset))
    .map(({ guard }) => guard);
}

/** All tests of variables in a file, by the name of the variable. */
function testsIn(text: string): ReadonlyMap<string, readonly TestPlace[]> {
  const found = new Map<string, TestPlace[]>();
  const add = (name: string, place: TestPlace): void => {
    const places = found.get(name);
    if (places === undefined) found.set(name, [place]);
    else places.push(place);
  };
  for (const match of text.matchAll(/\binstanceof\s+([\w$.]+)/g)) {
    const start = Math.max(0, match.index - MAX_NAME_LENGTH);
    const [before = '', name = ''] = /([\w$]+)\s+$/.exec(text.slice(start, match.index)) ?? [];
    const at = match.index - before.length;
    if (name !== '' && text[at - 1] !== '.')
      add(name, { guard: { type: match[1] ?? '' }, at, end: match.index + match[0].length });
  }
  for (const match of text.matchAll(
    /(?<![\w$])((?:is|has|assert)[A-Z][\w$]*)(?:<[^()]*>)?\(\s*([\w$]+)\s*\)/g,
  )) {
    const [whole, called = '', name = ''] = match;
    const lead = /(?:[\w$]+\.)+$/.exec(text.slice(Math.max(0, match.index - MAX_NAME_LENGTH), match.index));
    const at = match.index - (lead?.[0].length ?? 0);
    add(name, { guard: { test: (lead?.[0] ?? '') + called }, at, end: match.index + whole.length });
  }
  return found;
}

/** Whether code at a place only runs if the test from `at` to `end` holds. */
function isSettled(text: string, at: number, end: number, offset: number): boolean {
  // `x instanceof A && x.b` and `isA(x) ? x.b : c`.
  if (/^\)?\s*(?:&&[^;{}]*|\?[^;{}:]*)$/.test(text.slice(end, offset))) return true;
  let open = opening(text, at, Math.max(0, at - MAX_CHARACTERS_BACK));
  // `!(x instanceof A)`
  let isNegated = text[skipSpaceBack(text, at) - 1] === '!';
  while (open !== -1 && text[open] === '(' && text[open - 1] === '!') {
    isNegated = true;
    open = opening(text, open, Math.max(0, open - MAX_CHARACTERS_BACK));
  }
  if (open === -1) return false;
  if (text[open] === '{') return /^assert/.test(text.slice(at, end)) && isInBlock(text, open, offset);
  const head = text.slice(Math.max(0, open - 20), open);
  const close = closing(text, open);
  const around = opening(text, open, Math.max(0, open - MAX_CHARACTERS_BACK));
  if (/\b(?:assert|invariant|ok)\s*$/.test(head)) return close < offset && isInBlock(text, around, offset);
  if (!/\b(?:if|while)\s*$/.test(head) || close > offset) return false;
  const condition = text.slice(open + 1, close);
  const start = skipSpace(text, close + 1);
  const isBlock = text[start] === '{';
  const stop = isBlock ? closing(text, start) : text.indexOf('\n', start);
  if (!isNegated) return !condition.includes('||') && start <= offset && offset < stop;
  return (
    !condition.includes('&&') &&
    stop < offset &&
    LEAVES.test(text.slice(start, stop)) &&
    isInBlock(text, around, offset)
  );
}

function isInBlock(text: string, open: number, offset: number): boolean {
  return open === -1 || closing(text, open) > offset;
}
