import type { SymbolRow } from '../symbol-rows.ts';
import type { Place } from './expression-value.ts';
import { type FunctionShape, parameterType } from './function-shapes.ts';
import type { TypeRef } from './type-parameters.ts';
import {
  closing,
  expressionBefore,
  expressionStart,
  opening,
  skipSpace,
  skipSpaceBack,
  splitType,
  typeAt,
} from './type-text.ts';
import type { ValueTypes } from './value-types.ts';
import { type ContextualParameter, patternAt } from './variable-declaration.ts';

const MAX_DEPTH = 8;

/** The types that names without a receiver are members of: in patterns, and in objects whose type is expected. */
export class ContextTypes {
  readonly #values: ValueTypes;

  constructor(values: ValueTypes) {
    this.#values = values;
    values.parameter = (parameter, place, depth) => this.#parameter(parameter, place, depth);
  }

  /** What a name in `{ name }` or `{ name: … }` is a member of. */
  async member(name: string, place: Place): Promise<readonly SymbolRow[] | 'elsewhere' | undefined> {
    const { facts, offset } = place;
    const taken = patternAt(facts.text, offset, name.length);
    if (taken !== undefined) return this.#values.taken(taken, name, place);
    const open = opening(facts.text, offset, Math.max(0, offset - 20_000));
    if (open === -1 || facts.text[open] !== '{') return undefined;
    const type = await this.#expected(open, { ...place, isKey: true }, 0);
    if (type === undefined) return undefined;
    const found = await this.#values.membersOfType(type, name);
    return found === undefined || found === 'elsewhere' ? found : found.map(({ symbol }) => symbol);
  }

  /** The type of a parameter, from what is expected of its function. */
  async #parameter(
    { start, index, method }: ContextualParameter,
    place: Place,
    depth: number,
  ): Promise<TypeRef | undefined> {
    const shapes =
      method === undefined
        ? await this.#functions(start, place, depth)
        : await this.#methods(start, method, place, depth);
    for (const shape of shapes) {
      const type = parameterType(shape, index);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  /** How a function that begins at a place is expected to be called. */
  async #functions(start: number, place: Place, depth: number): Promise<readonly FunctionShape[]> {
    const key = keyBefore(place.facts.text, start);
    if (key !== undefined) return this.#methods(key.at, key.name, place, depth);
    const expected = await this.#expectedAt(start, place, depth + 1);
    return expected === undefined ? [] : this.#values.shapes.ofType(expected);
  }

  /** The same for a method in an object. */
  async #methods(
    start: number,
    name: string,
    place: Place,
    depth: number,
  ): Promise<readonly FunctionShape[]> {
    const { text } = place.facts;
    const open = opening(text, start, Math.max(0, start - 20_000));
    if (open === -1 || text[open] !== '{') return [];
    const outer = await this.#expected(open, place, depth + 1);
    if (outer === undefined) return [];
    const found = await this.#values.membersOfType(outer, name);
    const shapes: FunctionShape[] = [];
    for (const bound of Array.isArray(found) ? found : []) {
      const shape = await this.#values.shapes.ofDefinition(bound);
      if (shape !== undefined) shapes.push(shape);
    }
    if (shapes.length > 0) return shapes;
    const type = await this.#values.propertyType(outer, name, depth + 1);
    return type === undefined ? [] : this.#values.shapes.ofType(type);
  }

  /** The expected type of the object or list that opens at a place. */
  async #expected(open: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const { text } = place.facts;
    if (depth > MAX_DEPTH) return undefined;
    const close = closing(text, open);
    const said = /^\s*(?:satisfies|as)\s+(?!const\b)/.exec(text.slice(close + 1, close + 40));
    if (said !== null) return this.#written(typeAt(text, close + 1 + said[0].length), place);
    const at = skipSpaceBack(text, open);
    const before = text.slice(Math.max(0, at - 20), at);
    if (/(?:^|[^=!<>])=$/.test(before)) return this.#assigned(at - 1, place, depth);
    if (/\breturn$/.test(before)) return this.#returned(at, place, depth);
    if (/=>\s*\($/.test(text.slice(Math.max(0, at - 20), at)))
      return this.#arrow(text.lastIndexOf('=>', at), place, depth);
    if (before.endsWith('(') || before.endsWith(',') || before.endsWith('['))
      return this.#listed(at, open, place, depth);
    if (before.endsWith(':') || /(?:\?\?|\|\||&&|\?)$/.test(before)) return this.#part(at, place, depth);
    return undefined;
  }

  /** `const x: T = {`, or a field with a type. */
  async #assigned(equals: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const { text } = place.facts;
    const line = text.lastIndexOf('\n', equals) + 1;
    const head = text.slice(line, equals);
    const named =
      /^\s*(?:(?:export|declare|const|let|var|private|public|protected|readonly|static|override)\s+)*#?[\w$]+\??\s*:/.exec(
        head,
      );
    if (named !== null) return this.#written(typeAt(text, line + named[0].length), place);
    const target = /^\s*((?:this\.|[\w$]+\.)*#?[\w$]+)\s*(?:\?\?)?$/.exec(head)?.[1];
    return target === undefined
      ? undefined
      : this.#values.expressionType(target, { ...place, offset: line }, depth);
  }

  /** The result of the function around a `return`. */
  async #returned(at: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const { text } = place.facts;
    for (
      let open = opening(text, at, Math.max(0, at - 20_000));
      open !== -1;
      open = opening(text, open, Math.max(0, open - 20_000))
    ) {
      if (text[open] !== '{') continue;
      const head = skipSpaceBack(text, open);
      if (text.slice(head - 2, head) === '=>') return this.#arrow(head - 2, place, depth);
      const result = resultBefore(text, head);
      if (result === undefined) continue;
      if (result !== '') return this.#written(unpromised(result), place);
      const list = opening(text, head - 1, Math.max(0, head - 5000));
      const method = /([\w$]+)\s*$/.exec(text.slice(Math.max(0, list - 80), list))?.[1];
      if (method === undefined || method === 'function') return undefined;
      const start = text.lastIndexOf(method, list);
      return resultIn(await this.#methods(start, method, place, depth));
    }
    return undefined;
  }

  /** The result of an arrow function: as written, or that of its expected type. */
  async #arrow(arrow: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const { text } = place.facts;
    const written = resultBefore(text, skipSpaceBack(text, arrow));
    if (written !== undefined && written !== '') return this.#written(unpromised(written), place);
    const head = skipSpaceBack(text, arrow);
    let start =
      text[head - 1] === ')'
        ? opening(text, head - 1, Math.max(0, head - 5000))
        : head - (/[\w$]+$/.exec(text.slice(Math.max(0, head - 60), head))?.[0].length ?? 0);
    if (start < 0) return undefined;
    start = skipSpaceBack(text, start);
    if (/\basync$/.test(text.slice(Math.max(0, start - 6), start))) start = skipSpaceBack(text, start - 5);
    return resultIn(await this.#functions(start, place, depth));
  }

  /** The expected type of an expression that starts after a place. */
  #expectedAt(at: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const { text } = place.facts;
    const last = text[at - 1] ?? '';
    if (depth > MAX_DEPTH) return Promise.resolve(undefined);
    if (last === '(' || last === ',' || last === '[') return this.#listed(at, at, place, depth);
    if (last === ':') return this.#property(at - 1, place, depth);
    if (/\breturn$/.test(text.slice(Math.max(0, at - 7), at))) return this.#returned(at, place, depth);
    if (text.slice(at - 2, at) === '=>') return this.#arrow(at - 2, place, depth);
    if (last === '=') return this.#assigned(at - 1, place, depth);
    return Promise.resolve(undefined);
  }

  /** An argument of a call, or an element of a list. */
  async #listed(at: number, from: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const { text } = place.facts;
    const open = opening(text, from, Math.max(0, from - 20_000));
    if (open === -1) return undefined;
    if (text[open] === '[') {
      const list = await this.#expected(open, place, depth + 1);
      return list === undefined ? undefined : this.#values.lists.elementOf(list, depth);
    }
    if (text[open] !== '(') return undefined;
    const called = expressionBefore(text, open);
    const put = /^([\s\S]+?)[!?]?\.\s*(push|unshift|add|set|fill|with)$/.exec(called);
    const into =
      put?.[1] === undefined
        ? undefined
        : await this.#values.expressionType(put[1], { ...place, offset: open }, depth + 1);
    const element = into === undefined ? undefined : await this.#values.lists.elementOf(into, depth);
    if (element !== undefined) return element;
    if (called === '' || /^(?:if|while|for|switch|return|await)$/.test(called)) return undefined;
    const index =
      splitType(text.slice(open + 1, at).replace(/,\s*$/, ',0'), ',').length - (text[at - 1] === ',' ? 1 : 0);
    const position = text[at - 1] === '(' ? 0 : index;
    return this.#argument(called, position, { ...place, offset: open }, depth);
  }

  /** The type of a parameter of the called function. */
  async #argument(called: string, index: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const generics = /<([^()]*)>$/.exec(called)?.[1];
    const bare = generics === undefined ? called : called.slice(0, -generics.length - 2);
    for (const shape of await this.#values.calls.functionsOf(bare, place, depth + 1)) {
      const type = parameterType(shape, index);
      if (type === undefined) continue;
      const own = shape.generics.indexOf(type.text.replace(/^Readonly<(.*)>$/, '$1'));
      if (generics !== undefined)
        return own === -1 ? type : this.#written(splitType(generics, ',')[own] ?? '', place);
      // A function is expected to be what the type parameter extends. An object decides itself what the parameter is,
      // so its keys are not those of another type.
      if (place.isKey !== true) return type;
      return own !== -1 || (await this.#values.choices.mayBeOneOf(type, shape.generics))
        ? undefined
        : withUnknown(type, shape.generics);
    }
    return undefined;
  }

  /** The expected type of a property's value, in an object whose type is expected. */
  async #property(colon: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const { text } = place.facts;
    const key = /([\w$]+)\s*$/.exec(text.slice(Math.max(0, colon - 80), colon))?.[1];
    const open = opening(text, colon, Math.max(0, colon - 20_000));
    if (key === undefined || open === -1 || text[open] !== '{') return undefined;
    const outer = await this.#expected(open, place, depth + 1);
    return outer === undefined ? undefined : this.#values.propertyType(outer, key, depth);
  }

  /** The expected type of a property's value, or of a part of `a ?? b` or `a ? b : c`, which is that of the whole. */
  async #part(at: number, place: Place, depth: number): Promise<TypeRef | undefined> {
    const { text } = place.facts;
    const start = expressionStart(text, at, Math.max(0, at - 3000));
    if (start === -1) return undefined;
    return start === at && text[at - 1] === ':'
      ? this.#property(at - 1, place, depth)
      : this.#expectedAt(start, place, depth + 1);
  }

  #written(text: string, { facts, inside }: Place): TypeRef {
    return { text, facts, inside };
  }
}

/** A type in which nothing is known about some type parameters. */
function withUnknown(type: TypeRef, parameters: readonly string[]): TypeRef {
  const { facts, inside } = type;
  const bindings = new Map(type.bindings);
  for (const name of parameters) bindings.set(name, { text: 'unknown', facts, inside });
  return { ...type, bindings };
}

/** The key of `key: value`, if that is what is before a value. */
function keyBefore(text: string, start: number): { readonly name: string; readonly at: number } | undefined {
  if (text[start - 1] !== ':') return undefined;
  const [, name, space = ''] =
    /[{,]\s*([\w$]+)(\s*)$/.exec(text.slice(Math.max(0, start - 121), start - 1)) ?? [];
  return name === undefined ? undefined : { name, at: start - 1 - space.length - name.length };
}

function resultIn(shapes: readonly FunctionShape[]): TypeRef | undefined {
  const result = shapes.find((shape) => shape.result.text !== '')?.result;
  return result === undefined ? undefined : { ...result, text: unpromised(result.text) };
}

function unpromised(text: string): string {
  return text.replace(/^(?:Promise|AsyncGenerator|Generator)\s*<([\s\S]*)>$/, '$1');
}

/** The result type written before the body at a place; '' if there is none, undefined if there is no function. */
function resultBefore(text: string, end: number): string | undefined {
  if (text[end - 1] === ')') {
    const open = opening(text, end - 1, Math.max(0, end - 5000));
    const word = /([\w$]+)\s*$/.exec(text.slice(Math.max(0, open - 40), open))?.[1] ?? '';
    // `(a: A): ((b: B) => C) =>`
    if (/\)\s*:\s*$/.test(text.slice(Math.max(0, open - 20), open))) return text.slice(open, end);
    return /^(?:if|for|while|switch|catch|with)$/.test(word) ? undefined : '';
  }
  const least = Math.max(0, end - 400);
  for (let at = text.lastIndexOf(')', end); at > least; at = text.lastIndexOf(')', at - 1)) {
    const colon = skipSpace(text, at + 1);
    if (text[colon] !== ':') continue;
    const written = text.slice(colon + 1, end).trim();
    if (typeAt(written, 0) === written) return written;
  }
  return undefined;
}
