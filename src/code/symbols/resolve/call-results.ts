import { type Call, type Place, typeIn, type Value } from './expression-value.ts';
import { type FunctionShape, withoutArrow, writtenShape } from './function-shapes.ts';
import { keyOf, type MemberLookup } from './member-lookup.ts';
import { type Bound, bind, type TypeRef, typeArguments } from './type-parameters.ts';
import { elementOf, isList } from './type-shapes.ts';
import { closing, skipSpace, splitType, typeAt } from './type-text.ts';
import type { ValueTypes } from './value-types.ts';
import { returnedFrom, returnedValues } from './written-values.ts';

const MAX_DEPTH = 12;

/** Finds what calls return, and types that are derived from values. */
export class CallResults {
  readonly #values: ValueTypes;
  readonly #members: MemberLookup;
  readonly #inferred = new Map<string, Value | undefined>();
  /** How often a result was needed while it was still being inferred. */
  #cuts = 0;

  constructor(values: ValueTypes, members: MemberLookup) {
    this.#values = values;
    this.#members = members;
  }

  /** The ways to call what an expression means; `new X` is its constructor. */
  async functionsOf(expression: string, place: Place, depth: number): Promise<readonly FunctionShape[]> {
    const made = /^new\s+([\w$.]+)$/.exec(expression)?.[1];
    const value = await this.#values.valueOf(made ?? expression, place, depth);
    if (value === undefined || value === 'elsewhere') return [];
    if ('type' in value) return this.#values.shapes.ofType(value.type);
    if ('written' in value) {
      const shape = writtenShape(value.written, value.place);
      return shape === undefined ? [] : [shape];
    }
    const found =
      made !== undefined && 'symbols' in value
        ? await this.#members.ofBound(value.symbols, 'constructor')
        : 'callable' in value
          ? value.callable
          : [];
    const shapes = await Promise.all(found.map((bound) => this.#values.shapes.ofDefinition(bound)));
    return shapes.filter((shape) => shape !== undefined);
  }

  /** What a call of a value returns. */
  async of(value: Value, call: Call, depth: number): Promise<Value | undefined> {
    if (value === 'elsewhere') return value;
    if ('result' in value) return value.result === undefined ? undefined : { type: value.result };
    if ('callable' in value) {
      for (const bound of await this.#byFit(value.callable, call, depth)) {
        const result = await this.#resultOf(bound, call, depth + 1);
        if (result !== undefined) return result;
      }
      return undefined;
    }
    if ('written' in value) {
      const { inferring } = call.place;
      return this.#resultOfWritten(value.written, { ...value.place, inferring }, depth + 1);
    }
    if (!('type' in value)) return undefined;
    const shapes = await this.#values.shapes.ofType(value.type);
    const result = shapes.find((shape) => shape.result.text !== '')?.result;
    return result === undefined ? undefined : { type: result };
  }

  /** Overloads that take as many arguments, and lists where the call has lists, before the others. */
  async #byFit(overloads: readonly Bound[], call: Call, depth: number): Promise<readonly Bound[]> {
    if (overloads.length < 2) return overloads;
    const values = splitType(call.values, ',').filter((text) => text !== '');
    const lists = await Promise.all(values.map((text) => this.#isList(text, call.place, depth)));
    const fitting: Bound[] = [];
    for (const bound of overloads) {
      const shape = await this.#values.shapes.ofDefinition(bound);
      const types = shape?.parameters.map(parameterType) ?? [];
      const isLonger = values.length > types.length && !shape?.parameters.at(-1)?.startsWith('...');
      if (!isLonger && types.every((type, at) => at >= lists.length || isList(type) === lists[at]))
        fitting.push(bound);
    }
    return [...fitting, ...overloads.filter((bound) => !fitting.includes(bound))];
  }

  async #isList(expression: string, place: Place, depth: number): Promise<boolean> {
    if (expression.startsWith('[')) return true;
    const type = await this.#values.expressionType(expression, place, depth + 1);
    return type !== undefined && isList(type.text);
  }

  /** What a function returns: the written type, or the type of its returned values. */
  async #resultOf(bound: Bound, call: Call, depth: number): Promise<Value | undefined> {
    const shape = await this.#values.shapes.ofDefinition(bound);
    if (shape === undefined || depth > MAX_DEPTH) return undefined;
    const { text, facts } = shape.result;
    if (/^(?:asserts\s|[\w$]+\s+is\s)/.test(text)) return 'elsewhere';
    if (text === '') {
      const key = keyOf(bound.symbol);
      if (this.#inferred.has(key)) return this.#inferred.get(key);
      const { inferring = [] } = call.place;
      // The other returns of a function that calls itself tell its result; it must not wait for itself.
      if (inferring.includes(key)) {
        this.#cuts++;
        return undefined;
      }
      const before = this.#cuts;
      const place = { facts, inside: bound.symbol.nr, inferring: [...inferring, key] };
      const value = await this.#firstKnown(returnedValues(bound.symbol, facts), place, depth);
      // A result that is unknown inside another function may be known outside it.
      const isOpen = value === undefined && inferring.length > 0 && this.#cuts > before;
      if (!isOpen) this.#inferred.set(key, value);
      return value;
    }
    const given = await this.#typeArguments(shape, call, depth);
    return { type: { ...shape.result, bindings: bind(bound.symbol, facts, given, bound.bindings) } };
  }

  /** What the type parameters of a function stand for in a call: as written, or the types of its arguments. */
  async #typeArguments(
    { generics, parameters }: FunctionShape,
    { types, values, place }: Call,
    depth: number,
  ): Promise<readonly (TypeRef | undefined)[]> {
    if (generics.length === 0) return [];
    if (types !== '')
      return splitType(types, ',').map((text) => ({ text, facts: place.facts, inside: place.inside }));
    const written = splitType(values, ',');
    return Promise.all(
      generics.map(async (generic) => {
        const at = parameters.findIndex((each) => parameterType(each) === generic);
        const value = written[at];
        return value === undefined
          ? this.#givenClass(generic, parameters, written, place, depth)
          : this.#values.expressionType(value, place, depth + 1);
      }),
    );
  }

  /** A class given for `Type<T>` or `new () => T`: T is its instances. */
  async #givenClass(
    generic: string,
    parameters: readonly string[],
    written: readonly string[],
    place: Place,
    depth: number,
  ): Promise<TypeRef | undefined> {
    const names = new RegExp(`^[\\w$.]+\\s*<\\s*${generic}\\s*>$|^new\\b[\\s\\S]*=>\\s*${generic}$`);
    for (const [at, parameter] of parameters.entries()) {
      const text = written[at] ?? '';
      if (!/^[A-Z][\w$]*$/.test(text)) continue;
      if (!splitType(parameterType(parameter), '|').some((part) => names.test(part))) continue;
      const value = await this.#values.valueOf(text, place, depth + 1);
      if (value !== undefined && value !== 'elsewhere' && 'symbols' in value)
        return { text, facts: place.facts, inside: place.inside };
    }
    return undefined;
  }

  async #resultOfWritten(expression: string, place: Place, depth: number): Promise<Value | undefined> {
    const from = expression.search(/[<(]/);
    if (from === -1) return undefined;
    const after = skipSpace(expression, closing(expression, expression.indexOf('(')) + 1);
    if (expression[after] !== ':') return this.#firstKnown(returnedFrom(expression, from), place, depth);
    const text = withoutArrow(typeAt(expression, after + 1));
    return { type: { text, facts: place.facts, inside: place.inside } };
  }

  async #firstKnown(
    values: readonly { readonly expression: string; readonly offset: number }[],
    place: Omit<Place, 'offset'> & { readonly offset?: number },
    depth: number,
  ): Promise<Value | undefined> {
    for (const { expression, offset } of values) {
      const value = await this.#values.valueOf(expression, { offset, ...place }, depth + 1);
      if (value !== undefined && value !== 'elsewhere') return value;
    }
    return undefined;
  }

  /** `typeof x`, `X['y']`, `X[number]`, `ReturnType<…>`. */
  async derived(type: TypeRef, depth: number): Promise<TypeRef | readonly Bound[] | undefined> {
    const { text, facts, inside } = type;
    const taken = /^([\s\S]+)\[\s*(?:['"]([\w$]+)['"]|number)\s*\]$/.exec(text);
    if (taken !== null) {
      const outer = { ...type, text: taken[1] ?? '' };
      return taken[2] === undefined
        ? elementOf(outer)?.type
        : this.#values.propertyType(outer, taken[2], depth + 1);
    }
    const [inner] = typeArguments(type);
    if (inner !== undefined && text.startsWith('ReturnType')) {
      const called = /^typeof\s+([\w$.]+)$/.exec(inner.text)?.[1];
      const place = { facts, inside, offset: facts.text.length };
      const value =
        called === undefined
          ? await this.of({ type: inner }, { types: '', values: '', place }, depth + 1)
          : await this.#values.valueOf(`${called}()`, place, depth + 1);
      return typeIn(value);
    }
    const name = /^typeof\s+([\w$.]+)$/.exec(text)?.[1];
    if (name === undefined) return undefined;
    const value = await this.#values.valueOf(name, { facts, inside, offset: facts.text.length }, depth + 1);
    if (value === undefined || value === 'elsewhere') return undefined;
    return 'symbols' in value ? value.symbols : typeIn(value);
  }
}

/** `Item[]` of `items?: Item[]`. */
const parameterType = (parameter: string) => parameter.replace(/^[^:]*:\s*/, '');
