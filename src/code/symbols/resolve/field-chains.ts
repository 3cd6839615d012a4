import type { SymbolRow } from '../symbol-rows.ts';
import type { MemberLookup } from './member-lookup.ts';
import type { NameLookup } from './name-lookup.ts';
import type { FileFacts, QuestionFiles } from './question-files.ts';
import { typeAround } from './type-shapes.ts';
import { writtenType } from './written-types.ts';

type Types = readonly SymbolRow[] | 'elsewhere' | undefined;

const CHAIN = /^\w+(?:\.\w+)+$/;
const SELF = /^(?:this|self)$/;
const MAX_CHAIN_PARTS = 8;

/** Follows `a.b.c` through the declared types of fields, in languages other than TypeScript. */
export class FieldChains {
  readonly #files: QuestionFiles;
  readonly #names: NameLookup;
  readonly #members: MemberLookup;

  constructor(files: QuestionFiles, names: NameLookup, members: MemberLookup) {
    this.#files = files;
    this.#names = names;
    this.#members = members;
  }

  /** The types of `a.b.c`; undefined if a part has no declared type. */
  async types(chain: string, facts: FileFacts, inside: number | undefined, before: string): Promise<Types> {
    const [first = '', ...fields] = chain.split('.');
    if (!CHAIN.test(chain) || fields.length >= MAX_CHAIN_PARTS) return undefined;
    let types = await this.#first(first, facts, inside, before);
    for (const field of fields) {
      if (types === undefined || types === 'elsewhere' || types.length === 0) return types;
      const [found] = await this.#members.of(types, field);
      if (found === undefined || found.kind !== 'field') return undefined;
      types = await this.#declared(found);
    }
    return types;
  }

  async #first(name: string, facts: FileFacts, inside: number | undefined, before: string): Promise<Types> {
    if (SELF.test(name)) {
      const around = typeAround(facts, inside);
      if (around !== undefined) return [around];
      const owner = inside === undefined ? undefined : facts.definitions[inside];
      return owner === undefined ? undefined : this.#members.owner(owner);
    }
    const written = writtenType(facts.language, name, before);
    if (written !== undefined) return this.#members.named(facts, written, inside);
    const meaning = await this.#names.meaning(facts, name, inside);
    if (meaning === undefined || meaning === 'elsewhere' || 'modules' in meaning) return undefined;
    const [only, ...others] = meaning.symbols;
    return only !== undefined && others.length === 0 ? this.#declared(only) : undefined;
  }

  /** The types that the declaration of a field or a variable names. */
  async #declared(row: SymbolRow): Promise<Types> {
    const facts = await this.#files.facts(row.path);
    const line = facts.text.slice(facts.offset(row.line, 0), facts.offset(row.line + 1, 0));
    // Tags of Go and comments come after the type.
    const bare = line.replace(/\s*(?:`[^`]*`|\/\/.*|#.*)\s*$/, '').trimEnd();
    const written = writtenType(facts.language, row.name, `${bare}\n`);
    return written === undefined ? undefined : this.#members.named(facts, written, row.parent);
  }
}
