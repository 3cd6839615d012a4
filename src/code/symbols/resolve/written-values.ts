import type { SymbolRow } from '../symbol-rows.ts';
import { callableAt } from './function-shapes.ts';
import type { FileFacts } from './question-files.ts';
import type { TypeRef } from './type-parameters.ts';
import { resultOf } from './type-shapes.ts';
import { closing, expressionAt, skipSpace, typeAt } from './type-text.ts';

/* What the text after a definition's name says, in TypeScript and JavaScript. */

/** A definition with a type, a function, or the expression that gives it its value. */
export type WrittenValue =
  | { readonly type: TypeRef }
  | { readonly isFunction: true }
  | { readonly expression: string; readonly offset: number };

const FUNCTION = /^(?:async\b|function\b|\([^)]*\)\s*(?::[^=;]*)?=>)/;

export function writtenValue(definition: SymbolRow, facts: FileFacts): WrittenValue | undefined {
  const { text } = facts;
  const start = facts.offset(definition.line, definition.column);
  const inside = definition.nr;
  let at = skipSpace(text, start + definition.name.length);
  while (text[at] === '?' || text[at] === '!') at = skipSpace(text, at + 1);
  if (text[at] === '<') at = skipSpace(text, closing(text, at) + 1);
  if (text[at] === '(') {
    at = skipSpace(text, closing(text, at) + 1);
    const isGetter = /\bget\s+$/.test(text.slice(Math.max(0, start - 12), start));
    if (!isGetter) return { isFunction: true };
    if (text[at] === ':') return { type: { text: typeAt(text, at + 1), facts, inside } };
    const [first] = text[at] === '{' ? returned(text, at) : [];
    return first;
  }
  if (text[at] === ':') {
    const type = { text: typeAt(text, at + 1), facts, inside };
    // In an object, what follows the colon is the value.
    const isValue = FUNCTION.test(text.slice(skipSpace(text, at + 1), at + 400));
    return isValue && resultOf(type) === undefined ? { isFunction: true } : { type };
  }
  if (text[at] !== '=') return undefined;
  const expression = expressionAt(text, at + 1);
  return FUNCTION.test(expression) || /^<[^>]*>\s*\(/.test(expression)
    ? { isFunction: true }
    : { expression, offset: at };
}

/** What a function without a written result returns: expressions, in order. */
export function returnedValues(
  definition: SymbolRow,
  facts: FileFacts,
): readonly { readonly expression: string; readonly offset: number }[] {
  const at = callableAt(definition, facts);
  return at === undefined ? [] : returnedFrom(facts.text, at);
}

/** The same for the function whose parameters begin at a place. */
export function returnedFrom(
  text: string,
  from: number,
): readonly { readonly expression: string; readonly offset: number }[] {
  let at = from;
  if (text[at] === '<') at = skipSpace(text, closing(text, at) + 1);
  at = skipSpace(
    text,
    text[at] === '(' ? closing(text, at) + 1 : at + (/^[\w$]+/.exec(text.slice(at))?.[0].length ?? 0),
  );
  if (text.startsWith('=>', at)) {
    at = skipSpace(text, at + 2);
    if (text[at] !== '{') return [{ expression: expressionAt(text, at), offset: at }];
  }
  return text[at] === '{' ? returned(text, at) : [];
}

/** The expressions after `return` in a block, without those of functions in it. */
function returned(text: string, open: number): { readonly expression: string; readonly offset: number }[] {
  const found: { readonly expression: string; readonly offset: number }[] = [];
  const end = closing(text, open);
  const word = /=>\s*\{|\bfunction\b[^{]*\{|\breturn\b[ \t]*(?=[^\s;}])/g;
  word.lastIndex = open + 1;
  for (let match = word.exec(text); match !== null && match.index < end; match = word.exec(text)) {
    const behind = match.index + match[0].length;
    if (match[0].startsWith('return')) found.push({ expression: expressionAt(text, behind), offset: behind });
    else word.lastIndex = closing(text, behind - 1);
  }
  return found;
}
