import type { FileFacts } from './question-files.ts';
import { closing, opening, skipSpace, skipSpaceBack } from './type-text.ts';

/**
 * What a test before a place says about a variable or a property: the class it is an instance of, the function that
 * tested it, or the values that one of its properties has.
 */
export type TypeGuard =
  | { readonly type: string }
  | { readonly test: string }
  | { readonly property: string; readonly values: readonly string[] };

const MAX_TESTS = 8;
const MAX_NAME_LENGTH = 120;
const MAX_CHARACTERS_BACK = 5000;
const LEAVES = /\b(?:throw|return|continue|break)\b|\bprocess\.exit\(/;

const CHAIN = String.raw`(?<![\w$.])((?:[\w$]+\.)*[\w$]+)`;
const VALUE = String.raw`('[^'\n]*'|"[^"\n]*"|true\b|false\b|[A-Z][\w$]*(?:\.[\w$]+)*)`;
const COMPARISON = new RegExp(`${CHAIN}\\.([\\w$]+)\\s*([!=]==?)\\s*${VALUE}(?!\\s*[(.])`, 'g');
const SWITCH = new RegExp(`\\bswitch\\s*\\(\\s*${CHAIN}\\.([\\w$]+)\\s*\\)\\s*\\{`, 'g');
const LABEL = new RegExp(`^(?:case\\s+${VALUE}|default)\\s*:`);

/** A test of a variable, and where it is. */
interface TestPlace {
  readonly guard: TypeGuard;
  readonly at: number;
  readonly end: number;
  /** `!==`: it holds if the test fails. */
  readonly isNegated?: boolean;
  /** The body of a `switch`, whose cases are the values. */
  readonly body?: number;
}

const known = new WeakMap<FileFacts, ReadonlyMap<string, readonly TestPlace[]>>();

/** The tests that hold for a variable, or a chain such as `node.parent`, at a place, nearest first. */
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
    .flatMap((test) => {
      if (test.body !== undefined) return casesAt(facts.text, test, offset);
      return isSettled(facts.text, test, offset) ? [test.guard] : [];
    });
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
    const [before = '', name = ''] = /([\w$.]+)\s+$/.exec(text.slice(start, match.index)) ?? [];
    const at = match.index - before.length;
    if (name !== '' && !name.startsWith('.'))
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
  for (const match of text.matchAll(COMPARISON)) {
    const [whole, name = '', property = '', operator = '', value = ''] = match;
    const guard = { property, values: [value] };
    const isNegated = operator.startsWith('!');
    add(name, { guard, at: match.index, end: match.index + whole.length, isNegated });
  }
  for (const match of text.matchAll(SWITCH)) {
    const [whole, name = '', property = ''] = match;
    const end = match.index + whole.length;
    add(name, { guard: { property, values: [] }, at: match.index, end, body: end - 1 });
  }
  for (const places of found.values()) places.sort((a, b) => a.at - b.at);
  return found;
}

/** The cases of a `switch` that lead to a place, as a guard; none if it is outside. */
function casesAt(text: string, { guard, body = -1 }: TestPlace, offset: number): TypeGuard[] {
  if (!('property' in guard) || closing(text, body) < offset) return [];
  let values: string[] = [];
  let isOpen = false;
  for (let at = body + 1; at < offset; at++) {
    const character = text[at] ?? '';
    if (/\s/.test(character)) continue;
    const label =
      character === 'c' || character === 'd' ? LABEL.exec(text.slice(at, at + MAX_NAME_LENGTH)) : null;
    if (label === null) {
      isOpen = false;
      if (isBracket(character)) at = Math.min(offset, closing(text, at));
      // The rest of the word is not the beginning of another one.
      else while (/[\w$]/.test(text[at + 1] ?? '')) at++;
      continue;
    }
    values = isOpen ? values : [];
    values.push(label[1] ?? '');
    isOpen = true;
    at += label[0].length - 1;
  }
  return values.length === 0 || values.includes('') ? [] : [{ ...guard, values }];
}

/** Whether code at a place only runs if a test holds. */
function isSettled(
  text: string,
  { at, end, isNegated: isUnequal = false }: TestPlace,
  offset: number,
): boolean {
  // `x instanceof A && x.b` and `isA(x) ? x.b : c`.
  if (!isUnequal && /^\)?\s*(?:&&[^;{}]*|\?[^;{}:]*)$/.test(text.slice(end, offset))) return true;
  let open = opening(text, at, Math.max(0, at - MAX_CHARACTERS_BACK));
  // `!(x instanceof A)`
  let isNegated = isUnequal !== (text[skipSpaceBack(text, at) - 1] === '!');
  while (open !== -1 && text[open] === '(' && text[open - 1] === '!') {
    isNegated = !isUnequal;
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

function isBracket(character: string): boolean {
  return '([{'.includes(character);
}
