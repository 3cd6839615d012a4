import { posix } from 'node:path';
import { languageOf } from '../../languages.ts';
import { qualifiedName } from '../qualified-names.ts';
import type { SymbolRow } from '../symbol-rows.ts';
import type { NameLookup } from './name-lookup.ts';
import { type FileFacts, isScript, isType, type QuestionFiles } from './question-files.ts';
import { DERIVED, leavesOut, outcomes, SAME_MEMBERS } from './type-operators.ts';
import {
  type Bindings,
  type Bound,
  bind,
  type TypeRef,
  typeArguments,
  typeParameterAt,
} from './type-parameters.ts';
import { typeAround } from './type-shapes.ts';
import { closing, splitType } from './type-text.ts';
import { headEnd, heritage } from './written-bases.ts';

/** A type that another one extends, as written, and what it means there. */
interface BaseType {
  readonly written: TypeRef;
  readonly types: readonly Bound[];
  readonly isImplemented: boolean;
}

const MAX_BASES = 40;
const MAX_DEPTH = 12;
/** A unique key for a definition. */
export function keyOf({ path, nr }: Pick<SymbolRow, 'path' | 'nr'>): string {
  return `${path}\0${nr}`;
}

/** Finds types, what they extend, and their members. */
export class MemberLookup {
  readonly #files: QuestionFiles;
  readonly #names: NameLookup;
  readonly #bases = new Map<string, Promise<readonly BaseType[]>>();
  /** What `typeof x`, `X['y']` and so on stand for: finding that takes more than names. */
  derived: (type: TypeRef, depth: number) => Promise<TypeRef | readonly Bound[] | undefined> = async () =>
    undefined;

  constructor(files: QuestionFiles, names: NameLookup) {
    this.#files = files;
    this.#names = names;
  }

  /** The definitions of a written type; 'elsewhere' if it is not from the tree, undefined if that is not known. */
  async types(type: TypeRef, depth = 0): Promise<readonly Bound[] | 'elsewhere' | undefined> {
    if (depth > MAX_DEPTH) return undefined;
    const bare = type.text.replace(/^(?:readonly|unique|asserts|infer)\s+/, '').trim();
    const either = outcomes(bare);
    const parts = (either.length > 0 ? either : splitType(bare, '|&')).filter(
      (part) => !/^(?:undefined|null|void|never)$/.test(part),
    );
    if (parts.length > 1) {
      const all = await Promise.all(parts.map((text) => this.types({ ...type, text }, depth + 1)));
      const found = all.flatMap((each) => (Array.isArray(each) ? each : []));
      return found.length > 0 ? found : all.every((each) => each === 'elsewhere') ? 'elsewhere' : undefined;
    }
    const [only = ''] = parts;
    if (only.startsWith('(')) {
      const end = closing(only, 0);
      return end === only.length - 1
        ? this.types({ ...type, text: only.slice(1, -1) }, depth + 1)
        : 'elsewhere';
    }
    if (/\[\]$/.test(only) || /^(?:['"`[\d]|keyof\b)/.test(only)) return 'elsewhere';
    // A mapped type has the members of the type that it maps over.
    const mapped =
      /^\{\s*(?:readonly\s+|[+-]readonly\s+)?\[[\w$]+\s+in\s+keyof\s+([^\]]+?)(?:\s+as\s[^\]]*)?\]/.exec(
        only,
      )?.[1];
    if (mapped !== undefined) return this.types({ ...type, text: mapped }, depth + 1);
    const derived = DERIVED.test(only) ? await this.derived({ ...type, text: only }, depth) : undefined;
    if (derived !== undefined) return 'text' in derived ? this.types(derived, depth + 1) : derived;
    const name = /^[*&\s]*((?:[\w$]+\s*(?:\.|::)\s*)*[\w$]+)/.exec(only)?.[1];
    if (name === undefined) return undefined;
    const rest = only.slice(only.indexOf(name) + name.length);
    if (SAME_MEMBERS.test(name) && rest.startsWith('<')) {
      const [first = ''] = splitType(rest.slice(1, closing(rest, 0)), ',');
      const inner = { ...type, text: first };
      const waited = name === 'Awaited' && DERIVED.test(first) ? await this.derived(inner, depth) : undefined;
      if (waited !== undefined && 'text' in waited)
        return this.types(
          { ...waited, text: waited.text.replace(/^Promise\s*<([\s\S]*)>$/, '$1') },
          depth + 1,
        );
      return this.types(inner, depth + 1);
    }
    if (DERIVED.test(only)) return undefined;
    return this.#bound(name, { ...type, text: only }, depth);
  }

  /** A name that may be a type parameter. */
  async #bound(
    name: string,
    type: TypeRef,
    depth: number,
  ): Promise<readonly Bound[] | 'elsewhere' | undefined> {
    const { facts, inside, bindings } = type;
    if (name === 'this') {
      const around = typeAround(facts, inside);
      return around === undefined ? undefined : [{ symbol: around, bindings }];
    }
    const given = bindings?.get(name);
    if (given !== undefined) return this.types(given, depth + 1);
    const parameter = typeParameterAt(facts, name, inside);
    if (parameter !== undefined) {
      const { otherwise: text } = parameter;
      return text === undefined
        ? undefined
        : this.types({ text, facts, inside: parameter.inside, bindings }, depth + 1);
    }
    const found = await this.named(facts, name, inside);
    if (found === undefined || found === 'elsewhere') return found;
    const written = typeArguments(type);
    return Promise.all(
      found.map(async (symbol) => ({
        symbol,
        bindings: bind(symbol, await this.#files.facts(symbol.path), written),
      })),
    );
  }

  /** The types with a name, which may be qualified. */
  async named(
    facts: FileFacts,
    name: string,
    inside: number | undefined,
  ): Promise<readonly SymbolRow[] | 'elsewhere' | undefined> {
    const [first = '', ...rest] = name.split(/\s*(?:\.|::)\s*/);
    if (/^(?:any|unknown|object|dynamic|auto|id)$/.test(first)) return undefined;
    let meaning = await this.#names.meaning(facts, first, inside);
    for (const part of rest) {
      if (meaning === undefined || meaning === 'elsewhere') return meaning;
      if ('modules' in meaning) {
        const [path = ''] = meaning.modules;
        meaning = await this.#names.exported(path, part);
      } else meaning = { symbols: await this.of(meaning.symbols, part) };
    }
    if (meaning === undefined) return /^[A-Z][A-Z\d]?$|^T[A-Z]/.test(first) ? undefined : 'elsewhere';
    if (meaning === 'elsewhere') return meaning;
    return 'modules' in meaning ? undefined : meaning.symbols;
  }

  /** Members of types with a name, their own before those of their bases. */
  async of(types: readonly SymbolRow[], name: string): Promise<readonly SymbolRow[]> {
    return (await this.ofBound(types.map(unbound), name)).map(({ symbol }) => symbol);
  }

  /** The same, with what type parameters stand for in them. */
  async ofBound(
    types: readonly Bound[],
    name: string,
    seen: Set<string> = new Set(),
  ): Promise<readonly Bound[]> {
    let level = types;
    /** Interfaces of classes: they only say that there is such a member, so they come last. */
    let implemented: Bound[] = [];
    while (level.length + implemented.length > 0 && seen.size < MAX_BASES) {
      if (level.length === 0) [level, implemented] = [implemented, []];
      const found: Bound[] = [];
      const above: Bound[] = [];
      for (const { symbol, bindings } of level) {
        if (seen.has(keyOf(symbol))) continue;
        seen.add(keyOf(symbol));
        found.push(...(await this.#own(symbol, name)).map((member) => ({ symbol: member, bindings })));
        for (const base of await this.#basesOf(symbol)) {
          if (leavesOut(base.written.text, name)) continue;
          const bases = await this.#boundBase(base, bindings);
          // All parts of `A & { b: string }` have their members at the same time.
          if (isAlias(symbol)) found.push(...(await this.ofBound(bases, name, seen)));
          else (base.isImplemented ? implemented : above).push(...bases);
        }
      }
      if (found.length > 0) return found;
      level = above;
    }
    return [];
  }

  /** A type with everything that it extends or implements, as keys. */
  async ancestors(type: SymbolRow): Promise<ReadonlySet<string>> {
    const seen = new Set<string>();
    const open = [type];
    for (let next = open.pop(); next !== undefined && seen.size < MAX_BASES; next = open.pop()) {
      if (seen.has(keyOf(next))) continue;
      seen.add(keyOf(next));
      open.push(...(await this.bases(next)));
    }
    return seen;
  }

  /** What a type extends or implements directly, as far as it is in the tree; with `member`, only what provides it. */
  async bases(type: SymbolRow, member?: string): Promise<readonly SymbolRow[]> {
    return (await this.#basesOf(type)).flatMap(({ written, types }) =>
      member !== undefined && leavesOut(written.text, member) ? [] : types.map(({ symbol }) => symbol),
    );
  }

  #basesOf(type: SymbolRow): Promise<readonly BaseType[]> {
    const key = keyOf(type);
    const known = this.#bases.get(key);
    if (known !== undefined) return known;
    const found = this.#findBases(type);
    this.#bases.set(key, found);
    return found;
  }

  /** A base whose type arguments name type parameters of what extends it. */
  async #boundBase({ written, types }: BaseType, bindings: Bindings | undefined): Promise<readonly Bound[]> {
    if (bindings === undefined || bindings.size === 0 || !/[<|&[]|^[A-Z]\w?$|^T[A-Z]/.test(written.text))
      return types;
    const found = await this.types({ ...written, bindings }, 1);
    if (Array.isArray(found)) return found;
    // A type in braces that is given for a type parameter is not what the parameter extends.
    return bindings.get(written.text.trim())?.text.startsWith('{') ? [] : types;
  }

  /** The type that a member belongs to. */
  async owner(member: SymbolRow): Promise<readonly SymbolRow[]> {
    const facts = await this.#files.facts(member.path);
    const parent = member.parent === undefined ? undefined : facts.definitions[member.parent];
    if (parent !== undefined && isType(parent)) return isInBody(member, parent, facts) ? [parent] : [];
    const owner = ownerName(member, parent);
    if (owner === undefined) return [];
    const found = await this.named(facts, owner, member.parent);
    return Array.isArray(found) ? found.filter(isType) : [];
  }

  async #own(type: SymbolRow, name: string): Promise<readonly SymbolRow[]> {
    const facts = await this.#files.facts(type.path);
    const inside = facts.definitions.filter(
      (each) => each.name === name && each.parent === type.nr && isInBody(each, type, facts),
    );
    if (inside.length > 0 || !/^(?:go|rust|cpp|c|cuda|swift|kotlin|ruby|csharp)$/.test(facts.language))
      return inside;
    // Members that are written outside their type.
    const apart = (await this.#files.ownedBy(type.name, name)).filter((each) => keyOf(each) !== keyOf(type));
    if (facts.language !== 'go') return apart;
    // The methods of a type are in its package, which is a folder.
    return apart.filter(({ path }) => posix.dirname(path) === posix.dirname(type.path));
  }

  async #findBases(type: SymbolRow): Promise<readonly BaseType[]> {
    const facts = await this.#files.facts(type.path);
    const found: BaseType[] = [];
    for (const { text, isImplemented } of heritage(type, facts)) {
      const written = { text, facts, inside: isScript(facts.language) ? type.nr : type.parent };
      const types = await this.types(written);
      // A base that is only a type parameter here is a type where one is given.
      const known = types === undefined || types === 'elsewhere' ? [] : types;
      const others = known.filter(({ symbol }) => keyOf(symbol) !== keyOf(type));
      found.push({ written, types: others, isImplemented });
    }
    return found;
  }
}

/** Whether a member is in the body of a type, not in `extends Base<{ member: string }>`. */
function isInBody({ line, column }: SymbolRow, type: SymbolRow, facts: FileFacts): boolean {
  return !isScript(facts.language) || facts.offset(line, column) > headEnd(type, facts);
}

/** The type that a definition written elsewhere names as its owner. */
function ownerName({ scope }: SymbolRow, parent: SymbolRow | undefined): string | undefined {
  const around = parent === undefined ? '' : qualifiedName(parent);
  const owner = scope.slice(around === '' ? 0 : around.length + 1);
  return scope === around || owner === '' ? undefined : owner;
}

/** Whether a type is only another name of what is written for it. */
export function isAlias({ kind, path }: SymbolRow): boolean {
  return kind === 'type' && isScript(languageOf(path) ?? '');
}

const unbound = (symbol: SymbolRow): Bound => ({ symbol });
