import { posix } from 'node:path';
import { languageOf } from '../../languages.ts';
import type { SymbolIndex } from '../symbol-index.ts';
import type { ReferenceRow, SymbolRow } from '../symbol-rows.ts';
import { isCommonMember } from './common-members.ts';
import { isAlias, keyOf } from './member-lookup.ts';
import { blockAround, familyOf } from './name-lookup.ts';
import { isMember, isScript, isType, type QuestionFiles } from './question-files.ts';
import { ReferenceLookup, type Target } from './reference-lookup.ts';
import { forgetParts } from './type-text.ts';
import { extendsNothing } from './written-bases.ts';

/** The uses of a definition: those that mean it, and those that may. */
export interface FoundReferences {
  readonly certain: readonly ReferenceRow[];
  readonly possible: readonly ReferenceRow[];
}

/**
 * If a name is defined several times, at most this many uses are followed; the others may mean any of the definitions.
 */
const MAX_FOLLOWED_USES = 300;
/** If a name may mean more definitions than this, naming them says nothing. */
const MAX_CANDIDATES = 3;

/** How many levels of bases are followed to find what declares a member. */
const MAX_BASE_LEVELS = 8;

/** Finds the uses of definitions. */
export class SymbolReferences {
  readonly #index: SymbolIndex;
  readonly #files: QuestionFiles;
  readonly lookup: ReferenceLookup;

  constructor(index: SymbolIndex, files: QuestionFiles) {
    this.#index = index;
    this.#files = files;
    this.lookup = new ReferenceLookup(files);
    forgetParts();
  }

  async of(definition: SymbolRow): Promise<FoundReferences> {
    const { rows } = this.#index;
    const { name } = definition;
    const same = await this.#sameSymbol(definition);
    const keys = new Set(same.map(keyOf));
    const others = (await this.#files.named(name)).filter((each) => !keys.has(keyOf(each)));
    const rivals = others.filter((each) => isReachedLike(each, definition));
    const certain: ReferenceRow[] = [];
    const possible: ReferenceRow[] = [];
    const references = [...(await rows.referencesNamed(name)), ...(await this.#renamed(definition, keys))];
    const [looked, left] = rivals.length === 0 ? [references, []] : nearest(references, definition);
    for (const reference of looked) {
      const target = await this.lookup.target(reference);
      if (Array.isArray(target)) {
        if (target.some((each) => keys.has(keyOf(each))) && isMeant(reference, definition, target))
          certain.push(reference);
      } else if (target === undefined) {
        const guess = await this.#guess(reference, definition, rivals.length);
        if (guess === 'certain') certain.push(reference);
        else if (guess === 'possible') possible.push(reference);
      }
    }
    for (const reference of left)
      if ((await this.#guess(reference, definition, rivals.length)) !== 'none') possible.push(reference);
    return { certain: unique(certain), possible: unique(possible).sort(byPlace) };
  }

  /** What one reference means; a name that only one member has means that member. */
  async target(reference: ReferenceRow): Promise<Target> {
    const target = await this.lookup.target(reference);
    if (target !== undefined) return target;
    const [only, ...others] = (await this.#files.named(reference.name)).filter(
      (each) => isReceived(each) === (reference.receiver !== undefined),
    );
    if (only === undefined || (await this.#guess(reference, only, others.length)) !== 'certain')
      return undefined;
    return [only];
  }

  /**
   * What an unresolved reference may mean: definitions with its name that are reached the same way. A name that types
   * of other programs have too says something only in the file of its definition.
   */
  async candidates(reference: ReferenceRow): Promise<readonly SymbolRow[]> {
    const { name, path, receiver } = reference;
    const isNear = (each: SymbolRow): boolean =>
      each.path === path ||
      (!isCommonMember(name) && !isCommonMember(name.toLowerCase()) && isSameFamily(each.path, path));
    const found = (await this.#files.named(name)).filter(
      (each) =>
        isReceived(each) === (receiver !== undefined) && !each.isPrototype && !each.isTest && isNear(each),
    );
    return found.length > MAX_CANDIDATES ? [] : found;
  }

  async #guess(
    reference: ReferenceRow,
    definition: SymbolRow,
    rivals: number,
  ): Promise<'certain' | 'possible' | 'none'> {
    const { receiver, kind, name } = reference;
    if (receiver === undefined)
      return rivals === 0 && !isMember(definition) && kind !== 'import' ? 'possible' : 'none';
    if (!isReceived(definition))
      return (await this.lookup.isBehindModule(reference)) && isInModule(definition) ? 'possible' : 'none';
    const isTelling = !isCommonMember(name) && !isPlainField(definition);
    const isOnly = rivals === 0 && isTelling && !(await this.lookup.isKey(reference));
    return isOnly ? 'certain' : 'possible';
  }

  /** Definitions that are the same thing: overloads, prototypes, and members of types that extend each other. */
  async #sameSymbol(definition: SymbolRow): Promise<readonly SymbolRow[]> {
    const named = await this.#files.named(definition.name);
    if (!isReceived(definition)) {
      const facts = await this.#files.facts(definition.path);
      const block = () => blockAround(definition, facts).from;
      return named.filter(
        (each) =>
          keyOf(each) === keyOf(definition) ||
          (each.path === definition.path &&
            each.parent === definition.parent &&
            isMacro(each) === isMacro(definition) &&
            blockAround(each, facts).from === block()) ||
          (isLinked(each, definition) && (each.isPrototype || definition.isPrototype)),
      );
    }
    // Go types do not say what they extend or implement.
    if (definition.path.endsWith('.go'))
      return named.filter((each) => each.scope === definition.scope && isBeside(each, definition));
    // A private member has nothing to do with the one of its base.
    if (definition.name.startsWith('#'))
      return named.filter(({ path, parent }) => path === definition.path && parent === definition.parent);
    // As the compiler has it: two members are the same if their types, or bases that declare the member too, meet. What
    // only meets through a third member is something else.
    const asked = await this.#ownerTypes(definition);
    // Most types extend nothing, and reading their files would only show that.
    const heads = await this.#index.rows.headsAround(definition.name);
    const apart = new Set(heads.filter(extendsNothing).map(keyOf));
    const same: SymbolRow[] = [];
    for (const member of named.filter(isReceived)) {
      const owner = member.parent === undefined ? '' : keyOf({ path: member.path, nr: member.parent });
      if (apart.has(owner) && !asked.has(owner)) continue;
      if (keyOf(member) === keyOf(definition) || isAnyIn(await this.#ownerTypes(member), asked))
        same.push(member);
    }
    return same;
  }

  /** The types that a member belongs to, as keys: its owner, and all bases of the owner that have it too. */
  async #ownerTypes(member: SymbolRow, level = 0): Promise<ReadonlySet<string>> {
    const { members } = this.lookup;
    const owners = [...(await members.owner(member)), ...(await this.#writtenOwners(member))];
    const found = new Set(owners.map(keyOf));
    for (const owner of level < MAX_BASE_LEVELS ? owners : []) {
      // `{ b: string }` in `A & { b: string }` does not extend A.
      if (isAlias(owner)) continue;
      for (const base of await members.bases(owner, member.name))
        for (const inherited of await members.of([base], member.name))
          for (const type of await this.#ownerTypes(inherited, level + 1)) found.add(type);
    }
    return found;
  }

  /** A function in an object belongs to the declared type of the object. */
  async #writtenOwners(member: SymbolRow): Promise<readonly SymbolRow[]> {
    if (member.parent === undefined) return [];
    const facts = await this.#files.facts(member.path);
    const parent = facts.definitions[member.parent];
    if (parent === undefined || isType(parent)) return [];
    const type = await this.lookup.values.typeOf(parent);
    if (type === undefined) return [];
    const text = type.text.replace(/^Promise\s*<([\s\S]*)>$/, '$1');
    const types = await this.lookup.members.types({ ...type, text });
    return types === undefined || types === 'elsewhere' ? [] : types.map(({ symbol }) => symbol);
  }

  /** Uses under another name that an import gives it. */
  async #renamed(definition: SymbolRow, keys: ReadonlySet<string>): Promise<readonly ReferenceRow[]> {
    const { rows } = this.#index;
    const found: ReferenceRow[] = [];
    const imports = [...(await rows.importsOf(definition.name)), ...(await rows.importsOf('default'))];
    for (const row of imports) {
      if (row.name === definition.name || row.name === '*') continue;
      const facts = await this.#files.facts(row.path);
      const meaning = await this.lookup.names.imported(facts, row);
      if (meaning === 'elsewhere' || !('symbols' in meaning)) continue;
      if (!meaning.symbols.some((each) => keys.has(keyOf(each)))) continue;
      for (const reference of await rows.referencesNamed(row.name))
        if (reference.path === row.path) found.push(reference);
    }
    return found;
  }
}

/** A field of TypeScript with a name of one word, such as `shape`: objects whose type has no name have it too. */
function isPlainField({ kind, name, path }: SymbolRow): boolean {
  return kind === 'field' && isScript(languageOf(path) ?? '') && !/^#|[^\p{Lu}_]\p{Lu}|_|\d/u.test(name);
}

/** In Rust a macro and a function with one name are two things. */
function isMacro({ kind, path }: SymbolRow): boolean {
  return kind === 'macro' && path.endsWith('.rs');
}

/** Whether a definition is used with a receiver. */
function isReceived(definition: SymbolRow): boolean {
  return isMember(definition) || (definition.kind === 'constant' && definition.parent !== undefined);
}

/** Whether a definition may be used with the name of its module before it. */
function isInModule({ kind }: SymbolRow): boolean {
  return kind === 'function' || kind === 'macro' || kind === 'constant' || isType({ kind });
}

const TYPES_ONLY = /^(?:interface|type)$/;
const VALUES_ONLY = /^(?:constant|variable|function)$/;

/** TypeScript lets a type and a value share a name: the position of the reference tells which of them it means. */
function isMeant({ kind }: ReferenceRow, definition: SymbolRow, target: readonly SymbolRow[]): boolean {
  if (kind === 'import') return true;
  if (kind === 'type')
    return !VALUES_ONLY.test(definition.kind) || !target.some((each) => TYPES_ONLY.test(each.kind));
  return !TYPES_ONLY.test(definition.kind) || !target.some((each) => VALUES_ONLY.test(each.kind));
}

function isSameFamily(a: string, b: string): boolean {
  return familyOf(languageOf(a) ?? a) === familyOf(languageOf(b) ?? b);
}

function isReachedLike(other: SymbolRow, definition: SymbolRow): boolean {
  return isReceived(other) === isReceived(definition);
}

/** The references in the files that are nearest to a definition, and the others, both in order. */
function nearest(
  references: readonly ReferenceRow[],
  { path: from }: SymbolRow,
): readonly [near: readonly ReferenceRow[], far: readonly ReferenceRow[]] {
  // In TypeScript types are followed far enough that each use is worth it.
  if (references.length <= MAX_FOLLOWED_USES || isScript(languageOf(from) ?? '')) return [references, []];
  const folders = from.split('/').slice(0, -1);
  const distance = (path: string): number => {
    const other = path.split('/').slice(0, -1);
    const shared = other.findIndex((folder, at) => folder !== folders[at]);
    const depth = shared === -1 ? other.length : shared;
    return folders.length + other.length - 2 * depth;
  };
  const distances = new Map<string, number>();
  for (const { path } of references) if (!distances.has(path)) distances.set(path, distance(path));
  const limit =
    references.map(({ path }) => distances.get(path) ?? 0).sort((a, b) => a - b)[MAX_FOLLOWED_USES - 1] ?? 0;
  const near: ReferenceRow[] = [];
  const far: ReferenceRow[] = [];
  for (const reference of references) {
    const isNear = (distances.get(reference.path) ?? 0) <= limit && near.length < MAX_FOLLOWED_USES;
    (isNear ? near : far).push(reference);
  }
  return [near, far];
}

function isAnyIn(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].some((key) => all.has(key));
}

function byPlace(a: ReferenceRow, b: ReferenceRow): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column;
}

function isBeside(a: SymbolRow, b: SymbolRow): boolean {
  return posix.dirname(a.path) === posix.dirname(b.path);
}

const LINKED = /\.(?:c|h|cc|cpp|cxx|hpp|hh|hxx|inl|cu|cuh|m|mm)$/i;

/** Whether two files are linked into one program by the names of what they define. */
function isLinked(a: SymbolRow, b: SymbolRow): boolean {
  return LINKED.test(a.path) && LINKED.test(b.path) && a.scope === b.scope;
}

function unique(references: readonly ReferenceRow[]): ReferenceRow[] {
  const seen = new Set<string>();
  return references.filter(({ path, line, column }) => {
    const key = `${path}:${line}:${column}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
