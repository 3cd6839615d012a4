import { fail } from '../../contract/errors.ts';

/** Says whether a name, or a path with `/`, fits a pattern. */
export type GlobMatch = (text: string) => boolean;

const MOST_ALTERNATIVES = 64;

/**
 * Compiles a glob: `*` and `?` within a name, `**` across folders, `[a-z]`, `[!a]`, `{a,b}`.
 * Matching never builds a regular expression, so no pattern can take more than text × pattern steps.
 *
 * @example glob('*.{ts,tsx}')('index.ts') // true
 */
export function glob(pattern: string, options: { ignoreCase?: boolean } = {}): GlobMatch {
  const fold = options.ignoreCase === true ? (text: string) => text.toLowerCase() : (text: string) => text;
  const compiled = alternatives(fold(pattern)).map(tokens);
  const [only] = compiled;
  if (compiled.length === 1 && only !== undefined) return (text) => fits(only, fold(text));
  return (text) => {
    const folded = fold(text);
    return compiled.some((list) => fits(list, folded));
  };
}

/** A part of a glob without alternatives. */
export type Token =
  | { readonly type: 'char'; readonly char: string }
  | { readonly type: 'any' }
  /** One star ends at a slash, two cross it, two with a slash fit whole folders only. */
  | { readonly type: 'star'; readonly reach: 'name' | 'across' | 'folders' }
  | {
      readonly type: 'class';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** Expands `{a,b}` into plain patterns. */
export function alternatives(pattern: string): string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern];
  let depth = 0;
  const cuts = [open];
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '{') depth++;
    else if (char === ',' && depth === 1) cuts.push(at);
    else if (char === '}' && --depth === 0) {
      cuts.push(at);
      const head = pattern.slice(0, open);
      const tails = alternatives(pattern.slice(at + 1));
      const middles = cuts
        .slice(1)
        .flatMap((cut, i) => alternatives(pattern.slice((cuts[i] ?? open) + 1, cut)));
      if (middles.length * tails.length > MOST_ALTERNATIVES) {
        fail('invalid_parameter', `glob '${pattern}' has more than ${MOST_ALTERNATIVES} alternatives.`);
      }
      return middles.flatMap((middle) => tails.map((tail) => head + middle + tail));
    }
  }
  return fail('invalid_parameter', `glob '${pattern}' has a '{' without '}'.`);
}

/** The parts of a pattern without alternatives. */
export function tokens(pattern: string): Token[] {
  const list: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === '*') {
      const across = pattern[at + 1] === '*';
      while (pattern[at + 1] === '*') at++;
      const folders = across && pattern[at + 1] === '/';
      if (folders) at++;
      list.push({ type: 'star', reach: folders ? 'folders' : across ? 'across' : 'name' });
    } else if (char === '?') list.push({ type: 'any' });
    else if (char === '[') {
      const end = pattern.indexOf(']', at + 2);
      if (end < 0) fail('invalid_parameter', `glob '${pattern}' has a '[' without ']'.`);
      list.push(charClass(pattern.slice(at + 1, end), pattern));
      at = end;
    } else if (char === '\\' && at + 1 < pattern.length)
      list.push({ type: 'char', char: pattern.charAt(++at) });
    else list.push({ type: 'char', char });
  }
  return list;
}

function charClass(body: string, pattern: string): Token {
  const negated = body.startsWith('!') || body.startsWith('^');
  const chars = negated ? body.slice(1) : body;
  const ranges: [string, string][] = [];
  for (let at = 0; at < chars.length; at++) {
    const from = chars.charAt(at);
    if (chars[at + 1] === '-' && at + 2 < chars.length) {
      const to = chars.charAt(at + 2);
      if (from > to) {
        fail(
          'invalid_parameter',
          `glob '${pattern}' has the range '${from}-${to}', which holds nothing; write '${to}-${from}'.`,
        );
      }
      ranges.push([from, to]);
      at += 2;
    } else ranges.push([from, from]);
  }
  return { type: 'class', negated, ranges };
}

/** Greedy matching that goes back to the last star only: first the one within a name, then the one across. */
function fits(list: readonly Token[], text: string): boolean {
  let at = 0;
  let next = 0;
  // Where to go on after the last star of each sort (-1: there is none), and how far it reaches so far.
  let starNext = -1;
  let starAt = 0;
  let acrossNext = -1;
  let acrossAt = 0;
  let folders = false;
  while (at < text.length || next < list.length) {
    const token = list[next];
    if (token?.type === 'star') {
      next++;
      if (token.reach === 'name') {
        starNext = next;
        starAt = at;
      } else {
        acrossNext = next;
        acrossAt = at;
        folders = token.reach === 'folders';
        starNext = -1;
      }
    } else if (token !== undefined && at < text.length && fitsOne(token, text.charAt(at))) {
      next++;
      at++;
    } else if (starNext >= 0 && starAt < text.length && text[starAt] !== '/') {
      at = ++starAt;
      next = starNext;
    } else {
      const later = folders ? text.indexOf('/', acrossAt) + 1 : acrossAt + 1;
      if (acrossNext < 0 || later === 0 || later > text.length) return false;
      acrossAt = later;
      at = later;
      next = acrossNext;
      starNext = -1;
    }
  }
  return true;
}

function fitsOne(token: Token, char: string): boolean {
  if (token.type === 'char') return token.char === char;
  if (char === '/') return false;
  if (token.type === 'class') {
    return token.ranges.some(([from, to]) => char >= from && char <= to) !== token.negated;
  }
  return token.type === 'any';
}
