import { createMatcher, type Matcher } from '../regex/matcher.ts';
import { choicePattern } from './glob-pattern.ts';
import { alternatives, type GlobReading, type Token } from './parse-glob.ts';

/** Says whether a name, or a path with `/`, matches a glob. */
export type GlobMatch = (text: string) => boolean;

export interface GlobOptions extends GlobReading {
  readonly ignoreCase?: boolean | undefined;
  /** The glob is for names: a path matches if one of its names does. */
  readonly anyName?: boolean | undefined;
}

/**
 * Compiles a glob as git and ripgrep read it: `*` and `?` within a name, `**` as a whole part for any folders,
 * `[a-z]`, `[!a]`, `{a,b}` also nested, and `\` before a literal character. Globs come from strangers, so
 * they run on our own regular expressions: no glob takes more than one step per byte of a text.
 *
 * @example glob('*.{ts,tsx}')('index.ts') // true
 */
export function glob(pattern: string, options: GlobOptions = {}): GlobMatch {
  const choices = alternatives(pattern, options);
  if (options.ignoreCase !== true && options.anyName !== true) {
    const simple = choices.map(simpleMatch);
    const [only] = simple;
    if (simple.length === 1 && only !== undefined) return only;
    if (simple.every((match) => match !== undefined)) return (text) => simple.some((match) => match?.(text));
  }
  const one = `(?:${choicePattern(choices)})`;
  const whole = options.anyName === true ? `(?:(?s:.)*/)?${one}(?:/(?s:.)*)?` : one;
  // Compiled when first needed, because many rules of a large tree's ignore files never are.
  let matcher: Matcher | undefined;
  return (text) => {
    matcher ??= createMatcher({
      pattern: `^${whole}$`,
      insensitive: options.ignoreCase === true,
      word: false,
      fixed: false,
      lossy: true,
      apart: true,
    });
    const size = encode(text);
    return matcher.test(scratch, 0, size);
  };
}

/** Plain names and `*.ending` are compared directly: 20 times as fast, and most rules are of these kinds. */
function simpleMatch(tokens: readonly Token[]): GlobMatch | undefined {
  const [first] = tokens;
  const star = first?.type === 'star' && first.reach === 'name';
  let plain = '';
  for (const token of star ? tokens.slice(1) : tokens) {
    if (token.type !== 'char') return undefined;
    plain += token.char;
  }
  if (!star) return (text) => text === plain;
  // The part that the star matches has no slash.
  return (text) => text.endsWith(plain) && !text.slice(0, text.length - plain.length).includes('/');
}

let scratch = new Uint8Array(4_096);
const encoder = new TextEncoder();

/** Puts the UTF-8 of a text into `scratch`; returns its length. */
function encode(text: string): number {
  if (scratch.length < 3 * text.length) scratch = new Uint8Array(3 * text.length);
  return encoder.encodeInto(text, scratch).written;
}
