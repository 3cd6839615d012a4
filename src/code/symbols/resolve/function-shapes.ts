import type { SymbolRow } from '../symbol-rows.ts';
import type { Place } from './expression-value.ts';
import type { MemberLookup } from './member-lookup.ts';
import type { FileFacts, QuestionFiles } from './question-files.ts';
import { outcomes } from './type-operators.ts';
import { type Bound, parametersAt, type TypeRef, typeParameterAt } from './type-parameters.ts';
import { elementOf } from './type-shapes.ts';
import { closing, skipSpace, splitType, typeAt } from './type-text.ts';
import { aliasedType } from './written-bases.ts';

/** How a function is called: what it takes and returns, as far as that is written. */
export interface FunctionShape {
  /** The names of its own type parameters. */
  readonly generics: readonly string[];
  readonly parameters: readonly string[];
  /** Where the types are written; its text is that of the result, '' if none is written. */
  readonly result: TypeRef;
}

const MAX_DEPTH = 8;

/** Finds how values of function types are called. */
export class FunctionShapes {
  readonly #files: QuestionFiles;
  readonly #members: MemberLookup;

  constructor(files: QuestionFiles, members: MemberLookup) {
    this.#files = files;
    this.#members = members;
  }

  /** The ways to call a value of a type. */
  async ofType(type: TypeRef, depth = 0): Promise<readonly FunctionShape[]> {
    if (depth > MAX_DEPTH) return [];
    const text = type.text.trim();
    const either = outcomes(text);
    const parts = either.length > 0 ? either : splitType(text, '|&');
    if (either.length > 0 || (parts.length > 1 && !/=>/.test(parts[0] ?? ''))) {
      const all = await Promise.all(parts.map((part) => this.ofType({ ...type, text: part }, depth + 1)));
      return all.flat();
    }
    if (/^[<(]/.test(text)) {
      const shape = shapeAt(text, 0, type);
      // Without a result it is a type in parentheses.
      const isWhole = shape !== undefined && text.slice(shape.end).trim() === '';
      if (isWhole && shape.result.text !== '') return [shape];
      return text.startsWith('(') && closing(text, 0) === text.length - 1
        ? this.ofType({ ...type, text: text.slice(1, -1) }, depth + 1)
        : [];
    }
    if (text.startsWith('{')) return signaturesIn(text, 0, type);
    const parameter = this.#parameter({ ...type, text });
    if (parameter !== undefined) return this.ofType(parameter, depth + 1);
    const types = await this.#members.types({ ...type, text });
    if (!Array.isArray(types)) return [];
    const found: FunctionShape[] = [];
    for (const bound of types) found.push(...(await this.#ofNamed(bound, depth)));
    return found;
  }

  /** What a type parameter stands for, or extends; undefined for any other type. */
  #parameter({ text, facts, inside, bindings }: TypeRef): TypeRef | undefined {
    const given = bindings?.get(text);
    if (given !== undefined) return given;
    const found = typeParameterAt(facts, text, inside);
    return found?.otherwise === undefined
      ? undefined
      : { text: found.otherwise, facts, inside: found.inside, bindings };
  }

  /** How a function or method is called. */
  async ofDefinition({ symbol, bindings }: Bound): Promise<FunctionShape | undefined> {
    const facts = await this.#files.facts(symbol.path);
    const shape = definedShape(symbol, facts);
    return shape === undefined ? undefined : { ...shape, result: { ...shape.result, bindings } };
  }

  async #ofNamed({ symbol, bindings }: Bound, depth: number): Promise<readonly FunctionShape[]> {
    const facts = await this.#files.facts(symbol.path);
    const type = { facts, inside: symbol.nr, bindings };
    if (symbol.kind === 'type') return this.ofType({ ...type, text: aliasedType(symbol, facts) }, depth + 1);
    if (symbol.kind !== 'interface') return [];
    const shapes = interfaceShapes(symbol, facts);
    return shapes.map((shape) => ({ ...shape, result: { ...shape.result, bindings } }));
  }
}

const known = new WeakMap<FileFacts, Map<number, readonly FunctionShape[]>>();
const defined = new WeakMap<FileFacts, Map<number, FunctionShape | undefined>>();

/** How a function or method is called, read once: some have a page of type parameters. */
function definedShape(symbol: SymbolRow, facts: FileFacts): FunctionShape | undefined {
  const ofFile = defined.get(facts) ?? new Map<number, FunctionShape | undefined>();
  defined.set(facts, ofFile);
  if (!ofFile.has(symbol.nr)) {
    const at = callableAt(symbol, facts);
    ofFile.set(
      symbol.nr,
      at === undefined ? undefined : shapeAt(facts.text, at, { facts, inside: symbol.nr }),
    );
  }
  return ofFile.get(symbol.nr);
}

/** The call signatures of an interface, read once: some have hundreds. */
function interfaceShapes({ nr, line, column }: SymbolRow, facts: FileFacts): readonly FunctionShape[] {
  const ofFile = known.get(facts) ?? new Map<number, readonly FunctionShape[]>();
  known.set(facts, ofFile);
  let found = ofFile.get(nr);
  if (found === undefined) {
    const open = facts.text.indexOf('{', facts.offset(line, column));
    found = open === -1 ? [] : signaturesIn(facts.text, open, { facts, inside: nr });
    ofFile.set(nr, found);
  }
  return found;
}

/** Where the parameters of a definition begin: after its name, or after `=` and `:`. */
export function callableAt({ line, column, name }: SymbolRow, facts: FileFacts): number | undefined {
  const { text } = facts;
  const from = facts.offset(line, column) + name.length;
  const lead = /^\s*[?!]?\s*(?:[:=]\s*(?:async\s*)?(?:function\b\s*[\w$]*\s*)?)?(?=[<(])/.exec(
    text.slice(from, from + 80),
  );
  return lead === null ? undefined : from + lead[0].length;
}

/** How a function that is written in an expression is called. */
export function writtenShape(expression: string, { facts, inside }: Place): FunctionShape | undefined {
  const from = expression.search(/[<(]/);
  return from === -1 ? undefined : shapeAt(expression, from, { facts, inside });
}

/** The shape that is written from `<` or `(` on. */
function shapeAt(
  text: string,
  from: number,
  type: Omit<TypeRef, 'text'>,
): (FunctionShape & { readonly end: number }) | undefined {
  let at = from;
  const generics = text[at] === '<' ? parametersAt(text, at).map(({ name }) => name) : [];
  if (text[at] === '<') at = skipSpace(text, closing(text, at) + 1);
  if (text[at] !== '(') return undefined;
  const close = closing(text, at);
  const parameters = splitType(withoutComments(text.slice(at + 1, close)), ',');
  at = skipSpace(text, close + 1);
  const mark = /^(?:=>|:)/.exec(text.slice(at, at + 2));
  const written = mark === null ? '' : typeAt(text, at + mark[0].length);
  const end = mark === null ? at : skipSpace(text, at + mark[0].length) + written.length;
  const result = mark?.[0] === ':' ? withoutArrow(written) : written;
  return { generics, parameters, result: { ...type, text: result }, end };
}

/** The result of an arrow function as written: the arrow after it is not part of the type. */
export function withoutArrow(written: string): string {
  const close = written.startsWith('(') ? closing(written, 0) : -1;
  const arrow = close === -1 ? written.indexOf('=>') : written.indexOf('=>', close);
  if (arrow === -1) return written;
  // `(a: A) => B` is a function type, unless a body follows; one that an arrow function returns is in parentheses.
  const isType =
    close !== -1 && !written.slice(1, close).includes('=>') && !/^\s*\{/.test(written.slice(arrow + 2));
  return isType ? written : written.slice(0, arrow).trimEnd();
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
}

/** The call signatures among the members of an interface. */
function signaturesIn(text: string, open: number, type: Omit<TypeRef, 'text'>): FunctionShape[] {
  const found: FunctionShape[] = [];
  const end = closing(text, open);
  for (let at = open + 1; at < end; ) {
    const start = skipSpace(text, at);
    if (text.startsWith('//', start) || text.startsWith('/*', start)) {
      const close = text.startsWith('//', start) ? text.indexOf('\n', start) : text.indexOf('*/', start) + 2;
      at = close <= start ? end : close;
      continue;
    }
    const shape = /[<(]/.test(text[start] ?? '') ? shapeAt(text, start, type) : undefined;
    if (shape !== undefined) found.push(shape);
    at = Math.max(start + 1, shape?.end ?? memberEnd(text, start, end));
  }
  return found;
}

function memberEnd(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const character = text[at] ?? '';
    if ('([{<'.includes(character)) at = closing(text, at);
    else if (character === ';' || character === ',' || character === '\n') return at + 1;
  }
  return end;
}

/** The type of the parameter at a place; a rest parameter covers all later places. */
export function parameterType({ parameters, result }: FunctionShape, index: number): TypeRef | undefined {
  const last = parameters.length - 1;
  const rest = parameters[last]?.startsWith('...') === true && index >= last;
  const parameter = parameters[rest ? last : index];
  if (parameter === undefined) return undefined;
  const start = /^[{[]/.test(parameter) ? closing(parameter, 0) + 1 : 0;
  const colon = parameter.indexOf(':', start);
  if (colon === -1) return undefined;
  const type = { ...result, text: typeAt(parameter, colon + 1) };
  if (!rest) return type;
  if (type.text.startsWith('[')) {
    const text = splitType(type.text.slice(1, -1), ',')[index - last];
    return text === undefined ? undefined : { ...type, text: text.replace(/^[\w$]+\??:\s*/, '') };
  }
  return elementOf(type)?.type;
}
