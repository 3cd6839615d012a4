import type { SymbolRow } from '../symbol-rows.ts';
import type { TypeRef } from './member-lookup.ts';
import type { FileFacts } from './question-files.ts';
import { resultOf } from './type-shapes.ts';
import { closing, expressionAt, skipSpace, splitType, typeAt } from './type-text.ts';

/* What the text behind a definition's name says, in TypeScript and JavaScript. */

/** A definition with a type, a function with the type of its result, or the expression that gives it its value. */
export type WrittenValue =
  | { readonly type: TypeRef }
  | { readonly result: TypeRef | undefined }
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
    const result = text[at] === ':' ? { text: typeAt(text, at + 1), facts, inside } : undefined;
    const isGetter = /\bget\s+$/.test(text.slice(Math.max(0, start - 12), start));
    return isGetter && result !== undefined ? { type: result } : { result };
  }
  if (text[at] === ':') {
    const type = { text: typeAt(text, at + 1), facts, inside };
    // In an object, what follows the colon is the value.
    const isValue = FUNCTION.test(text.slice(skipSpace(text, at + 1), at + 400));
    return isValue && resultOf(type) === undefined
      ? arrowResult(expressionAt(text, at + 1), { facts, inside })
      : { type };
  }
  return text[at] === '=' ? { expression: expressionAt(text, at + 1), offset: at } : undefined;
}

/** The result that a function expression says it has. */
export function arrowResult(
  expression: string,
  { facts, inside }: Omit<TypeRef, 'text'>,
): { readonly result: TypeRef | undefined } | undefined {
  const from = expression.indexOf('(');
  if (from === -1) return undefined;
  const after = skipSpace(expression, closing(expression, from) + 1);
  if (expression[after] !== ':') return { result: undefined };
  return { result: { text: typeAt(expression, after + 1).replace(/\s*=>[\s\S]*$/, ''), facts, inside } };
}

/** The type that the parameter at a place of a function is written to have. */
export function writtenParameter(
  definition: SymbolRow,
  index: number,
  facts: FileFacts,
): TypeRef | undefined {
  const { text } = facts;
  const from = facts.offset(definition.line, definition.column) + definition.name.length;
  const lead = /^\s*[?!]?\s*(?:<|\(|[:=]\s*(?:async\s*)?(?:<|\())/.exec(text.slice(from, from + 60));
  if (lead === null) return undefined;
  let at = from + lead[0].length - 1;
  if (text[at] === '<') at = skipSpace(text, closing(text, at) + 1);
  if (text[at] !== '(') return undefined;
  const parameter = splitType(text.slice(at + 1, closing(text, at)), ',')[index];
  if (parameter === undefined) return undefined;
  const start = parameter.startsWith('{') || parameter.startsWith('[') ? closing(parameter, 0) + 1 : 0;
  const colon = parameter.indexOf(':', start);
  if (colon === -1) return undefined;
  return { text: typeAt(parameter, colon + 1), facts, inside: definition.nr };
}
