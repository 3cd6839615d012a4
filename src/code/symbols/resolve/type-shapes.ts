import type { SymbolRow } from '../symbol-rows.ts';
import { type FileFacts, isMember, isType } from './question-files.ts';
import type { Bound, TypeRef } from './type-parameters.ts';
import { closing, skipSpace, splitType } from './type-text.ts';

/* What the form of written types says about them. */

const LISTS =
  /^(?:readonly\s+)?(?:Array|ReadonlyArray|Set|ReadonlySet|Iterable|IterableIterator|Iterator|Generator|AsyncGenerator|AsyncIterable|AsyncIterableIterator)\s*</;
const MAPS = /^(?:Map|ReadonlyMap|WeakMap|Record|Lru)\s*</;

export function isMap(text: string): boolean {
  return MAPS.test(unwrapped(text));
}

/** `Readonly<T>` holds what `T` holds. */
function unwrapped(text: string): string {
  return text.trim().replace(/^(?:Readonly|Partial|Required)\s*<([\s\S]*)>$/, '$1');
}

/** The class or similar around a definition, or the definition itself. */
export function typeAround(facts: FileFacts, inside: number | undefined): SymbolRow | undefined {
  for (let at = inside; at !== undefined; ) {
    const definition = facts.definitions[at];
    if (definition === undefined || isType(definition)) return definition;
    at = definition.parent;
  }
  return undefined;
}

/** The start of the outermost definition around a place that is not a type: variables before it are not visible. */
export function startOf(facts: FileFacts, inside: number | undefined): number {
  let start = 0;
  for (let at = inside; at !== undefined; ) {
    const definition = facts.definitions[at];
    if (definition === undefined) break;
    if (!isType(definition)) start = facts.offset(definition.from, 0);
    at = definition.parent;
  }
  return start;
}

export function isList(text: string): boolean {
  const plain = unwrapped(text);
  return LISTS.test(plain) || /\[\]$/.test(plain);
}

/** The element type of a list. */
export function elementOf(type: TypeRef): { readonly type: TypeRef } | undefined {
  const text = unwrapped(type.text);
  const plain = /^(?:readonly\s+)?([\s\S]+)\[\]$/.exec(text)?.[1];
  if (plain !== undefined) return { type: { ...type, text: plain } };
  if (MAPS.test(text)) return mapValue({ ...type, text });
  const first = LISTS.test(text) ? argument({ ...type, text }, 0) : undefined;
  return first === undefined ? undefined : { type: first };
}

/** What `entries()` of a list or a map iterates over. */
export function pairsOf(type: TypeRef): TypeRef | undefined {
  const value = elementOf(type)?.type;
  const key = isMap(type.text) ? argument(type, 0)?.text : 'number';
  return value === undefined ? undefined : { ...value, text: `Array<[${key ?? 'unknown'}, ${value.text}]>` };
}

/** The type at a place of `[A, B]`. */
export function tupleElement(type: TypeRef, at: number): TypeRef | undefined {
  const text = type.text.trim().replace(/^readonly\s+/, '');
  if (!text.startsWith('[')) return undefined;
  const part = splitType(text.slice(1, closing(text, 0)), ',')[at];
  return part === undefined ? undefined : { ...type, text: part.replace(/^(?:\.\.\.)?[\w$]+\??:\s*/, '') };
}

export function mapValue(type: TypeRef): { readonly type: TypeRef } | undefined {
  const second = argument(type, 1);
  return second === undefined ? undefined : { type: second };
}

export function argument(type: TypeRef, at: number): TypeRef | undefined {
  const open = type.text.indexOf('<');
  if (open === -1) return undefined;
  const text = splitType(type.text.slice(open + 1, closing(type.text, open)), ',')[at];
  return text === undefined ? undefined : { ...type, text };
}

/** What a function type returns. */
export function resultOf(type: TypeRef): TypeRef | undefined {
  const text = type.text.trim();
  const from = text.startsWith('<') ? skipSpace(text, closing(text, 0) + 1) : 0;
  if (text[from] !== '(') return undefined;
  const arrow = /^\s*=>\s*/.exec(text.slice(closing(text, from) + 1));
  if (arrow === null) return undefined;
  return { ...type, text: text.slice(closing(text, from) + 1 + arrow[0].length) };
}

/** The type of a member in `{ name: Type; other(): Type }`; undefined if there is none with that name. */
export function inlineMember(type: TypeRef, name: string): TypeRef | undefined {
  const text = type.text.trim();
  if (!text.startsWith('{')) return undefined;
  for (const part of splitType(text.slice(1, closing(text, 0)).replaceAll('\n', ';'), ';,')) {
    const match = /^(?:readonly\s+)?['"]?([\w$]+)['"]?\s*\??\s*(:|\(|<)/.exec(part);
    if (match?.[1] !== name) continue;
    const from = match[0].length - (match[2] === ':' ? 0 : 1);
    return {
      ...type,
      text: part
        .slice(from)
        .trim()
        .replace(/^(\([\s\S]*\))\s*:/, '$1 =>'),
    };
  }
  return undefined;
}

/** The definitions of a member in `{ name: Type }`, if the type is written for a definition. */
export function inlineFields({ facts, inside }: TypeRef, name: string): readonly Bound[] | undefined {
  const found = facts.definitions.filter(
    (each) => each.name === name && inside !== undefined && each.parent === inside && isMember(each),
  );
  return found.length === 0 ? undefined : found.map((symbol) => ({ symbol }));
}
