import type { SymbolRow } from '../symbol-rows.ts';
import type { FileFacts } from './question-files.ts';
import { closing, skipSpace, splitType } from './type-text.ts';

/** A type as written somewhere, with what its type parameters stand for there. */
export interface TypeRef {
  readonly text: string;
  readonly facts: FileFacts;
  readonly inside: number | undefined;
  readonly bindings?: Bindings | undefined;
}

/** What type parameters stand for. */
export type Bindings = ReadonlyMap<string, TypeRef>;

/** A definition with what the type parameters around it stand for. */
export interface Bound {
  readonly symbol: SymbolRow;
  readonly bindings?: Bindings | undefined;
}

interface TypeParameter {
  readonly name: string;
  /** What it extends, or stands for by default. */
  readonly otherwise: string | undefined;
}

const known = new WeakMap<SymbolRow, readonly TypeParameter[]>();

/** The type parameters of a TypeScript definition. */
function typeParameters(definition: SymbolRow, facts: FileFacts): readonly TypeParameter[] {
  let found = known.get(definition);
  if (found === undefined) {
    found = readParameters(definition, facts);
    known.set(definition, found);
  }
  return found;
}

function readParameters({ line, column, name }: SymbolRow, facts: FileFacts): readonly TypeParameter[] {
  const { text } = facts;
  const from = facts.offset(line, column) + name.length;
  const lead = /^\s*\??\s*(?:=\s*(?:async\s+)?)?</.exec(text.slice(from, from + 40));
  return lead === null ? [] : parametersAt(text, from + lead[0].length - 1);
}

/** Type parameters that are written from a bracket on. */
export function parametersAt(text: string, open: number): readonly TypeParameter[] {
  return splitType(text.slice(open + 1, closing(text, open)), ',').flatMap((part) => {
    const [head = '', fallback] = splitType(part, '=');
    const match = /^(?:(?:const|in|out)\s+)*([\w$]+)(?:\s+extends\s+([\s\S]+))?$/.exec(head);
    return match?.[1] === undefined ? [] : [{ name: match[1], otherwise: match[2] ?? fallback }];
  });
}

/** What the type parameters of a definition stand for if these types are given; the others are what they extend. */
export function bind(
  definition: SymbolRow,
  facts: FileFacts,
  given: readonly (TypeRef | undefined)[],
  around?: Bindings,
): Bindings | undefined {
  const parameters = typeParameters(definition, facts);
  if (parameters.length === 0) return around;
  const bindings = new Map(around);
  for (const [at, { name, otherwise }] of parameters.entries()) {
    const type = given[at];
    if (type !== undefined) bindings.set(name, type);
    else if (otherwise === undefined) bindings.delete(name);
    else bindings.set(name, { text: otherwise, facts, inside: definition.nr, bindings });
  }
  return bindings;
}

/** The arguments in `Name<A, B>`. */
export function typeArguments({ text, ...rest }: TypeRef): readonly TypeRef[] {
  const open = skipSpace(text, /^[\w$.\s]+/.exec(text)?.[0].length ?? 0);
  if (text[open] !== '<') return [];
  return splitType(text.slice(open + 1, closing(text, open)), ',').map((part) => ({ ...rest, text: part }));
}

/** The type parameter that a name means at a place, with what it extends; undefined if it means something else. */
export function typeParameterAt(
  facts: FileFacts,
  name: string,
  inside: number | undefined,
): { readonly otherwise: string | undefined; readonly inside: number } | undefined {
  for (let at = inside; at !== undefined; ) {
    const definition = facts.definitions[at];
    if (definition === undefined) return undefined;
    const found = typeParameters(definition, facts).find((each) => each.name === name);
    if (found !== undefined) return { otherwise: found.otherwise, inside: at };
    at = definition.parent;
  }
  return undefined;
}

/** The definitions alone. */
export function rowsOf(
  found: readonly Bound[] | 'elsewhere' | undefined,
): readonly SymbolRow[] | 'elsewhere' | undefined {
  return found === undefined || found === 'elsewhere' ? found : found.map(({ symbol }) => symbol);
}
