import { qualifiedName } from '../qualified-names.ts';
import type { SymbolRow } from '../symbol-rows.ts';
import { type FileFacts, isType, type QuestionFiles } from './question-files.ts';

/** Finds Elixir modules, whose names contain dots themselves, and what they define. */
export class ElixirModules {
  readonly #files: QuestionFiles;

  constructor(files: QuestionFiles) {
    this.#files = files;
  }

  /** What `Module.name` means; 'elsewhere' if the module is not in the tree, undefined if nothing tells which it is. */
  async member(
    module: string,
    name: string,
    facts: FileFacts,
    inside: number | undefined,
  ): Promise<readonly SymbolRow[] | 'elsewhere' | undefined> {
    // A variable, an attribute or a longer expression may hold any module.
    if (!/^(?:\p{Lu}|__MODULE__)/u.test(module)) return undefined;
    const modules = await this.#modules(module, facts, inside);
    if (modules.length === 0) return 'elsewhere';
    const own = await this.#defined(modules, name);
    if (own.length > 0) return own;
    const used = await Promise.all(modules.map((each) => this.#given(each, name)));
    const found = used.flat();
    return found.length > 0 ? found : undefined;
  }

  /** What a name without a module means, if a module that the file imports defines it. */
  async imported(name: string, facts: FileFacts, inside: number | undefined): Promise<readonly SymbolRow[]> {
    const named = (await this.#files.named(name)).filter(({ parent }) => parent !== undefined);
    if (named.length === 0) return [];
    const wholes = facts.imports.filter((row) => row.name === '*');
    const modules = await Promise.all(wholes.map(({ module }) => this.#modules(module, facts, inside)));
    return this.#defined(modules.flat(), name);
  }

  /** The code that `use Module` writes into a module is in its `__using__`. */
  async #given(module: SymbolRow, name: string): Promise<readonly SymbolRow[]> {
    const facts = await this.#files.facts(module.path);
    const found: SymbolRow[] = [];
    for (const row of facts.imports) {
      if (row.name !== '*' || row.line < module.from || row.line > module.to) continue;
      const used = await this.#modules(row.module, facts, module.nr);
      const macros = await this.#defined(used, '__using__');
      found.push(...(await this.#defined(macros, name)));
    }
    return found;
  }

  async #defined(around: readonly SymbolRow[], name: string): Promise<readonly SymbolRow[]> {
    const found = await Promise.all(
      around.map(async ({ path, nr }) => {
        const { definitions } = await this.#files.facts(path);
        return definitions.filter((each) => each.name === name && each.parent === nr);
      }),
    );
    return found.flat();
  }

  /** The modules that a name means: an alias of the file, one that is nested here, or the whole name. */
  async #modules(
    written: string,
    facts: FileFacts,
    inside: number | undefined,
  ): Promise<readonly SymbolRow[]> {
    const around = modulesAround(facts, inside);
    const [first = '', ...rest] = written.split('.');
    if (first === '__MODULE__') {
      const [here] = around;
      if (here === undefined) return [];
      return rest.length === 0 ? [here] : this.#called([qualifiedName(here), ...rest].join('.'));
    }
    const alias = facts.imports.findLast((row) => row.name === first)?.module;
    if (alias !== undefined && alias !== written) {
      const [here] = around;
      const whole = here === undefined ? alias : alias.replace(/^__MODULE__\b/, qualifiedName(here));
      return this.#called([whole, ...rest].join('.'));
    }
    for (const each of around) {
      const nested = await this.#called(`${qualifiedName(each)}.${written}`);
      if (nested.some(({ path }) => path === facts.path)) return nested;
    }
    return this.#called(written);
  }

  /** `A.B.C` is written in full, or as `C` inside `A.B`. */
  async #called(name: string): Promise<readonly SymbolRow[]> {
    const parts = name.split('.');
    const found: SymbolRow[] = [];
    for (let from = 0; from < parts.length; from++) {
      const named = await this.#files.named(parts.slice(from).join('.'));
      found.push(
        ...named.filter(
          (each) => isType(each) && each.kind !== 'type' && each.scope === parts.slice(0, from).join('.'),
        ),
      );
    }
    return found;
  }
}

/** The modules around a definition, innermost first. */
function modulesAround({ definitions }: FileFacts, inside: number | undefined): readonly SymbolRow[] {
  const found: SymbolRow[] = [];
  for (let nr = inside; nr !== undefined; nr = definitions[nr]?.parent) {
    const each = definitions[nr];
    if (each?.kind === 'module') found.push(each);
  }
  return found;
}
