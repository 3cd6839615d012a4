import type { FileFacts } from './question-files.ts';
import {
  closing,
  expressionAt,
  opening,
  receiverBefore,
  skipSpace,
  skipSpaceBack,
  splitType,
  typeAt,
} from './type-text.ts';

/** How a variable or parameter of TypeScript is declared: by its type, its value, or what a loop iterates over. */
export type VariableDeclaration = {
  readonly offset: number;
  /** What a pattern takes out of it, outermost first. */
  readonly properties: readonly string[];
} & (
  | { readonly type: string }
  | { readonly value: string }
  | { readonly each: string }
  | { readonly parameter: ContextualParameter }
  | { readonly unknown: true }
);

/** A parameter whose type only the use of its function shows. */
export interface ContextualParameter {
  /** Where the function begins: its brackets, its only parameter, or its name if it is a method. */
  readonly start: number;
  readonly index: number;
  /** The name of a method in an object. */
  readonly method?: string | undefined;
}

const MAX_CHARACTERS_AHEAD = 20_000;
const MAX_CHARACTERS_BACK = 20_000;
const DECLARES = /(?:^|[^\w$.])(?:const|let|var|using)\s+$/;
/** List functions that pass each element to a callback. */
const CALLBACKS =
  /^(?:map|filter|forEach|some|every|find|findLast|findIndex|findLastIndex|flatMap|sort|toSorted)$/;

/** A part of a list that a pattern takes out: `[1]` for the second. */
export function placeName(at: number): string {
  return `[${at}]`;
}

/** The place that such a name means; undefined for names of properties. */
export function placeIn(property: string): number | undefined {
  return property.startsWith('[') ? Number(property.slice(1, -1)) : undefined;
}

/** Where a file declares a name. */
interface DeclarationPlace {
  readonly at: number;
  readonly declaration: VariableDeclaration;
}

const known = new WeakMap<FileFacts, Map<string, readonly DeclarationPlace[]>>();

/** All declarations of a name in a file, found once: a test may use a variable hundreds of times. */
function declarationsOf(facts: FileFacts, name: string): readonly DeclarationPlace[] {
  const ofFile = known.get(facts) ?? new Map<string, readonly DeclarationPlace[]>();
  known.set(facts, ofFile);
  const { text } = facts;
  let found = ofFile.get(name);
  if (found === undefined) {
    const places: DeclarationPlace[] = [];
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
      const end = at + name.length;
      if (/[\w$]/.test(text[end] ?? '')) continue;
      if (/[\w$#.]/.test(text[at - 1] ?? '') && text.slice(Math.max(0, at - 3), at) !== '...') continue;
      const declaration = declarationAt(text, at, end);
      if (declaration !== undefined) places.push({ at, declaration });
    }
    found = places;
    ofFile.set(name, found);
  }
  return found;
}

/**
 * The declaration of a name that is visible at a place, the nearest before it; undefined if there is none. Before `own`,
 * where the named function around the place begins, only blocks that are still open count.
 */
export function variableAt(
  facts: FileFacts,
  name: string,
  offset: number,
  own: number,
): VariableDeclaration | undefined {
  const { text } = facts;
  // A function that begins its line is not inside another one.
  const least = /\s/.test(text[own] ?? '') ? Math.max(0, own - MAX_CHARACTERS_BACK) : own;
  const found = declarationsOf(facts, name).findLast(
    ({ at }) => at < offset && at >= least && (at >= own || isVisible(text, at, offset)),
  );
  if (found !== undefined) return found.declaration;
  // Used in a function that runs after the declaration, which is further down.
  const later = new RegExp(`\\b(?:const|let|var|using)\\s+${name.replaceAll('$', '\\$')}\\b`, 'g');
  later.lastIndex = offset;
  const match = own === 0 ? null : later.exec(text.slice(0, offset + MAX_CHARACTERS_AHEAD));
  return match === null
    ? undefined
    : declared(text, skipSpace(text, match.index + match[0].length), match.index, []);
}

/** Whether the block that a declaration belongs to is still open at a place; parameters belong to the block after them. */
function isVisible(text: string, at: number, offset: number): boolean {
  let open = opening(text, at, Math.max(0, at - MAX_CHARACTERS_BACK));
  while (open !== -1 && text[open] !== '{') {
    const close = closing(text, open);
    const body =
      text[open] === '(' ? /^\s*(?::[^;{}]*)?(?:=>\s*)?\{/.exec(text.slice(close + 1, close + 200)) : null;
    if (body !== null) return closing(text, close + body[0].length) >= offset;
    open = opening(text, open, Math.max(0, open - MAX_CHARACTERS_BACK));
  }
  return open === -1 || closing(text, open) >= offset;
}

/** The value that a name at a place is taken out of, if it is in a pattern such as `{ name }` or `{ name: other }`. */
export function patternAt(text: string, at: number, length: number): VariableDeclaration | undefined {
  const open = opening(text, at, Math.max(0, at - 3000));
  if (open === -1 || text[open] !== '{') return undefined;
  const next = skipSpace(text, at + length);
  // `{ name: other }`: the pattern continues after the other name.
  const behind = text[next] === ':' ? renamedEnd(text, next + 1) : next;
  const found = behind === undefined ? undefined : pattern(text, at, behind, open);
  return found === undefined || 'unknown' in found ? undefined : found;
}

function renamedEnd(text: string, from: number): number | undefined {
  const at = skipSpace(text, from);
  if (text[at] === '{' || text[at] === '[') return skipSpace(text, closing(text, at) + 1);
  const name = /^[\w$]+/.exec(text.slice(at, at + 80))?.[0];
  return name === undefined ? undefined : skipSpace(text, at + name.length);
}

function declarationAt(text: string, at: number, end: number): VariableDeclaration | undefined {
  const next = skipSpace(text, end);
  if (DECLARES.test(text.slice(Math.max(0, at - 40), at))) return declared(text, next, at, []);
  const open = opening(text, at, Math.max(0, at - 3000));
  // `x => …`
  if (text.startsWith('=>', next)) return callback(text, at, at, []);
  if (open === -1) return undefined;
  if (text[open] === '(') return parameter(text, at, next, open);
  return text[open] === '{' || text[open] === '[' ? pattern(text, at, next, open) : undefined;
}

/** After `const x`: a type, a value, or a loop. */
function declared(
  text: string,
  next: number,
  offset: number,
  properties: readonly string[],
): VariableDeclaration | undefined {
  const rest = text.slice(next, next + 3);
  if (rest.startsWith(':')) return { offset, properties, type: typeAt(text, next + 1) };
  if (/^=(?![=>])/.test(rest)) return { offset, properties, value: expressionAt(text, next + 1) };
  if (/^of\s/.test(rest)) return { offset, properties, each: expressionAt(text, next + 3) };
  return { offset, properties, unknown: true };
}

function parameter(text: string, at: number, next: number, open: number): VariableDeclaration | undefined {
  const before = text.slice(Math.max(0, at - 40), at);
  const starts = /(?:[(,]\s*|\b(?:private|public|protected|readonly|override)\s+|\.\.\.)$/.test(before);
  if (!starts) return undefined;
  const typed =
    text[next] === '?' && text[skipSpace(text, next + 1)] === ':' ? skipSpace(text, next + 1) : next;
  if (text[typed] === ':') return { offset: at, properties: [], type: typeAt(text, typed + 1) };
  if (!/^(?:[,)]|=(?![=>]))/.test(text.slice(next, next + 2))) return undefined;
  return ofFunction(text, open, at, []);
}

/** A parameter without a type, if the bracket at a place contains parameters. */
function ofFunction(
  text: string,
  open: number,
  at: number,
  properties: readonly string[],
): VariableDeclaration | undefined {
  if (isParameterList(text, open)) return callback(text, open, at, properties);
  const index = indexIn(text, open, at);
  const head = /(?:\basync\s+)?\bfunction\b\s*\*?\s*[\w$]*\s*$/.exec(
    text.slice(Math.max(0, open - 80), open),
  );
  if (head !== null)
    return {
      offset: at,
      properties,
      parameter: { start: skipSpaceBack(text, open - head[0].length), index },
    };
  const method = methodBefore(text, open);
  return method === undefined ? undefined : { offset: at, properties, parameter: { ...method, index } };
}

/** How many parameters come before a place. */
function indexIn(text: string, open: number, at: number): number {
  const before = text.slice(open + 1, at);
  return splitType(`${before}x`, ',').length - 1;
}

/** The name before the brackets of `name(a, b) {` in an object. */
function methodBefore(text: string, open: number): { start: number; method: string } | undefined {
  const close = closing(text, open);
  if (!/^\s*(?::[^;=(){}]*)?\{/.test(text.slice(close + 1, close + 200))) return undefined;
  const method = /([\w$]+)\s*$/.exec(text.slice(Math.max(0, open - 80), open))?.[1];
  if (method === undefined || /^(?:if|for|while|switch|catch|with|function|constructor)$/.test(method))
    return undefined;
  const start = text.lastIndexOf(method, open);
  const before = text.slice(Math.max(0, start - 12), start);
  return /(?:[{,*]|\basync)\s*$/.test(before) ? { start, method } : undefined;
}

/** Whether the bracket at a place contains the parameters of an arrow function. */
function isParameterList(text: string, open: number): boolean {
  return /^\s*(?::[^=;{]*)?=>/.test(text.slice(closing(text, open) + 1, closing(text, open) + 200));
}

/** A parameter without a type: an element of the list whose function is called. */
function callback(
  text: string,
  open: number,
  offset: number,
  properties: readonly string[],
): VariableDeclaration {
  let at = skipSpaceBack(text, open);
  if (/\basync$/.test(text.slice(Math.max(0, at - 6), at))) at = skipSpaceBack(text, at - 5);
  const index = text[open] === '(' ? indexIn(text, open, offset) : 0;
  const called =
    text[at - 1] === '(' ? /([\w$]+)\s*$/.exec(text.slice(Math.max(0, at - 60), at - 1))?.[1] : undefined;
  // Only the first parameter is the element.
  const list =
    called === undefined || !CALLBACKS.test(called) || index > 0
      ? ''
      : receiverBefore(text, at - 1 - called.length);
  return list === ''
    ? { offset, properties, parameter: { start: at, index } }
    : { offset, properties, each: list };
}

/** `{ a, b: c }` of a declaration, a parameter or a loop. */
function pattern(text: string, at: number, next: number, open: number): VariableDeclaration | undefined {
  const after = text.slice(next, next + 2);
  if (!/^(?:[,}\]]|=(?![=>]))/.test(after)) return undefined;
  const renamed = /([\w$]+)\s*:\s*$/.exec(text.slice(Math.max(0, at - 60), at))?.[1];
  const own =
    text[open] === '['
      ? placeName(indexIn(text, open, at))
      : (renamed ?? /^[\w$]+/.exec(text.slice(at, at + 120))?.[0] ?? '');
  const close = closing(text, open);
  const behind = skipSpace(text, close + 1);
  if (DECLARES.test(text.slice(Math.max(0, open - 40), open))) return declared(text, behind, at, [own]);
  const outer = opening(text, open, Math.max(0, open - 3000));
  if (outer === -1) return undefined;
  if (text[outer] === '(') {
    if (!/[(,]\s*$/.test(text.slice(Math.max(0, open - 20), open))) return undefined;
    if (text[behind] === ':') return { offset: at, properties: [own], type: typeAt(text, behind + 1) };
    return ofFunction(text, outer, open, [own]);
  }
  if (text[outer] !== '{' && text[outer] !== '[') return undefined;
  const around = pattern(text, open, behind, outer);
  return around === undefined ? undefined : { ...around, properties: [...around.properties, own] };
}
