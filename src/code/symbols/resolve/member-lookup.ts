import type { SymbolRow } from '../symbol-rows.ts';
import type { NameLookup } from './name-lookup.ts';
import { type FileFacts, isType, type QuestionFiles } from './question-files.ts';
import { closing, skipSpace, splitType, typeAt } from './type-text.ts';

/** A type as it is written somewhere. */
export interface TypeRef {
  readonly text: string;
  readonly facts: FileFacts;
  readonly inside: number | undefined;
}

const MAX_BASES = 40;
/** Types of TypeScript whose members are those of their first argument. */
const SAME_MEMBERS =
  /^(?:Readonly|Partial|Required|Pick|Omit|NonNullable|Awaited|Extract|Exclude|DeepReadonly|Mutable|NoInfer)$/;

/** One name for one definition. */
export function keyOf({ path, nr }: Pick<SymbolRow, 'path' | 'nr'>): string {
  return `${path}\0${nr}`;
}

/** Finds types, what they extend, and their members. */
export class MemberLookup {
  readonly #files: QuestionFiles;
  readonly #names: NameLookup;
  readonly #bases = new Map<string, Promise<readonly SymbolRow[]>>();

  constructor(files: QuestionFiles, names: NameLookup) {
    this.#files = files;
    this.#names = names;
  }

  /** The definitions of a written type; 'elsewhere' if it is not from the tree, undefined if that is not known. */
  async types({ text, facts, inside }: TypeRef): Promise<readonly SymbolRow[] | 'elsewhere' | undefined> {
    const bare = text.replace(/^(?:readonly|keyof|unique|asserts|infer)\s+/, '').trim();
    const parts = splitType(bare, '|&').filter((part) => !/^(?:undefined|null|void|never)$/.test(part));
    if (parts.length > 1) {
      const all = await Promise.all(parts.map((part) => this.types({ text: part, facts, inside })));
      const found = all.flatMap((each) => (Array.isArray(each) ? each : []));
      return found.length > 0 ? found : all.every((each) => each === 'elsewhere') ? 'elsewhere' : undefined;
    }
    const [only = ''] = parts;
    if (only.startsWith('(')) {
      const end = closing(only, 0);
      return end === only.length - 1 ? this.types({ text: only.slice(1, -1), facts, inside }) : 'elsewhere';
    }
    if (/\[\]$/.test(only) || /^['"`[\d]/.test(only)) return 'elsewhere';
    const name = /^[*&\s]*((?:[\w$]+\s*(?:\.|::)\s*)*[\w$]+)/.exec(only)?.[1];
    if (name === undefined) return undefined;
    const rest = only.slice(only.indexOf(name) + name.length);
    if (SAME_MEMBERS.test(name) && rest.startsWith('<')) {
      const [first = ''] = splitType(rest.slice(1, closing(rest, 0)), ',');
      return this.types({ text: first, facts, inside });
    }
    if (/\[['"]/.test(rest)) return undefined;
    return this.named(facts, name, inside);
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
    const seen = new Set<string>();
    let level = types;
    while (level.length > 0 && seen.size < MAX_BASES) {
      const found: SymbolRow[] = [];
      const above: SymbolRow[] = [];
      for (const type of level) {
        if (seen.has(keyOf(type))) continue;
        seen.add(keyOf(type));
        found.push(...(await this.#own(type, name)));
        above.push(...(await this.bases(type)));
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

  /** What a type extends or implements directly, as far as it is in the tree. */
  bases(type: SymbolRow): Promise<readonly SymbolRow[]> {
    const key = keyOf(type);
    const known = this.#bases.get(key);
    if (known !== undefined) return known;
    const found = this.#findBases(type);
    this.#bases.set(key, found);
    return found;
  }

  /** The type that a member belongs to. */
  async owner(member: SymbolRow): Promise<readonly SymbolRow[]> {
    const facts = await this.#files.facts(member.path);
    const parent = member.parent === undefined ? undefined : facts.definitions[member.parent];
    if (parent !== undefined && isType(parent)) return [parent];
    const receiver = /^func\s*\(\s*\w*\s*\*?\s*(\w+)/.exec(member.signature)?.[1];
    if (receiver !== undefined && facts.language === 'go') {
      const found = await this.named(facts, receiver, undefined);
      return Array.isArray(found) ? found : [];
    }
    return [];
  }

  async #own(type: SymbolRow, name: string): Promise<readonly SymbolRow[]> {
    const facts = await this.#files.facts(type.path);
    const inside = facts.definitions.filter((each) => each.name === name && each.parent === type.nr);
    if (inside.length > 0 || !/^(?:go|rust|cpp|c|cuda|swift|kotlin|ruby|csharp)$/.test(facts.language))
      return inside;
    // Members that are written apart from their type.
    const apart: SymbolRow[] = [];
    for (const each of await this.#files.named(name)) {
      const scope = each.scope.split(/\.|::/).at(-1);
      if (scope === type.name) apart.push(each);
      else if (
        facts.language === 'go' &&
        (await this.owner(each)).some((owner) => keyOf(owner) === keyOf(type))
      )
        apart.push(each);
    }
    return apart;
  }

  async #findBases(type: SymbolRow): Promise<readonly SymbolRow[]> {
    const facts = await this.#files.facts(type.path);
    const found: SymbolRow[] = [];
    for (const text of heritage(type, facts)) {
      const types = await this.types({ text, facts, inside: type.parent });
      if (Array.isArray(types)) found.push(...types.filter((each) => keyOf(each) !== keyOf(type)));
    }
    return found;
  }
}

/** The types that a definition says it extends, as they are written. */
function heritage(type: SymbolRow, facts: FileFacts): readonly string[] {
  const { signature, kind } = type;
  if (kind === 'type' && /^(?:typescript|javascript)$/.test(facts.language))
    return [aliasedType(type, facts)];
  const lists: string[] = [];
  const named = /\b(?:extends|implements|with)\b/;
  if (named.test(signature)) {
    lists.push(...signature.split(/\b(?:extends|implements|with)\b/).slice(1));
  } else if (facts.language === 'python' || facts.language === 'ruby') {
    lists.push(/\(([^)]*)\)/.exec(signature)?.[1] ?? /<\s*([\w:]+)/.exec(signature)?.[1] ?? '');
  } else if (/^(?:csharp|kotlin|swift|cpp|cuda|rust)$/.test(facts.language)) {
    lists.push(/[^:]:(?!:)\s*([^:{].*)$/.exec(signature)?.[1] ?? '');
  }
  return lists
    .flatMap((list) => splitType(list.replace(/\{.*$/, ''), ','))
    .map((text) => text.replace(/^(?:public|private|protected|virtual)\s+/g, '').trim())
    .filter((text) => /^[A-Za-z_$]/.test(text));
}

/** What a type alias stands for. */
export function aliasedType({ line, column, name }: SymbolRow, facts: FileFacts): string {
  const { text } = facts;
  let at = skipSpace(text, facts.offset(line, column) + name.length);
  if (text[at] === '<') at = skipSpace(text, closing(text, at) + 1);
  return text[at] === '=' ? typeAt(text, at + 1) : '';
}
