import type { Place, Value } from './expression-value.ts';
import type { MemberLookup } from './member-lookup.ts';
import { typeGuards } from './type-guards.ts';
import type { Bound } from './type-parameters.ts';
import { startOf } from './type-shapes.ts';
import { closing, type conditional, splitType } from './type-text.ts';
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

  /** The type that a test before a place gives a variable. */
  async guarded(name: string, place: Place, depth: number): Promise<Value | undefined> {
    const { facts, inside, offset } = place;
    for (const guard of typeGuards(facts, name, offset, startOf(facts, inside))) {
      if ('type' in guard) return { type: { text: guard.type, facts, inside } };
      const [shape] = await this.#values.calls.functionsOf(guard.test, place, depth + 1);
      const [, text] = /^(?:asserts\s+)?[\w$]+\s+is\s+([\s\S]+)$/.exec(shape?.result.text ?? '') ?? [];
      if (shape !== undefined && text !== undefined) return { type: { ...shape.result, text } };
    }
    return undefined;
  }
}
