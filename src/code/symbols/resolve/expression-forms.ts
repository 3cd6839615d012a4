import type { conditional } from './expression-text.ts';
import { type Place, typeIn, type Value } from './expression-value.ts';
import type { MemberLookup } from './member-lookup.ts';
import { typeGuards } from './type-guards.ts';
import type { Bound } from './type-parameters.ts';
import { startOf } from './type-shapes.ts';
import { closing, splitType } from './type-text.ts';
import type { ValueTypes } from './value-types.ts';

/** Finds the values of expressions that choose, spread or test others. */
export class ExpressionForms {
  readonly #values: ValueTypes;
  readonly #members: MemberLookup;

  constructor(values: ValueTypes, members: MemberLookup) {
    this.#values = values;
    this.#members = members;
  }

  /** The first known branch of `a ? b : c`. */
  async either(
    { condition, branches }: NonNullable<ReturnType<typeof conditional>>,
    place: Place,
    depth: number,
  ): Promise<Value | undefined> {
    const [, tested, text = ''] = /^([\w$]+)\s+instanceof\s+([\w$.]+)$/.exec(condition) ?? [];
    for (const part of splitType(branches, ':')) {
      if (/^(?:undefined|null)$/.test(part)) continue;
      if (part === tested) return { type: { text, facts: place.facts, inside: place.inside } };
      const value = await this.#values.valueOf(part, place, depth + 1);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** `{ ...a, ...b, own: 1 }`: has the members of what it spreads. */
  async spread(expression: string, place: Place, depth: number): Promise<Value | undefined> {
    const parts = splitType(expression.slice(1, closing(expression, 0)), ',');
    const symbols: Bound[] = [];
    for (const part of parts.filter((each) => each.startsWith('...'))) {
      const type = await this.#values.expressionType(part.slice(3), place, depth + 1);
      const types = type === undefined ? undefined : await this.#members.types(type);
      if (Array.isArray(types)) symbols.push(...types);
    }
    const own = new Set(parts.map((part) => /^[\w$]+/.exec(part)?.[0] ?? ''));
    return symbols.length === 0 ? 'elsewhere' : { symbols, own };
  }

  /** The type that a test before a place gives a variable, or a chain such as `node.parent`. */
  async guarded(chain: string, place: Place, depth: number): Promise<Value | undefined> {
    const { facts, inside, offset } = place;
    for (const guard of typeGuards(facts, chain, offset, startOf(facts, inside))) {
      if ('property' in guard) continue;
      if ('type' in guard) return { type: { text: guard.type, facts, inside } };
      const [shape] = await this.#values.calls.functionsOf(guard.test, place, depth + 1);
      const [, text] = /^(?:asserts\s+)?[\w$]+\s+is\s+([\s\S]+)$/.exec(shape?.result.text ?? '') ?? [];
      if (shape !== undefined && text !== undefined) return { type: { ...shape.result, text } };
    }
    return undefined;
  }

  /** A property of something, as tests before a place leave it. */
  async tested(
    value: Value | undefined,
    written: string,
    place: Place,
    depth: number,
  ): Promise<Value | undefined> {
    const chain = written.replace(/[!?\s]+/g, '');
    return (await this.guarded(chain, place, depth)) ?? this.narrowed(value, chain, place);
  }

  /** Of a union, the types that a comparison before a place leaves: `node.kind === 'a'`. */
  async narrowed(value: Value | undefined, chain: string, place: Place): Promise<Value | undefined> {
    const type = typeIn(value);
    if (type === undefined) return value;
    const { facts, inside, offset } = place;
    const guards = typeGuards(facts, chain, offset, startOf(facts, inside));
    const tests = guards.flatMap((guard) => ('property' in guard ? [guard] : []));
    if (tests.length === 0) return value;
    const types = await this.#members.types(type);
    let parts = Array.isArray(types) ? await this.#values.choices.parts(types) : [];
    if (parts.length < 2) return value;
    for (const { property, values } of tests) {
      const all = await Promise.all(parts.map((part) => this.#mayBe(part, property, values)));
      const left = parts.filter((_, at) => all[at]);
      if (left.length > 0) parts = left;
    }
    return { symbols: parts };
  }

  /** Whether a property of a type may have one of these values; if it has no written values, it may. */
  async #mayBe(part: Bound, property: string, values: readonly string[]): Promise<boolean> {
    for (const { symbol } of await this.#members.ofBound([part], property)) {
      const type = await this.#values.typeOf(symbol);
      const options = splitType(type?.text ?? '', '|').map(bareValue);
      if (options.length === 0 || !options.every((option) => LITERAL.test(option))) return true;
      return values.some((text) => options.includes(bareValue(text)));
    }
    return true;
  }
}

const LITERAL = /^(?:['"]|true$|false$|[A-Z][\w$]*\.[\w$]+$)/;

/** A literal, or a member of an enum without the namespaces around it. */
function bareValue(text: string): string {
  const [, quoted] = /^['"](.*)['"]$/.exec(text) ?? [];
  return quoted === undefined ? text.split('.').slice(-2).join('.') : `'${quoted}'`;
}
