import { orbit } from './charset.ts';
import type { Syntax } from './syntax.ts';

/** A text that a matching line contains; `folded` texts are lower case and match in any case. */
export interface Literal {
  readonly text: string;
  readonly folded: boolean;
}

/** What every matching line must contain; `any` is not a requirement. */
export type Requirement =
  | { readonly kind: 'any' }
  | { readonly kind: 'literal'; readonly literal: Literal }
  | { readonly kind: 'all' | 'one'; readonly parts: readonly Requirement[] };

const ANY: Requirement = { kind: 'any' };

/** A set of alternative texts grows up to this many; then a new one is started. */
const MAX_TEXTS = 24;
const MAX_TEXT_LENGTH = 200;
const MAX_COPIES = 16;

/** All texts that a part can be, or undefined if they are too many. */
type Texts = readonly Literal[] | undefined;

/** Derives from the pattern what a matching line must contain. */
export function requirement(syntax: Syntax): Requirement {
  return simplified(required(syntax));
}

function required(syntax: Syntax): Requirement {
  const texts = textsOf(syntax);
  if (texts !== undefined) return oneOf(texts);
  switch (syntax.kind) {
    case 'concat':
      return requiredOfSequence(syntax.parts);
    case 'choice':
      return { kind: 'one', parts: syntax.parts.map(required) };
    case 'repeat':
      return syntax.min > 0 ? required(syntax.part) : ANY;
    default:
      return ANY;
  }
}

/** Joins neighbouring parts with known texts; other parts separate them. */
function requiredOfSequence(parts: readonly Syntax[]): Requirement {
  const found: Requirement[] = [];
  let open: readonly Literal[] = [{ text: '', folded: false }];
  const close = () => {
    found.push(oneOf(open));
    open = [{ text: '', folded: false }];
  };
  for (const part of parts.flatMap(unrolled)) {
    const texts = textsOf(part);
    const joined = texts === undefined ? undefined : product(open, texts);
    if (joined !== undefined) open = joined;
    else {
      close();
      if (texts === undefined) found.push(required(part));
      else open = texts;
    }
  }
  close();
  return { kind: 'all', parts: found };
}

/** `x{3,}` as three x and the rest, so that they join with their neighbours. */
function unrolled(part: Syntax): Syntax[] {
  if (part.kind === 'concat') return part.parts.flatMap(unrolled);
  if (part.kind !== 'repeat' || part.min === 0) return [part];
  const copies = Math.min(part.min, MAX_COPIES);
  if (part.min === part.max && copies === part.min) return Array<Syntax>(copies).fill(part.part);
  return [...Array<Syntax>(copies).fill(part.part), { ...part, min: 0, max: Number.POSITIVE_INFINITY }];
}

/** All texts that the part can be, or undefined if they are too many. */
export function textsOf(syntax: Syntax): Texts {
  switch (syntax.kind) {
    case 'empty':
    case 'look':
      return [{ text: '', folded: false }];
    case 'set':
      return syntax.char === undefined ? undefined : charTexts(syntax.char, syntax.folded);
    case 'concat':
      return syntax.parts.reduce<Texts>(
        (open, part) => (open === undefined ? undefined : product(open, textsOf(part))),
        [{ text: '', folded: false }],
      );
    case 'choice': {
      const all = syntax.parts.map(textsOf);
      const texts = all.flatMap((one) => one ?? []);
      return all.includes(undefined) || texts.length > MAX_TEXTS ? undefined : texts;
    }
    case 'repeat': {
      if (syntax.max > 1 && !(syntax.min === syntax.max && syntax.max <= MAX_COPIES)) return undefined;
      if (syntax.min === 0) return optional(textsOf(syntax.part));
      return textsOf({ kind: 'concat', parts: Array<Syntax>(syntax.max).fill(syntax.part) });
    }
  }
}

function optional(texts: Texts): Texts {
  return texts === undefined || texts.length >= MAX_TEXTS
    ? undefined
    : [{ text: '', folded: false }, ...texts];
}

/**
 * A folded ASCII letter stays one text: the index and the search fold it, and the two characters outside ASCII
 * that fold to k and s, too. Other letters become one text for each case.
 */
function charTexts(codePoint: number, folded: boolean): Texts {
  if (!folded) return [{ text: String.fromCodePoint(codePoint), folded: false }];
  const members = orbit(codePoint);
  const ascii = members.find((member) => member >= 97 && member <= 122);
  if (ascii !== undefined) return [{ text: String.fromCharCode(ascii), folded: true }];
  return members.map((member) => ({ text: String.fromCodePoint(member), folded: false }));
}

function product(left: readonly Literal[], right: Texts): readonly Literal[] | undefined {
  if (right === undefined || left.length * right.length > MAX_TEXTS) return undefined;
  const all = left.flatMap((a) =>
    right.map((b) => ({ text: joinedText(a, b), folded: a.folded || b.folded })),
  );
  return all.some((one) => one.text.length > MAX_TEXT_LENGTH) ? undefined : all;
}

/** Once a text is folded, all its letters are: a weaker requirement, but still true. */
function joinedText(a: Literal, b: Literal): string {
  return a.folded || b.folded ? lowerAscii(a.text + b.text) : a.text + b.text;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function oneOf(texts: readonly Literal[]): Requirement {
  return { kind: 'one', parts: texts.map((literal) => ({ kind: 'literal', literal })) };
}

function simplified(need: Requirement): Requirement {
  if (need.kind === 'literal') return need.literal.text === '' ? ANY : need;
  if (need.kind === 'any') return need;
  const parts = need.parts.map(simplified);
  if (need.kind === 'one' && parts.some((part) => part.kind === 'any')) return ANY;
  const kept = parts.filter((part) => part.kind !== 'any');
  const [only] = kept;
  if (only === undefined) return ANY;
  return kept.length === 1 ? only : { kind: need.kind, parts: kept };
}

/**
 * A short list of texts, at least one of which is in every matching line: the best to search for first. Undefined if
 * the pattern requires nothing.
 */
export function searchTexts(need: Requirement): readonly Literal[] | undefined {
  if (need.kind === 'any') return undefined;
  if (need.kind === 'literal') return [need.literal];
  const options = need.parts.map(searchTexts);
  if (need.kind === 'one') {
    return options.includes(undefined) ? undefined : options.flatMap((option) => option ?? []);
  }
  const known = options.filter((option) => option !== undefined);
  return known.sort((a, b) => worth(b) - worth(a))[0];
}

/** Long texts are rare; each text costs a pass, and folded ones cost more. */
function worth(texts: readonly Literal[]): number {
  const shortest = Math.min(...texts.map((literal) => literal.text.length));
  return shortest - texts.length + (texts.some((literal) => literal.folded) ? -2 : 0);
}

/** A requirement in words: `"spin_lock" and ("irq" or "IRQ")`. */
export function requirementText(need: Requirement): string {
  if (need.kind === 'any') return 'anything';
  if (need.kind === 'literal')
    return `${JSON.stringify(need.literal.text)}${need.literal.folded ? ' in any case' : ''}`;
  const parts = need.parts.map((part) =>
    part.kind === 'literal' || part.kind === 'any' ? requirementText(part) : `(${requirementText(part)})`,
  );
  return parts.join(need.kind === 'all' ? ' and ' : ' or ');
}
