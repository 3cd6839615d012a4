import { isAlias, type MemberLookup } from './member-lookup.ts';
import type { QuestionFiles } from './question-files.ts';
import { outcomes } from './type-operators.ts';
import type { Bound, TypeRef } from './type-parameters.ts';
import { aliasedType } from './written-bases.ts';

const MAX_DEPTH = 12;

/** Finds what types with several possible meanings may be: unions and conditional types. */
export class TypeChoices {
  readonly #files: QuestionFiles;
  readonly #members: MemberLookup;

  constructor(files: QuestionFiles, members: MemberLookup) {
    this.#files = files;
    this.#members = members;
  }

  /** The parts of unions, with aliases of unions replaced by what they stand for. */
  async parts(types: readonly Bound[], depth = 0): Promise<readonly Bound[]> {
    const found: Bound[] = [];
    for (const type of types) {
      const aliased = depth < MAX_DEPTH ? await this.#aliased(type) : undefined;
      const inner =
        aliased === undefined || /[{&]/.test(aliased.text) ? [] : await this.#members.types(aliased);
      if (!Array.isArray(inner) || inner.length === 0) found.push(type);
      else found.push(...(await this.parts(inner, depth + 1)));
    }
    return found;
  }

  /** Whether a conditional type may come out as one of these type parameters. */
  async mayBeOneOf(type: TypeRef, parameters: readonly string[], depth = 0): Promise<boolean> {
    const text = type.text.trim();
    if (parameters.length === 0 || depth > MAX_DEPTH) return false;
    for (const outcome of outcomes(text)) {
      const given = type.bindings?.get(outcome) ?? { ...type, text: outcome };
      if (parameters.includes(given.text)) return true;
      if (await this.mayBeOneOf(given, parameters, depth + 1)) return true;
    }
    if (!/^[\w$.]+\s*</.test(text)) return false;
    const types = await this.#members.types(type, depth);
    for (const bound of Array.isArray(types) ? types : []) {
      const aliased = await this.#aliased(bound);
      if (aliased !== undefined && (await this.mayBeOneOf(aliased, parameters, depth + 1))) return true;
    }
    return false;
  }

  /** What an alias stands for; undefined for other types. */
  async #aliased({ symbol, bindings }: Bound): Promise<TypeRef | undefined> {
    if (!isAlias(symbol)) return undefined;
    const facts = await this.#files.facts(symbol.path);
    return { text: aliasedType(symbol, facts), facts, inside: symbol.nr, bindings };
  }
}
