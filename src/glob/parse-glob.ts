import { fail } from '../contract/errors.ts';

/** A part of a glob without alternatives. */
export type Token =
  | { readonly type: 'char'; readonly char: string }
  | { readonly type: 'any' }
  /** One star stays within a name. Two are whole folders: `folders` with the slash after them, `rest` at the end. */
  | { readonly type: 'star'; readonly reach: 'name' | 'folders' | 'rest' }
  | {
      readonly type: 'class';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** How a glob is read. */
export interface GlobReading {
  /** A `[` without `]` is a plain character, as in ignore files, and not an error. */
  readonly unclosedClass?: boolean | undefined;
}

const MAX_ALTERNATIVES = 256;

/**
 * The alternatives of a glob, with `{a,b}` written out, each as tokens. There is at least one.
 *
 * @example alternatives('*.{ts,md}') // the parts of '*.ts' and of '*.md'
 */
export function alternatives(glob: string, reading: GlobReading = {}): Token[][] {
  return plainGlobs(glob).map((plain) => tokens(plain, glob, reading));
}

/** The same as globs without braces. */
export function plainGlobs(glob: string): string[] {
  return writtenOut(glob, glob);
}

function writtenOut(text: string, glob: string): string[] {
  const open = indexOutside(text, 0, (char) => char === '{');
  if (open < 0) return [text];
  let depth = 0;
  const cuts = [open];
  const close = indexOutside(text, open, (char, at) => {
    if (char === '{') depth++;
    else if (char === ',' && depth === 1) cuts.push(at);
    return char === '}' && --depth === 0;
  });
  if (close < 0) refuse(glob, "has a '{' without '}'; write '\\{' for the character itself");
  cuts.push(close);
  const head = text.slice(0, open);
  const tails = writtenOut(text.slice(close + 1), glob);
  const middles = cuts.slice(1).flatMap((cut, i) => writtenOut(text.slice((cuts[i] ?? open) + 1, cut), glob));
  if (middles.length * tails.length > MAX_ALTERNATIVES)
    refuse(glob, `has more than ${MAX_ALTERNATIVES} alternatives; split it into several globs`);
  return middles.flatMap((middle) => tails.map((tail) => head + middle + tail));
}

/** The first position that `is` accepts outside of escapes and classes; -1 if there is none. */
function indexOutside(text: string, from: number, is: (char: string, at: number) => boolean): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '[') at = Math.max(at, classEnd(text, at));
    else if (is(char, at)) return at;
  }
  return -1;
}

/** Where the class that starts here ends; -1 if it does not. A `]` right at its start is a member. */
function classEnd(text: string, open: number): number {
  const first = open + (/[!^]/.test(text.charAt(open + 1)) ? 2 : 1);
  for (let at = first; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ']' && at > first) return at;
  }
  return -1;
}

function tokens(plain: string, glob: string, { unclosedClass = false }: GlobReading): Token[] {
  const list: Token[] = [];
  for (let at = 0; at < plain.length; at++) {
    const char = plain.charAt(at);
    if (char === '*') {
      const begin = at;
      while (plain[at + 1] === '*') at++;
      const whole = at > begin && (begin === 0 || plain[begin - 1] === '/');
      const next = plain[at + 1];
      const reach = whole && next === '/' ? 'folders' : whole && next === undefined ? 'rest' : 'name';
      if (reach === 'folders') at++;
      list.push({ type: 'star', reach });
    } else if (char === '?') list.push({ type: 'any' });
    else if (char === '[') {
      const end = classEnd(plain, at);
      if (end < 0 && !unclosedClass)
        refuse(glob, "has a '[' without ']'; write '\\[' for the character itself");
      list.push(end < 0 ? { type: 'char', char } : classToken(plain.slice(at + 1, end), glob));
      at = Math.max(at, end);
    } else {
      if (char === '\\' && at + 1 < plain.length) at++;
      const whole = String.fromCodePoint(plain.codePointAt(at) ?? 0);
      list.push({ type: 'char', char: whole });
      at += whole.length - 1;
    }
  }
  return list;
}

function classToken(body: string, glob: string): Token {
  const negated = /^[!^]/.test(body);
  // Each member, and whether it is a plain dash: an escaped one makes no range.
  const members = [...(negated ? body.slice(1) : body).matchAll(/\\(.)|./gsu)].map(([text, escaped]) => ({
    char: escaped ?? text,
    dash: text === '-',
  }));
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at]?.char ?? '';
    const to = members[at + 2]?.char;
    if (members[at + 1]?.dash !== true || to === undefined) ranges.push([from, from]);
    else {
      if ((from.codePointAt(0) ?? 0) > (to.codePointAt(0) ?? 0))
        refuse(glob, `has the range '${from}-${to}', which is empty; write '${to}-${from}'`);
      ranges.push([from, to]);
      at += 2;
    }
  }
  return { type: 'class', negated, ranges };
}

function refuse(glob: string, problem: string): never {
  fail('invalid_parameter', `The glob '${glob.length > 60 ? `${glob.slice(0, 60)}…` : glob}' ${problem}.`);
}
