import type { ReferenceRow, SymbolRow } from '../symbol-rows.ts';
import { ContextTypes } from './context-types.ts';
import { ElixirModules } from './elixir-modules.ts';
import { FieldChains } from './field-chains.ts';
import { MemberLookup } from './member-lookup.ts';
import { NameLookup } from './name-lookup.ts';
import { type FileFacts, isScript, type QuestionFiles } from './question-files.ts';
import { rustModuleMember } from './rust-modules.ts';
import { rowsOf } from './type-parameters.ts';
import { typeAround } from './type-shapes.ts';
import { expressionBefore, receiverBefore, skipSpace, skipSpaceBack } from './type-text.ts';
import { ValueTypes } from './value-types.ts';
import { writtenType } from './written-types.ts';

/** What a use of a name means: definitions, something that is not in the tree, or undefined if nothing tells. */
export type Target = readonly SymbolRow[] | 'elsewhere' | undefined;

const SELF = /^(?:this|self|cls|Self|\$this|@self|static)$/;
/** What follows the name of a member that a type must not have, and how far to look for it. */
const MUST_NOT_HAVE = /^\s*\?\s*:\s*never\s*[;,\n}]/;
const MAX_TYPE_LENGTH = 40;
const SUPER = /^(?:super|parent|base)$/;

/** Finds what single references mean. */
export class ReferenceLookup {
  readonly #files: QuestionFiles;
  readonly names: NameLookup;
  readonly members: MemberLookup;
  readonly values: ValueTypes;
  readonly #context: ContextTypes;
  readonly #elixir: ElixirModules;
  readonly #chains: FieldChains;

  constructor(files: QuestionFiles) {
    this.#files = files;
    this.names = new NameLookup(files);
    this.members = new MemberLookup(files, this.names);
    this.values = new ValueTypes(files, this.names, this.members);
    this.#context = new ContextTypes(this.values);
    this.#elixir = new ElixirModules(files);
    this.#chains = new FieldChains(files, this.names, this.members);
  }

  async target(reference: ReferenceRow): Promise<Target> {
    const facts = await this.#files.facts(reference.path);
    const target = await this.#anyTarget(reference, facts);
    const { name, kind } = reference;
    if (isScript(facts.language) && Array.isArray(target) && target.length > 1)
      return this.#withoutNever(target);
    if (facts.language !== 'rust' || kind === 'import' || target === 'elsewhere') return target;
    // `format!` is never a function, and `format` never a macro.
    const isMacro = isMacroCall(reference, facts);
    const found = target?.filter((each) => (each.kind === 'macro') === isMacro);
    if (found === undefined ? !isMacro : found.length > 0) return found;
    const macros = isMacro ? (await this.#files.named(name)).filter((each) => each.kind === 'macro') : [];
    return macros.length === 0 ? 'elsewhere' : macros.length === 1 ? macros : undefined;
  }

  /** Without members such as `name?: never`, which say that a type of a union must not have one. */
  async #withoutNever(target: readonly SymbolRow[]): Promise<readonly SymbolRow[]> {
    const left: SymbolRow[] = [];
    for (const each of target) {
      const facts = await this.#files.facts(each.path);
      const from = facts.offset(each.line, each.column) + each.name.length;
      if (!MUST_NOT_HAVE.test(facts.text.slice(from, from + MAX_TYPE_LENGTH))) left.push(each);
    }
    return left.length > 0 ? left : target;
  }

  async #anyTarget(reference: ReferenceRow, facts: FileFacts): Promise<Target> {
    const { name, kind, receiver, inside } = reference;
    if (facts.language === 'elixir' && kind !== 'type' && kind !== 'import') {
      if (receiver !== undefined) return this.#elixir.member(receiver, name, facts, inside);
      const own = facts.definitions.some((each) => each.name === name);
      const found = own ? [] : await this.#elixir.imported(name, facts, inside);
      if (found.length > 0) return found;
    }
    if (receiver === undefined) {
      if (kind === 'import') return this.#imported(reference, facts);
      const offset = facts.offset(reference.line, reference.column);
      const meaning = await this.names.meaning(facts, name, inside, offset);
      const key =
        isScript(facts.language) && isShorthand(facts.text, offset, name)
          ? await this.#context.member(name, { facts, offset, inside })
          : undefined;
      if (Array.isArray(key))
        return meaning !== undefined && meaning !== 'elsewhere' && 'symbols' in meaning
          ? [...meaning.symbols, ...key]
          : key;
      if (meaning === undefined || meaning === 'elsewhere') return meaning;
      return 'symbols' in meaning ? meaning.symbols : undefined;
    }
    if (SELF.test(receiver) || SUPER.test(receiver)) {
      const around = typeAround(facts, inside);
      if (around === undefined) return undefined;
      const types = SUPER.test(receiver) ? await this.members.bases(around) : [around];
      const found = await this.members.of(types, name);
      return found.length > 0 ? found : undefined;
    }
    return isScript(facts.language)
      ? this.#scriptMember(reference, facts)
      : this.#member(reference, receiver, facts);
  }

  /** Whether a name is in an object, a pattern or an attribute, without anything before it. */
  async isKey({ path, line, column, receiver }: ReferenceRow): Promise<boolean> {
    if (receiver !== '') return false;
    const facts = await this.#files.facts(path);
    return isScript(facts.language) && receiverBefore(facts.text, facts.offset(line, column)) === '';
  }

  /** Whether what is before a name may be a module: `module::name`, `Module.name`, and anything in Elixir. */
  async isBehindModule({ path, line, column, receiver }: ReferenceRow): Promise<boolean> {
    const facts = await this.#files.facts(path);
    if (facts.language === 'elixir') return true;
    const at = facts.offset(line, column);
    const isPath = facts.text.slice(at - 2, at) === '::';
    return isPath || (facts.language === 'haskell' && /^\p{Lu}/u.test(receiver ?? ''));
  }

  /** A name in an import statement. */
  async #imported({ name, line }: ReferenceRow, facts: FileFacts): Promise<Target> {
    const rows = facts.imports.filter((row) => row.imported === name || row.name === name);
    const row = rows.find((each) => each.line === line) ?? rows[0];
    if (row === undefined) return undefined;
    const meaning = await this.names.imported(facts, row);
    return meaning === 'elsewhere' ? meaning : 'symbols' in meaning ? meaning.symbols : undefined;
  }

  async #scriptMember({ name, line, column, inside, kind }: ReferenceRow, facts: FileFacts): Promise<Target> {
    const offset = facts.offset(line, column);
    const bracket = keyBracket(facts.text, offset);
    if (bracket !== undefined) {
      const before = expressionBefore(facts.text, bracket);
      const isType = kind === 'type' && before !== '';
      if (!isType) return this.values.member(before, name, { facts, offset, inside });
      const text = isAfterTypeof(facts.text, bracket - before.length) ? `typeof ${before}` : before;
      return rowsOf(await this.values.membersOfType({ text, facts, inside }, name));
    }
    if (/<\/?$/.test(facts.text.slice(offset - 2, offset))) return this.#element(name);
    const expression = receiverBefore(facts.text, offset);
    const place = { facts, offset, inside };
    return expression === ''
      ? this.#context.member(name, place)
      : this.values.member(expression, name, place);
  }

  /** `<head>` in JSX. */
  async #element(name: string): Promise<Target> {
    const found = await this.members.of(await this.#files.named('IntrinsicElements'), name);
    return found.length > 0 ? found : 'elsewhere';
  }

  /** `server.pool.acquire`: a member of what a chain of fields ends with. */
  async #chainMember(
    { name, line, column, inside }: Pick<ReferenceRow, 'name' | 'line' | 'column' | 'inside'>,
    facts: FileFacts,
  ): Promise<Target> {
    const chain = receiverBefore(facts.text, facts.offset(line, column));
    const before = textBefore(facts, line, column, inside);
    const types = await this.#chains.types(chain, facts, inside, before);
    if (types === undefined || types === 'elsewhere') return types;
    const found = await this.members.of(types, name);
    return found.length > 0 ? found : undefined;
  }

  /** `pool.acquire` and `Pool::new`: the receiver is a type or a module, or its declaration names its type. */
  async #member(
    { name, line, column, inside }: ReferenceRow,
    receiver: string,
    facts: FileFacts,
  ): Promise<Target> {
    if (receiver === '') return this.#chainMember({ name, line, column, inside }, facts);
    if (facts.language === 'rust' && facts.text.startsWith('::', facts.offset(line, column) - 2)) {
      const found = await rustModuleMember(this.#files, facts, receiver, name);
      if (found.length > 0) return found;
    }
    const written = writtenType(facts.language, receiver, textBefore(facts, line, column, inside));
    const types = await this.members.named(facts, written ?? receiver, inside);
    if (Array.isArray(types) && types.length > 0) {
      const found = await this.members.of(types, name);
      return found.length > 0 ? found : undefined;
    }
    const meaning = await this.names.meaning(facts, receiver, inside);
    if (meaning !== undefined && meaning !== 'elsewhere' && 'modules' in meaning) {
      for (const path of meaning.modules) {
        const found = await this.names.exported(path, name);
        if (found !== undefined && found !== 'elsewhere' && 'symbols' in found) return found.symbols;
      }
      return 'elsewhere';
    }
    return meaning === 'elsewhere' || (written !== undefined && types === 'elsewhere')
      ? 'elsewhere'
      : undefined;
  }
}

/** The text of the outermost definition around a place, up to the place. */
function textBefore(facts: FileFacts, line: number, column: number, inside: number | undefined): string {
  const start = inside === undefined ? 1 : (outermost(facts, inside)?.from ?? 1);
  return facts.text.slice(facts.offset(start, 0), facts.offset(line, column));
}

/** `name!` with something in brackets. */
function isMacroCall({ line, column, name }: ReferenceRow, facts: FileFacts): boolean {
  return /^!\s*[([{]/.test(facts.text.slice(facts.offset(line, column) + name.length).slice(0, 20));
}

/** `{ name }` or `{ a, name, b }` in an object: a value, and the key that gets it. */
function isShorthand(text: string, offset: number, name: string): boolean {
  return (
    /[{,]/.test(text[skipSpaceBack(text, offset) - 1] ?? '') &&
    /[,}]/.test(text[skipSpace(text, offset + name.length)] ?? '')
  );
}

/** The bracket of `['name']` around a name at a place. */
function keyBracket(text: string, offset: number): number | undefined {
  if (!/['"`]/.test(text[offset - 1] ?? '')) return undefined;
  const open = skipSpaceBack(text, offset - 1) - 1;
  return text[open] === '[' ? (text.slice(open - 2, open) === '?.' ? open - 2 : open) : undefined;
}

function isAfterTypeof(text: string, at: number): boolean {
  return /\btypeof\s+$/.test(text.slice(Math.max(0, at - 20), at));
}

function outermost(facts: FileFacts, inside: number): SymbolRow | undefined {
  let found = facts.definitions[inside];
  while (found?.parent !== undefined) found = facts.definitions[found.parent];
  return found;
}
