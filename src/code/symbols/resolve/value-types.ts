import type { SymbolRow } from '../symbol-rows.ts';
import { CallResults } from './call-results.ts';
import { ExpressionForms } from './expression-forms.ts';
import { castOf, conditional, unwrapped } from './expression-text.ts';
import { awaited, type Place, typeIn, type Value } from './expression-value.ts';
import { FunctionShapes } from './function-shapes.ts';
import { ListElements } from './list-elements.ts';
import type { MemberLookup } from './member-lookup.ts';
import type { Meaning, NameLookup } from './name-lookup.ts';
import { isType, type QuestionFiles } from './question-files.ts';
import { isGlobal } from './script-globals.ts';
import { TypeChoices } from './type-choices.ts';
import { partsWith } from './type-operators.ts';
import { type Bound, rowsOf, type TypeRef } from './type-parameters.ts';
import { inlineFields, inlineMember, isList, isMap, startOf, typeAround } from './type-shapes.ts';
import { closing, skipSpace, splitType } from './type-text.ts';
import {
  type ContextualParameter,
  placeIn,
  placeName,
  type VariableDeclaration,
  variableAt,
} from './variable-declaration.ts';
import { writtenValue } from './written-values.ts';

type Members = readonly SymbolRow[] | 'elsewhere' | undefined;

const MAX_DEPTH = 12;
/** Follows expressions of TypeScript and JavaScript to types that are written down. */
export class ValueTypes {
  readonly #files: QuestionFiles;
  readonly #names: NameLookup;
  readonly #members: MemberLookup;
  readonly calls: CallResults;
  readonly #forms: ExpressionForms;
  readonly shapes: FunctionShapes;
  readonly lists: ListElements;
  readonly choices: TypeChoices;
  readonly #known = new Map<string, Value>();
  /** The type of a parameter that only the use of its function reveals. */
  parameter: (parameter: ContextualParameter, place: Place, depth: number) => Promise<TypeRef | undefined> =
    async () => undefined;

  constructor(files: QuestionFiles, names: NameLookup, members: MemberLookup) {
    this.#files = files;
    this.#names = names;
    this.#members = members;
    this.shapes = new FunctionShapes(files, members);
    this.lists = new ListElements(files, members);
    this.choices = new TypeChoices(files, members);
    this.calls = new CallResults(this, members);
    this.#forms = new ExpressionForms(this, members);
    members.derived = (type, depth) => this.calls.derived(type, depth);
  }

  /** The definitions of a member of an expression; 'elsewhere' if it is not from the tree. */
  async member(expression: string, name: string, place: Place, depth = 0): Promise<Members> {
    const value = await this.valueOf(expression, place, depth);
    return value === undefined ? undefined : rowsOf(await this.#memberOf(value, name));
  }

  /** The declared types of a definition's value, or of its result. */
  async typeOf(definition: SymbolRow): Promise<TypeRef | undefined> {
    const value = await this.#definedValue([{ symbol: definition }], 0);
    if (value === undefined || value === 'elsewhere') return undefined;
    if ('type' in value) return value.type;
    return 'callable' in value ? (await this.shapes.ofDefinition({ symbol: definition }))?.result : undefined;
  }

  /** The members of a written type with a name. */
  async membersOfType(type: TypeRef, name: string): Promise<readonly Bound[] | 'elsewhere' | undefined> {
    return this.#memberOf({ type }, name);
  }

  /** The definitions of the member that a pattern takes out under a name. */
  async taken(declaration: VariableDeclaration, name: string, place: Place): Promise<Members> {
    const properties = declaration.properties.slice(0, -1);
    const around = await this.#declared({ ...declaration, properties }, place, 0);
    if (around === undefined) return undefined;
    return rowsOf(await this.#memberOf(around, declaration.properties.at(-1) ?? name));
  }

  /** The type of an expression, if it is written somewhere. */
  async expressionType(expression: string, place: Place, depth = 0): Promise<TypeRef | undefined> {
    return typeIn(await this.valueOf(expression, place, depth));
  }

  /** The type of a property of a type. */
  async propertyType(type: TypeRef, name: string, depth = 0): Promise<TypeRef | undefined> {
    return typeIn(await this.#property({ type }, name, depth));
  }

  async #memberOf(value: Value, name: string): Promise<readonly Bound[] | 'elsewhere' | undefined> {
    if (value === 'elsewhere') return value;
    if ('modules' in value) {
      const [path = ''] = value.modules;
      const found = await this.#names.exported(path, name);
      if (found === undefined || found === 'elsewhere') return 'elsewhere';
      return 'symbols' in found ? found.symbols.map((symbol) => ({ symbol })) : undefined;
    }
    if ('result' in value || 'callable' in value || 'written' in value) {
      if (!('callable' in value)) return undefined;
      // What a function contains is not a member of it; what is assigned to it is.
      const found = (await this.#members.ofBound(value.callable, name)).filter(
        ({ symbol }) => isType(symbol) || symbol.kind === 'method' || symbol.kind === 'field',
      );
      return found.length > 0 ? found : undefined;
    }
    if ('type' in value && (isList(value.type.text) || isMap(value.type.text))) return 'elsewhere';
    if ('type' in value && inlineMember(value.type, name) !== undefined)
      return inlineFields(value.type, name) ?? 'elsewhere';
    if ('symbols' in value && value.own?.has(name)) return 'elsewhere';
    const types = 'symbols' in value ? value.symbols : await this.#members.types(partsWith(value.type, name));
    if (types === 'elsewhere' || types === undefined) return types;
    const found = await this.#members.ofBound(types, name);
    return found.length > 0 ? found : undefined;
  }

  /** Primary expression, then `.name`, `(…)`, `[…]` and `!` one after the other. */
  async valueOf(written: string, place: Place, depth: number): Promise<Value | undefined> {
    if (depth > MAX_DEPTH) return undefined;
    const expression = unwrapped(written.trim());
    const { facts, inside } = place;
    const waits = /^await\s+/.exec(expression);
    if (waits !== null)
      return awaited(await this.valueOf(expression.slice(waits[0].length), place, depth + 1));
    const cast = castOf(expression);
    if (cast !== undefined) return { type: { text: cast, facts, inside } };
    const either = conditional(expression);
    if (either !== undefined) return this.#forms.either(either, place, depth);
    const loaded = /^import\(\s*['"]([^'"]+)['"]\s*\)$/.exec(expression)?.[1];
    if (loaded !== undefined) {
      const modules = this.#files.modules.of(facts.path, loaded, facts.language);
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
      value = { type: { text: (made[1] ?? '') + generics, facts, inside } };
    } else if (expression.startsWith('(')) {
      const end = closing(expression, 0);
      if (/^\s*(?::[^=]*)?=>/.test(expression.slice(end + 1))) return { written: expression, place };
      at = end + 1;
      value = await this.valueOf(expression.slice(1, end), place, depth + 1);
    } else if (/^<[^=]*>\s*\(/.test(expression)) return { written: expression, place };
    else if (/^\[\s*\.\.\./.test(expression)) {
      at = closing(expression, 0) + 1;
      const [first = ''] = splitType(expression.slice(1, at - 1), ',');
      value = await this.lists.copied(
        await this.valueOf(first.replace(/^\.\.\./, ''), place, depth + 1),
        depth,
      );
    } else if (/^\{\s*\.\.\./.test(expression)) return this.#forms.spread(expression, place, depth);
    else if (/^['"`[{/\d]/.test(expression)) return 'elsewhere';
    else {
      const name = /^[\w$#]+/.exec(expression)?.[0];
      if (name === undefined) return undefined;
      if (/^(?:async|function)$/.test(name)) return { written: expression, place };
      if (/^(?:class|typeof|yield|void|delete)$/.test(name)) return undefined;
      at = name.length;
      value = await this.#named(name, place, depth);
    }
    return this.#suffixes(expression, at, value, place, depth);
  }

  async #suffixes(
    expression: string,
    from: number,
    first: Value | undefined,
    place: Place,
    depth: number,
  ): Promise<Value | undefined> {
    let value = first;
    let types = '';
    for (let at = skipSpace(expression, from); at < expression.length; at = skipSpace(expression, at)) {
      const rest = expression.slice(at);
      const dotted = /^[!?]?\.\s*([\w$#]+)/.exec(rest);
      const character = rest[0] ?? '';
      if (value === undefined) return undefined;
      if (dotted !== null) {
        at += dotted[0].length;
        const property = await this.#property(value, dotted[1] ?? '', depth);
        value = await this.#forms.tested(property, expression.slice(0, at), place, depth);
      } else if (character === '(' || rest.startsWith('?.(')) {
        const open = expression.indexOf('(', at);
        at = closing(expression, open) + 1;
        value = await this.calls.of(
          value,
          { types, values: expression.slice(open + 1, at - 1), place },
          depth,
        );
        types = '';
      } else if (character === '[') {
        const key = /^\[\s*['"]([\w$]+)['"]\s*\]/.exec(rest)?.[1];
        at = closing(expression, at) + 1;
        if (key !== undefined) value = await this.#property(value, key, depth);
        else value = await this.lists.at(value, placeName(0), depth);
      } else if (character === '<') {
        const end = closing(expression, at) + 1;
        types = expression.slice(at + 1, end - 1);
        at = end;
      } else if (character === '!' && rest[1] !== '=') at++;
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
      return around === undefined ? undefined : { symbols: [{ symbol: around }] };
    }
    const guarded = await this.#forms.guarded(name, place, depth);
    if (guarded !== undefined) return guarded;
    const variable = variableAt(facts, name, place.offset, startOf(facts, inside));
    if (variable !== undefined)
      return this.#forms.narrowed(await this.#declared(variable, place, depth), name, place);
    const meaning: Meaning | undefined = await this.#names.meaning(facts, name, inside, place.offset);
    if (meaning === undefined) return isGlobal(name) ? 'elsewhere' : undefined;
    if (meaning === 'elsewhere' || 'modules' in meaning) return meaning;
    return this.#symbolValue(
      meaning.symbols.map((symbol) => ({ symbol })),
      depth,
    );
  }

  /** The value that a declaration gives a name; kept, because many uses share it. */
  async #declared(variable: VariableDeclaration, place: Place, depth: number): Promise<Value | undefined> {
    const key = `${place.facts.path}\0${place.inside}\0${variable.offset}\0${variable.properties.join()}`;
    const value = this.#known.get(key) ?? (await this.#given(variable, place, depth));
    // A value that was too deep may be found from elsewhere.
    if (value !== undefined) this.#known.set(key, value);
    return value;
  }

  async #given(variable: VariableDeclaration, place: Place, depth: number): Promise<Value | undefined> {
    const { facts, inside } = place;
    const there = { ...place, offset: variable.offset };
    let value: Value | undefined;
    if ('type' in variable) value = { type: { text: variable.type, facts, inside } };
    else if ('value' in variable) value = await this.valueOf(variable.value, there, depth + 1);
    else if ('each' in variable) {
      const list = typeIn(await this.valueOf(variable.each, there, depth + 1));
      value = list === undefined ? undefined : await this.lists.each(list, variable.properties, depth);
    } else if ('parameter' in variable) {
      const type = await this.parameter(variable.parameter, there, depth + 1);
      value = type === undefined ? undefined : { type };
    }
    // Values that a pattern such as `{ a: { b } }` takes out.
    for (const property of variable.properties) {
      if (value === undefined || value === 'elsewhere') return value;
      value =
        placeIn(property) === undefined
          ? await this.#property(value, property, depth + 1)
          : await this.lists.at(value, property, depth);
    }
    return value;
  }

  async #property(value: Value, name: string, depth: number): Promise<Value | undefined> {
    const type = typeIn(value);
    const listed = type === undefined ? undefined : await this.lists.property(type, name, depth);
    if (listed !== undefined) return listed.value;
    const inline = type === undefined ? undefined : inlineMember(type, name);
    if (inline !== undefined) return { type: inline };
    const found = await this.#memberOf(value, name);
    const entry = found === undefined && type !== undefined ? await this.lists.entry(type, depth) : undefined;
    if (entry !== undefined) return { type: entry };
    return found === undefined || found === 'elsewhere' ? found : this.#symbolValue(found, depth);
  }

  async #symbolValue(symbols: readonly Bound[], depth: number): Promise<Value | undefined> {
    const [first] = symbols;
    if (first === undefined || depth > MAX_DEPTH) return undefined;
    // A type and a constant may share a name; the constant is the value.
    const values = symbols.filter(({ symbol }) => !isType(symbol));
    return values.length === 0 ? { symbols } : this.#definedValue(values, depth + 1);
  }

  async #definedValue(definitions: readonly Bound[], depth: number): Promise<Value | undefined> {
    const [first] = definitions;
    if (first === undefined) return undefined;
    const { symbol, bindings } = first;
    const facts = await this.#files.facts(symbol.path);
    if (facts.text === '' || depth > MAX_DEPTH) return undefined;
    const said = writtenValue(symbol, facts);
    if (said === undefined) return undefined;
    if ('type' in said) return { type: { ...said.type, bindings } };
    if ('isFunction' in said) return { callable: definitions };
    return this.valueOf(said.expression, { facts, offset: said.offset, inside: symbol.nr }, depth + 1);
  }
}
