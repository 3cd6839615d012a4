import { closing, opening, skipSpace, skipSpaceBack } from './type-text.ts';

/** What a test before a place says about a variable: the class it is an instance of, or the function that tested it. */
export type TypeGuard = { readonly type: string } | { readonly test: string };

const MAX_TESTS = 8;
const MAX_CHARACTERS_BACK = 5000;
const LEAVES = /\b(?:throw|return|continue|break)\b|\bprocess\.exit\(/;

/** The tests that hold for a variable at a place, nearest first. */
export function typeGuards(text: string, name: string, offset: number, least: number): readonly TypeGuard[] {
  const before = text.slice(least, offset);
  if (!/\binstanceof\b|\b(?:is|has|assert)[A-Z]/.test(before)) return [];
  const variable = name.replaceAll('$', '\\$');
  const test = new RegExp(
    `(?<![\\w$.])(?:${variable}\\s+instanceof\\s+([\\w$.]+)|((?:[\\w$]+\\.)*(?:is|has|assert)[A-Z][\\w$]*)(?:<[^()]*>)?\\(\\s*${variable}\\s*\\))`,
    'g',
  );
  const found: TypeGuard[] = [];
  for (const match of [...before.matchAll(test)].slice(-MAX_TESTS).reverse()) {
    const at = least + match.index;
    if (!isSettled(text, at, at + match[0].length, offset)) continue;
    const [, type, called = ''] = match;
    found.push(type === undefined ? { test: called } : { type });
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
