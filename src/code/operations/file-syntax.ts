import { type DefinitionUnit, definitionUnits } from '../rank/definition-units.ts';
import type { Frame } from '../rank/read-frames.ts';
import type { FileShape } from '../symbols/file-shape.ts';
import type { Definition, LineSpan, SymbolKind } from '../symbols/file-symbols.ts';
import { qualifiedNames } from '../symbols/qualified-names.ts';

/** The kinds of lines besides ordinary code. */
export const LINE_KINDS = ['comment', 'import', 'prototype', 'definition'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** Facts about one line, from the syntax of its file. */
export interface LineFacts {
  /** The innermost definition around it, qualified: `Pool.acquire`. */
  readonly in?: string | undefined;
  readonly kind?: LineKind | undefined;
  readonly test?: true | undefined;
}

/** Definitions that contain code; others do if they have several lines. */
const CONTAINERS: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  'function',
  'method',
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'type',
  'module',
  'macro',
]);
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['function', 'method', 'macro']);

/** A definition with its qualified name. */
export interface NamedDefinition {
  readonly name: string;
  readonly definition: Definition;
}

const known = new WeakMap<FileShape, FileSyntax>();

/** What the symbols of a file say about its lines; kept, because many searches bring the same symbols. */
export function syntaxOf(symbols: FileShape): FileSyntax {
  const found = known.get(symbols) ?? new FileSyntax(symbols);
  known.set(symbols, found);
  return found;
}

/** Answers questions about the lines of one file. */
export class FileSyntax {
  readonly #symbols: FileShape;
  readonly #names: readonly string[];
  readonly #imports: ReadonlySet<number>;
  #units: readonly DefinitionUnit[] | undefined;

  constructor(symbols: FileShape) {
    this.#symbols = symbols;
    this.#names = qualifiedNames(symbols.definitions);
    this.#imports = new Set(symbols.importLines);
  }

  /** The definitions that can be answers to a question. */
  get units(): readonly DefinitionUnit[] {
    this.#units ??= definitionUnits(this.#symbols);
    return this.#units;
  }

  /** What a line is and where it is; `named` tells whether a name was searched for. */
  facts(line: number, named: (name: string) => boolean): LineFacts {
    const around = this.enclosing(line);
    return {
      in: around === undefined ? undefined : this.#apart(around),
      kind: this.#kindOf(line, named),
      test: this.isTest(line) ? true : undefined,
    };
  }

  /** The innermost definition around a line that contains code. */
  enclosing(line: number): NamedDefinition | undefined {
    const { definitions } = this.#symbols;
    const at = definitions.findLastIndex((one) => isAround(one, line));
    return this.#named(at);
  }

  /**
   * The definition that a line belongs to: the innermost around it, or the one whose comment it is in. A class owns
   * only the lines outside its methods.
   */
  owner(line: number): NamedDefinition | undefined {
    const { comments, definitions } = this.#symbols;
    const around = this.enclosing(line);
    const comment = comments.find((span) => covers(span, line));
    // The documentation of a Python definition is inside it.
    if (comment === undefined || this.#symbols.language === 'python') return around;
    const below = definitions.findIndex((one) => one.from === comment.to + 1 && isPlace(one));
    return this.#named(below) ?? around;
  }

  /** The definition that fills most of some lines, or the innermost one around them. */
  main({ from, to }: LineSpan): NamedDefinition | undefined {
    let best = -1;
    let most = 0;
    for (const [at, one] of this.#symbols.definitions.entries()) {
      if (!isPlace(one)) continue;
      const shared = Math.min(to, one.to) - Math.max(from, one.from) + 1;
      // A child that fills the same lines says more than what is around it.
      if (shared >= most && shared > 0) {
        best = at;
        most = shared;
      }
    }
    return this.#named(best);
  }

  /** The first definition that begins in some lines and has a wanted name. */
  named({ from, to }: LineSpan, wanted: (name: string) => boolean): NamedDefinition | undefined {
    const { definitions } = this.#symbols;
    const at = definitions.findIndex(
      (one) => from <= one.line && one.line <= to && !one.isPrototype && wanted(one.name),
    );
    return this.#named(at);
  }

  /**
   * The function that a stack trace names: in the type that it names, then the nearest to its line, which may be from
   * another version of the file. Without such a function, what is around the line.
   */
  called({ name, within, line }: Frame): NamedDefinition | undefined {
    const type = within.at(-1);
    let best: { readonly at: number; readonly farness: number } | undefined;
    for (const [at, one] of this.#symbols.definitions.entries()) {
      if (one.name !== name || one.isPrototype) continue;
      const away = line === undefined ? 0 : Math.max(0, one.from - line, line - one.to);
      const isInType = type === undefined || (this.#names[at] ?? '').split(/\W+/).includes(type);
      const farness = away + (isInType ? 0 : 1e6) + (isFunction(one) ? 0 : 1e7);
      if (best === undefined || farness < best.farness) best = { at, farness };
    }
    if (best !== undefined) return this.#named(best.at);
    return line === undefined ? undefined : this.enclosing(line);
  }

  isTest(line: number): boolean {
    const { tests, definitions } = this.#symbols;
    return (
      tests.some((span) => covers(span, line)) || definitions.some((one) => one.isTest && covers(one, line))
    );
  }

  /** If several functions share a name, their parameters tell them apart. */
  #apart({ name, definition }: NamedDefinition): string {
    if (!isFunction(definition)) return name;
    const { definitions } = this.#symbols;
    const same = this.#names.filter((each, at) => {
      const other = definitions[at];
      return each === name && other !== undefined && isFunction(other) && !other.isPrototype;
    });
    return same.length > 1 ? name + parametersOf(definition) : name;
  }

  #kindOf(line: number, named: (name: string) => boolean): LineKind | undefined {
    const { comments, definitions } = this.#symbols;
    if (comments.some((span) => covers(span, line))) return 'comment';
    if (this.#imports.has(line)) return 'import';
    if (definitions.some((one) => one.isPrototype && covers(one, line))) return 'prototype';
    const defines = definitions.some((one) => one.line === line && (isPlace(one) || named(one.name)));
    return defines ? 'definition' : undefined;
  }

  #named(at: number): NamedDefinition | undefined {
    const definition = this.#symbols.definitions[at];
    const name = this.#names[at];
    return definition === undefined || name === undefined ? undefined : { name, definition };
  }
}

export function isFunction({ kind }: Definition): boolean {
  return FUNCTIONS.has(kind);
}

/** A longer list of parameters is cut. */
const MAX_PARAMETER_CHARACTERS = 60;

/** `(int n, …)`. */
function parametersOf({ name, signature }: Definition): string {
  const start = signature.indexOf('(', signature.indexOf(name) + name.length);
  if (start === -1) return '';
  let depth = 0;
  let end = start;
  for (; end < signature.length; end++) {
    if (signature[end] === '(') depth++;
    else if (signature[end] === ')' && --depth === 0) break;
  }
  const inside = signature
    .slice(start + 1, end)
    .replace(/\s+/g, ' ')
    .trim();
  return `(${inside.length > MAX_PARAMETER_CHARACTERS ? `${inside.slice(0, MAX_PARAMETER_CHARACTERS)}…` : inside})`;
}

function isAround(one: Definition, line: number): boolean {
  return covers(one, line) && isPlace(one);
}

function isPlace(one: Definition): boolean {
  return !one.isPrototype && (CONTAINERS.has(one.kind) || one.to > one.from);
}

function covers({ from, to }: LineSpan, line: number): boolean {
  return from <= line && line <= to;
}
