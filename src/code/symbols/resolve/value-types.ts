import type { SymbolRow } from '../symbol-rows.ts';
import type { MemberLookup, TypeRef } from './member-lookup.ts';
import type { Meaning, NameLookup } from './name-lookup.ts';
import { type FileFacts, isType, type QuestionFiles } from './question-files.ts';
import {
  argument,
  elementOf,
  isList,
  isMap,
  mapValue,
  resultOf,
  startOf,
  typeAround,
} from './type-shapes.ts';
import { closing, skipSpace } from './type-text.ts';
import { type VariableDeclaration, variableAt } from './variable-declaration.ts';
import { arrowResult, writtenValue } from './written-values.ts';

/** What an expression is, as far as the text says so. */
export type Value =
  /** Something of a type. */
  | { readonly type: TypeRef }
  /** A class, an enum, a function or a constant itself. */
  | { readonly symbols: readonly SymbolRow[] }
  | { readonly modules: readonly string[] }
  | { readonly result: TypeRef | undefined }
  | 'elsewhere';

/** Where an expression stands. */
export interface Place {
  readonly facts: FileFacts;
  readonly offset: number;
  readonly inside: number | undefined;
}

const MAX_DEPTH = 12;
const ELEMENT = /^(?:find|findLast|at|pop|shift)$/;
const SAME_LIST = /^(?:filter|slice|toSorted|sort|reverse|toReversed|concat)$/;

/** Follows expressions of TypeScript and JavaScript to types that are written down. */
export class ValueTypes {
  readonly #files: QuestionFiles;
  readonly #names: NameLookup;
  readonly #members: MemberLookup;

  constructor(files: QuestionFiles, names: NameLookup, members: MemberLookup) {
    this.#files = files;
    this.#names = names;
    this.#members = members;
  }

  /** The definitions of a member of an expression; 'elsewhere' if it is not from the tree. */
  async member(
    expression: string,
    name: string,
    place: Place,
  ): Promise<readonly SymbolRow[] | 'elsewhere' | undefined> {
    const value = await this.#valueOf(expression, place, 0);
    return value === undefined ? undefined : this.#memberOf(value, name);
  }

  /** The types that a definition's value, or its result, is written to have. */
  async typeOf(definition: SymbolRow): Promise<Value | undefined> {
    return this.#definedValue(definition, 0);
  }

  /** The definitions of a member of a written type. */
  memberOfType(type: TypeRef, name: string): Promise<readonly SymbolRow[] | 'elsewhere' | undefined> {
    return this.#memberOf({ type }, name);
  }

  /** What a pattern takes a name out of, and then the name. */
  async taken(
    declaration: VariableDeclaration,
    name: string,
    place: Place,
  ): Promise<readonly SymbolRow[] | 'elsewhere' | undefined> {
    const around = await this.#declared(
      { ...declaration, properties: declaration.properties.slice(0, -1) },
      place,
      0,
    );
    return around === undefined ? undefined : this.#memberOf(around, declaration.properties.at(-1) ?? name);
  }

  /** The type of an expression, if it is written somewhere. */
  async expressionType(expression: string, place: Place): Promise<TypeRef | undefined> {
    const value = await this.#valueOf(expression, place, 0);
    return value !== undefined && value !== 'elsewhere' && 'type' in value ? value.type : undefined;
  }

  /** The type of a property of a type. */
  async propertyType(type: TypeRef, name: string): Promise<TypeRef | undefined> {
    const value = await this.#property({ type }, name, 0);
    return value !== undefined && value !== 'elsewhere' && 'type' in value ? value.type : undefined;
  }

  async #memberOf(value: Value, name: string): Promise<readonly SymbolRow[] | 'elsewhere' | undefined> {
    if (value === 'elsewhere') return value;
    if ('modules' in value) {
      const [path = ''] = value.modules;
      const found = await this.#names.exported(path, name);
      return found === undefined || found === 'elsewhere'
        ? 'elsewhere'
        : 'symbols' in found
          ? found.symbols
          : undefined;
    }
    if ('symbols' in value) {
      const found = await this.#members.of(value.symbols, name);
      return found.length > 0 ? found : undefined;
    }
    if ('result' in value) return undefined;
    if (isList(value.type.text) || isMap(value.type.text)) return 'elsewhere';
    const types = await this.#members.types(value.type);
    if (types === 'elsewhere' || types === undefined) return types;
    const found = await this.#members.of(types, name);
    return found.length > 0 ? found : undefined;
  }

  /** Primary expression, then `.name`, `(…)`, `[…]` and `!` one after the other. */
  async #valueOf(written: string, place: Place, depth: number): Promise<Value | undefined> {
    if (depth > MAX_DEPTH) return undefined;
    const expression = written.trim();
    const waits = /^await\s+/.exec(expression);
    if (waits !== null)
      return this.#awaited(await this.#valueOf(expression.slice(waits[0].length), place, depth + 1));
    const cast = /\s+(?:as|satisfies)\s+(?!const\b)(.+)$/.exec(expression);
    if (cast !== null && !/[(){}]/.test(expression.slice(0, cast.index).replace(/\([^()]*\)/g, '')))
      return { type: { text: cast[1] ?? '', facts: place.facts, inside: place.inside } };
    const loaded = /^import\(\s*['"]([^'"]+)['"]\s*\)$/.exec(expression)?.[1];
    if (loaded !== undefined) {
      const modules = this.#names.modules.of(place.facts.path, loaded, place.facts.language);
      return modules.length === 0 ? 'elsewhere' : { modules };
    }
    const made = /^new\s+((?:[\w$]+\.)*[\w$]+)/.exec(expression);
    let at: number;
    let value: Value | undefined;
    if (made !== null) {
      at = made[0].length;
      const generics = expression[at] === '<' ? expression.slice(at, closing(expression, at) + 1) : '';
      at += generics.length;
      if (expression[at] === '(') at = closing(expression, at) + 1;
      value = { type: { text: (made[1] ?? '') + generics, facts: place.facts, inside: place.inside } };
    } else if (expression.startsWith('(')) {
      const end = closing(expression, 0);
      if (/^\s*(?::[^=]*)?=>/.test(expression.slice(end + 1))) return arrowResult(expression, place);
      at = end + 1;
      value = await this.#valueOf(expression.slice(1, end), place, depth + 1);
    } else if (/^['"`[{/\d]/.test(expression)) return 'elsewhere';
    else {
      const name = /^[\w$#]+/.exec(expression)?.[0];
      if (name === undefined) return undefined;
      if (/^(?:async|function|class|typeof|yield|void|delete)$/.test(name))
        return arrowResult(expression, place);
      at = name.length;
      value = await this.#named(name, place, depth);
    }
    return this.#suffixes(expression, at, value, depth);
  }

  async #suffixes(
    expression: string,
    from: number,
    first: Value | undefined,
    depth: number,
  ): Promise<Value | undefined> {
    let value = first;
    for (let at = skipSpace(expression, from); at < expression.length; at = skipSpace(expression, at)) {
      const rest = expression.slice(at);
      const dotted = /^[!?]?\.\s*([\w$#]+)/.exec(rest);
      const character = rest[0] ?? '';
      if (dotted !== null) {
        at += dotted[0].length;
        value = value === undefined ? undefined : await this.#property(value, dotted[1] ?? '', depth);
      } else if (character === '(' || rest.startsWith('?.(')) {
        at = closing(expression, expression.indexOf('(', at)) + 1;
        value = value === undefined ? undefined : await this.#called(value, depth);
      } else if (character === '[') {
        at = closing(expression, at) + 1;
        value =
          value !== undefined && typeof value === 'object' && 'type' in value
            ? elementOf(value.type)
            : undefined;
      } else if (character === '<') at = closing(expression, at) + 1;
      else if (character === '!' && rest[1] !== '=') at++;
      else if (rest.startsWith('??') || rest.startsWith('||')) return value;
      else return undefined;
      if (value === 'elsewhere' || value === undefined) return value;
    }
    return value;
  }

  async #named(name: string, place: Place, depth: number): Promise<Value | undefined> {
    const { facts, inside } = place;
    if (name === 'this') {
      const around = typeAround(facts, inside);
      return around === undefined ? undefined : { symbols: [around] };
    }
    const variable = variableAt(facts.text, name, place.offset, startOf(facts, inside));
    if (variable !== undefined) return this.#declared(variable, place, depth);
    const meaning: Meaning | undefined = await this.#names.meaning(facts, name, inside, place.offset);
    if (meaning === undefined) return name in globalThis ? 'elsewhere' : undefined;
    if (meaning === 'elsewhere' || 'modules' in meaning) return meaning;
    return this.#symbolValue(meaning.symbols, depth);
  }

  /** What a declaration gives a name. */
  async #declared(variable: VariableDeclaration, place: Place, depth: number): Promise<Value | undefined> {
    const { facts, inside } = place;
    const there = { ...place, offset: variable.offset };
    if ('type' in variable)
      return this.#dug({ type: { text: variable.type, facts, inside } }, variable.properties, depth);
    if ('value' in variable)
      return this.#dug(await this.#valueOf(variable.value, there, depth + 1), variable.properties, depth);
    if (!('each' in variable)) return undefined;
    const list = await this.#valueOf(variable.each, there, depth + 1);
    const isTyped = list !== undefined && list !== 'elsewhere' && 'type' in list;
    return this.#dug(isTyped ? elementOf(list.type) : undefined, variable.properties, depth);
  }

  /** What is taken out of a value by a pattern such as `{ a: { b } }`. */
  async #dug(
    first: Value | undefined,
    properties: readonly string[],
    depth: number,
  ): Promise<Value | undefined> {
    let value = first;
    for (const property of properties) {
      if (value === undefined || value === 'elsewhere') return value;
      value = await this.#property(value, property, depth + 1);
    }
    return value;
  }

  async #property(value: Value, name: string, depth: number): Promise<Value | undefined> {
    if (value !== 'elsewhere' && 'type' in value) {
      const { text } = value.type;
      if (isList(text)) {
        if (ELEMENT.test(name)) return { result: elementOf(value.type)?.type };
        return SAME_LIST.test(name) ? { result: value.type } : 'elsewhere';
      }
      if (isMap(text)) {
        const element = mapValue(value.type);
        if (name === 'get') return { result: element?.type };
        if (name === 'values' && element !== undefined)
          return { result: { ...element.type, text: `Array<${element.type.text}>` } };
        return /^Record/.test(text) ? element : 'elsewhere';
      }
    }
    const found = await this.#memberOf(value, name);
    if (found === undefined || found === 'elsewhere') return found;
    return this.#symbolValue(found, depth);
  }

  async #symbolValue(symbols: readonly SymbolRow[], depth: number): Promise<Value | undefined> {
    const [first] = symbols;
    if (first === undefined || depth > MAX_DEPTH) return undefined;
    if (isType(first)) return { symbols };
    return this.#definedValue(first, depth + 1);
  }

  async #called(value: Value, depth: number): Promise<Value | undefined> {
    if (value === 'elsewhere') return value;
    if ('result' in value) return value.result === undefined ? undefined : { type: value.result };
    if ('symbols' in value) {
      const [first] = value.symbols;
      return first === undefined || isType(first)
        ? undefined
        : this.#called((await this.#definedValue(first, depth + 1)) ?? 'elsewhere', depth + 1);
    }
    if ('type' in value) {
      const result = resultOf(value.type);
      return result === undefined ? undefined : { type: result };
    }
    return undefined;
  }

  #awaited(value: Value | undefined): Value | undefined {
    if (value === undefined || value === 'elsewhere' || !('type' in value)) return value;
    const inner = /^(?:Promise|PromiseLike|Awaited)\s*</.test(value.type.text)
      ? argument(value.type, 0)
      : undefined;
    return inner === undefined ? value : { type: inner };
  }

  async #definedValue(definition: SymbolRow, depth: number): Promise<Value | undefined> {
    const facts = await this.#files.facts(definition.path);
    if (facts.text === '' || depth > MAX_DEPTH) return undefined;
    const said = writtenValue(definition, facts);
    if (said === undefined || !('expression' in said)) return said;
    const { expression, offset } = said;
    return this.#valueOf(expression, { facts, offset, inside: definition.nr }, depth + 1);
  }
}
