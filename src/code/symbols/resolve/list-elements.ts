import { typeIn, type Value } from './expression-value.ts';
import type { MemberLookup } from './member-lookup.ts';
import type { QuestionFiles } from './question-files.ts';
import type { TypeRef } from './type-parameters.ts';
import { isList, isMap, mapValue, pairsOf, elementOf as plainElement, tupleElement } from './type-shapes.ts';
import { closing, splitType, typeAt } from './type-text.ts';
import { placeIn } from './variable-declaration.ts';
import { aliasedType, headEnd } from './written-bases.ts';

const MAX_DEPTH = 12;
const ELEMENT = /^(?:find|findLast|at|pop|shift)$/;
const SAME_LIST = /^(?:filter|slice|toSorted|sort|reverse|toReversed|concat|entries)$/;

const ENTRY =
  /^\{[^[{}()]*?\[\s*[\w$]+\s*(?::\s*(?:string|number|symbol)\s*|\s+in\s+(?!keyof\b)[^\]]+)\]\s*[-+?]*\s*:/;

/** The type behind `[name: string]:` or `[K in string]:`, if it comes before all members with brackets. */
function entryIn(type: TypeRef): TypeRef | undefined {
  const lead = ENTRY.exec(type.text)?.[0];
  return lead === undefined ? undefined : { ...type, text: typeAt(type.text, lead.length) };
}

/** Finds the element types of lists: as written, or behind the names of types. */
export class ListElements {
  readonly #files: QuestionFiles;
  readonly #members: MemberLookup;

  constructor(files: QuestionFiles, members: MemberLookup) {
    this.#files = files;
    this.#members = members;
  }

  /** The element type of a list, even if the list's type has its own name. */
  async elementOf(type: TypeRef, depth = 0): Promise<TypeRef | undefined> {
    const plain = plainElement(type)?.type;
    if (plain !== undefined || depth > MAX_DEPTH) return plain;
    const parts = splitType(type.text, '|').filter((part) => !/^(?:undefined|null)$/.test(part));
    if (parts.length > 1) {
      for (const text of parts) {
        const found = await this.elementOf({ ...type, text }, depth + 1);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    const types = await this.#members.types(type);
    for (const { symbol, bindings } of Array.isArray(types) ? types : []) {
      if (symbol.kind !== 'type') continue;
      const facts = await this.#files.facts(symbol.path);
      const text = aliasedType(symbol, facts);
      const found = await this.elementOf({ text, facts, inside: symbol.nr, bindings }, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What a type has under any name: `X` of `{ [K in string]: X }` and `{ [name: string]: X }`. */
  async entry(type: TypeRef, depth = 0): Promise<TypeRef | undefined> {
    if (depth > MAX_DEPTH) return undefined;
    const parts = splitType(type.text, '|').filter((part) => !/^(?:undefined|null)$/.test(part));
    for (const text of parts) {
      const found = /^\{/.test(text) ? entryIn({ ...type, text }) : undefined;
      if (found !== undefined) return found;
      const types = /^[\w$.]+/.test(text) ? await this.#members.types({ ...type, text }) : undefined;
      for (const { symbol, bindings } of Array.isArray(types) ? types : []) {
        const facts = await this.#files.facts(symbol.path);
        const body = { facts, inside: symbol.nr, bindings, text: '' };
        const inner =
          symbol.kind === 'type'
            ? await this.entry({ ...body, text: aliasedType(symbol, facts) }, depth + 1)
            : entryIn({
                ...body,
                text: facts.text.slice(headEnd(symbol, facts), facts.offset(symbol.to + 1, 0)),
              });
        if (inner !== undefined) return inner;
      }
    }
    return undefined;
  }

  /** What a loop over a list yields; over a map it is a pair. */
  async each(list: TypeRef, [first = '']: readonly string[], depth: number): Promise<Value | undefined> {
    if (isMap(list.text) && placeIn(first) !== undefined) {
      const open = list.text.indexOf('<');
      return { type: { ...list, text: `[${list.text.slice(open + 1, closing(list.text, open))}]` } };
    }
    const type = await this.elementOf(list, depth);
    return type === undefined ? undefined : { type };
  }

  /** What a list or map has under a name; undefined if the type is neither. */
  async property(
    type: TypeRef,
    name: string,
    depth: number,
  ): Promise<{ readonly value: Value | undefined } | undefined> {
    const list = ELEMENT.test(name) || SAME_LIST.test(name) ? await this.#asList(type, depth) : type;
    const text = list.text.replace(/^Readonly\s*<([\s\S]*)>$/, '$1');
    if (name === 'entries' && (isList(text) || isMap(text))) return { value: { result: pairsOf(list) } };
    if (isList(text)) {
      if (ELEMENT.test(name)) return { value: { result: plainElement(list)?.type } };
      return { value: SAME_LIST.test(name) ? { result: list } : 'elsewhere' };
    }
    if (!isMap(text)) return undefined;
    const element = mapValue({ ...list, text });
    if (name === 'get') return { value: { result: element?.type } };
    if (name === 'values' && element !== undefined)
      return { value: { result: { ...element.type, text: `Array<${element.type.text}>` } } };
    return { value: /^Record/.test(text) ? element : 'elsewhere' };
  }

  /** A list by its element type, if its type only names a list. */
  async #asList(type: TypeRef, depth: number): Promise<TypeRef> {
    if (isList(type.text) || isMap(type.text)) return type;
    const element = await this.elementOf(type, depth);
    return element === undefined ? type : { ...element, text: `Array<${element.text}>` };
  }

  /** The part of a list or tuple that a pattern or an index takes out. */
  async at(value: Value, place: string, depth: number): Promise<Value | undefined> {
    const list = typeIn(value);
    if (list === undefined) return undefined;
    const type = tupleElement(list, placeIn(place) ?? 0) ?? (await this.elementOf(list, depth));
    return type === undefined ? undefined : { type };
  }

  /** `[...list]` */
  async copied(value: Value | undefined, depth: number): Promise<Value | undefined> {
    const list = typeIn(value);
    const type = list === undefined ? undefined : await this.elementOf(list, depth);
    return type === undefined ? undefined : { type: { ...type, text: `Array<${type.text}>` } };
  }
}
