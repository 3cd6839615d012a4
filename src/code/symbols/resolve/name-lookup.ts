import { posix } from 'node:path';
import { languageOf } from '../../languages.ts';
import type { Import } from '../file-symbols.ts';
import type { SymbolRow } from '../symbol-rows.ts';
import { type FileFacts, isMember, isScript, isTop, isType, type QuestionFiles } from './question-files.ts';
import { closing, opening } from './type-text.ts';

/** What a name means: definitions, a whole module, or something that is not in the tree. */
export type Meaning =
  | { readonly symbols: readonly SymbolRow[] }
  | { readonly modules: readonly string[] }
  | 'elsewhere';

/** Languages in which members are used without a receiver inside their class. */
const IMPLICIT_MEMBERS: ReadonlySet<string> = new Set([
  'java',
  'csharp',
  'cpp',
  'c',
  'cuda',
  'kotlin',
  'scala',
  'swift',
  'ruby',
]);
/** Languages in which what a file defines is visible in all files of its folder. */
const FOLDER_PACKAGES: ReadonlySet<string> = new Set(['go', 'java', 'kotlin', 'scala']);
/** Languages in which what is defined at the top of a file is visible without naming the file. */
const GLOBAL_NAMES: ReadonlySet<string> = new Set([
  'c',
  'cpp',
  'cuda',
  'csharp',
  'php',
  'ruby',
  'swift',
  'elixir',
  'haskell',
  'bash',
  'rust',
  'java',
  'kotlin',
  'scala',
  'zig',
]);
/** Names of one language are found in files of the other. */
const FAMILIES: Readonly<Record<string, string>> = {
  cpp: 'c',
  cuda: 'c',
  objectivec: 'c',
  javascript: 'typescript',
  vue: 'typescript',
  svelte: 'typescript',
  scala: 'java',
  kotlin: 'java',
};

export function familyOf(language: string): string {
  return FAMILIES[language] ?? language;
}

/** Finds what names mean where they are used. */
export class NameLookup {
  readonly #files: QuestionFiles;
  /** What files export, which many uses share. */
  readonly #exported = new Map<string, Promise<Meaning | undefined>>();

  constructor(files: QuestionFiles) {
    this.#files = files;
  }

  /** What a name without a receiver means inside a definition of a file; undefined if nothing tells. */
  async meaning(
    facts: FileFacts,
    name: string,
    inside: number | undefined,
    offset?: number,
  ): Promise<Meaning | undefined> {
    const here = inScope(facts, name, inside, offset);
    if (here.length > 0) return { symbols: here };
    for (const row of facts.imports) {
      if (row.name === name) return this.imported(facts, row);
    }
    // If names belong to the whole program, includes need not be followed.
    const wholes = GLOBAL_NAMES.has(facts.language) ? [] : facts.imports.filter((row) => row.name === '*');
    const seen = new Set<string>();
    for (const row of wholes) {
      for (const path of this.#files.modules.of(facts.path, row.module, facts.language)) {
        const found = await this.exported(path, name, seen);
        if (found !== undefined && found !== 'elsewhere') return found;
      }
    }
    return this.#around(facts, name);
  }

  /** What an import brings into a file. */
  async imported(facts: FileFacts, row: Import): Promise<Meaning> {
    const paths = this.#files.modules.of(facts.path, row.module, facts.language);
    if (paths.length === 0) return this.#byName(facts, row);
    if (row.imported === '*') return { modules: paths };
    for (const path of paths) {
      const found = await this.exported(path, row.imported);
      if (found !== undefined) return found;
    }
    return 'elsewhere';
  }

  /** What a file exports under a name, followed through files that pass it on. */
  exported(path: string, name: string, seen?: Set<string>): Promise<Meaning | undefined> {
    const key = `${path}\0${name}`;
    if (seen !== undefined) return this.#findExported(path, name, seen);
    let found = this.#exported.get(key);
    if (found === undefined) {
      found = this.#findExported(path, name, new Set());
      this.#exported.set(key, found);
    }
    return found;
  }

  async #findExported(path: string, name: string, seen: Set<string>): Promise<Meaning | undefined> {
    const key = `${path}\0${name}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    const facts = await this.#files.facts(path);
    const wanted = exportedName(facts, name) ?? (name === 'default' ? defaultName(facts) : name);
    const own = facts.definitions.filter(
      (definition) => definition.name === wanted && definition.parent === undefined && !isMember(definition),
    );
    if (own.length > 0) return { symbols: own };
    for (const row of facts.imports) {
      if (row.name !== (wanted ?? name)) continue;
      const paths = this.#files.modules.of(path, row.module, facts.language);
      if (row.imported === '*') return paths.length === 0 ? 'elsewhere' : { modules: paths };
      for (const next of paths) {
        const found = await this.exported(next, row.imported, seen);
        if (found !== undefined) return found;
      }
      return 'elsewhere';
    }
    // A Python package exports the modules in it.
    for (const row of facts.imports) {
      if (row.name !== '*') continue;
      for (const next of this.#files.modules.of(path, row.module, facts.language)) {
        const found = await this.exported(next, name, seen);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** For languages whose imports name no files: the definition with that name, if there is one. */
  async #byName(facts: FileFacts, { imported, module }: Import): Promise<Meaning> {
    if (!GLOBAL_NAMES.has(facts.language) && facts.language !== 'go') return 'elsewhere';
    const symbols = (await this.#files.named(imported)).filter(
      (row) => isFamily(row, facts) && (row.parent === undefined || isType(row)),
    );
    const near = symbols.filter(({ path, scope }) => {
      const place = posix.dirname(path).split('/').concat(scope.split('.'));
      const last = module
        .split(/::|[./\\]/)
        .filter((part) => !/^(?:crate|self|super|)$/.test(part))
        .at(-1);
      return last === undefined || place.includes(last) || posix.parse(path).name === last;
    });
    const found = near.length > 0 ? near : symbols;
    return found.length > 0 ? { symbols: found } : 'elsewhere';
  }

  /** What other files of the package, or of the program, define. */
  async #around(facts: FileFacts, name: string): Promise<Meaning | undefined> {
    if (!GLOBAL_NAMES.has(facts.language) && !FOLDER_PACKAGES.has(facts.language)) return undefined;
    const inFolder = await this.#files.topIn(posix.dirname(facts.path), name);
    const beside = inFolder.filter((row) => isFamily(row, facts));
    if (beside.length > 0 && FOLDER_PACKAGES.has(facts.language)) return { symbols: beside };
    if (!GLOBAL_NAMES.has(facts.language)) return undefined;
    const all = (await this.#files.named(name)).filter((row) => isTop(row) && isFamily(row, facts));
    if (beside.length > 0 && all.length > beside.length) return { symbols: beside };
    return all.length > 0 ? { symbols: all } : undefined;
  }
}

function isFamily(row: SymbolRow, facts: FileFacts): boolean {
  return endsLike(row.path, facts);
}

function endsLike(path: string, { path: from, language }: FileFacts): boolean {
  const end = posix.extname(path);
  return (
    end === posix.extname(from) ||
    FAMILY_ENDS[familyOf(language)]?.test(path) === true ||
    languageOf(path) === language
  );
}

const FAMILY_ENDS: Readonly<Record<string, RegExp>> = {
  c: /\.(?:c|h|cc|cpp|cxx|hpp|hh|hxx|inl|ipp|cu|cuh|m|mm)$/i,
  typescript: /\.(?:[cm]?[jt]sx?|vue|svelte)$/i,
  java: /\.(?:java|kts?|scala)$/i,
};

/** Definitions of a file with a name that are visible inside one of its definitions, innermost first. */
function inScope(
  facts: FileFacts,
  name: string,
  inside: number | undefined,
  offset: number | undefined,
): readonly SymbolRow[] {
  const named = facts.definitions.filter(
    (definition) => definition.name === name && !isAssignedMember(definition, facts),
  );
  if (named.length === 0) return [];
  const implicit = IMPLICIT_MEMBERS.has(facts.language);
  for (let scope = inside; ; scope = scope === undefined ? undefined : facts.definitions[scope]?.parent) {
    const own = named.filter(
      (definition) =>
        definition.parent === scope && (implicit || !isMember(definition) || scope === undefined),
    );
    const around = scope === undefined ? undefined : facts.definitions[scope];
    if (around?.name === name && !isMember(around) && own.length === 0) return [around];
    if (own.length > 0)
      return inBlock(
        own.filter((definition) => implicit || !isMember(definition)),
        facts,
        offset,
      );
    if (scope === undefined) return [];
  }
}

/** `server.name = () => …` gives a member of something a value; the name alone means something else. */
function isAssignedMember({ line, column }: SymbolRow, facts: FileFacts): boolean {
  return isScript(facts.language) && facts.text[facts.offset(line, column) - 1] === '.';
}

/** Of several definitions with one name, those in the innermost block around a place: blocks have no name. */
function inBlock(
  found: readonly SymbolRow[],
  facts: FileFacts,
  offset: number | undefined,
): readonly SymbolRow[] {
  if (found.length < 2 || offset === undefined || facts.text === '') return found;
  const blocks = found.map((definition) => ({ definition, ...blockAround(definition, facts) }));
  const visible = blocks.filter(({ from, to }) => from <= offset && offset <= to);
  const innermost = Math.max(...visible.map(({ from }) => from));
  return visible.filter(({ from }) => from === innermost).map(({ definition }) => definition);
}

/** Where the block around a definition begins and ends. */
export function blockAround(
  { line, column, parent }: SymbolRow,
  facts: FileFacts,
): { readonly from: number; readonly to: number } {
  const { text } = facts;
  if (column === 0) return { from: -1, to: text.length };
  const least = parent === undefined ? 0 : facts.offset(facts.definitions[parent]?.from ?? 1, 0);
  let from = opening(text, facts.offset(line, column), least);
  while (from !== -1 && text[from] !== '{') from = opening(text, from, least);
  return { from, to: from === -1 ? text.length : closing(text, from) };
}

/** What `export { own as name }` exports under a name. */
function exportedName({ text, language }: FileFacts, name: string): string | undefined {
  if (!isScript(language) || !text.includes(`as ${name}`)) return undefined;
  const list = /\bexport\s*\{([^}]*)\}(?!\s*from\b)/g;
  for (const [, items = ''] of text.matchAll(list)) {
    for (const item of items.split(',')) {
      const [, own, other] = /^\s*(?:type\s+)?([\w$]+)\s+as\s+([\w$]+)\s*$/.exec(item) ?? [];
      if (other === name) return own;
    }
  }
  return undefined;
}

/** The name of what `export default` exports. */
function defaultName({ text }: FileFacts): string | undefined {
  return /^\s*export\s+default\s+(?:abstract\s+)?(?:async\s+)?(?:function\b\s*\*?|class\b|interface\b|enum\b)?\s*([\w$]+)/m.exec(
    text,
  )?.[1];
}
