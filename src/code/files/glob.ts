/**
 * Globs as in .gitignore: `*`, `?`, `[a-z]`, `**`, `\` escapes. Patterns come from strangers' repositories, so
 * matching never backtracks over more than one star: no pattern can make it slow.
 */

type Piece =
  | { readonly kind: 'char'; readonly value: string }
  | { readonly kind: 'any' | 'star' }
  | ClassPiece;

interface ClassPiece {
  readonly kind: 'class';
  readonly negated: boolean;
  readonly ranges: readonly (readonly [string, string])[];
}

/** Tests one path component. */
type NameTest = (name: string) => boolean;

const DOUBLE_STAR = '**';

/** A test for one path component against a glob without slashes. */
export function nameGlob(glob: string): NameTest {
  if (!/[*?[\\]/.test(glob)) return (name) => name === glob;
  const tail = glob.slice(1);
  if (glob.startsWith('*') && !/[*?[\\]/.test(tail)) return (name) => name.endsWith(tail);
  const pieces = parsePieces(glob);
  return (name) => wildcard(pieces, [...name], matchPiece, (piece) => piece.kind === 'star');
}

/** A test for a whole relative path against a glob with slashes. */
export function pathGlob(glob: string): (path: string) => boolean {
  const parts = glob.split('/').map((part) => (part === DOUBLE_STAR ? DOUBLE_STAR : nameGlob(part)));
  // `a/**` is everything inside a, not a itself.
  if (parts.at(-1) === DOUBLE_STAR) parts.push(() => true);
  return (path) => wildcard(parts, path.split('/'), matchPart, (part) => part === DOUBLE_STAR);
}

/** A test for the `glob` filter of a search: names anywhere, or paths from the root where it has a slash. */
export function filterGlob(glob: string): (path: string) => boolean {
  const tests = braces(glob).map((one) => {
    const bare = one.replace(/^\//, '').replace(/\/$/, '/**');
    return one.replace(/\/$/, '').includes('/') ? pathGlob(bare) : insideOrNamed(one.replace(/\/$/, ''));
  });
  return (path) => tests.some((test) => test(path));
}

/** `src` names the file or every file below a folder of that name. */
function insideOrNamed(glob: string): (path: string) => boolean {
  const test = nameGlob(glob);
  return (path) => path.split('/').some(test);
}

const MAX_ALTERNATIVES = 64;

/** `*.{ts,tsx}` as `*.ts` and `*.tsx`; at most 64 results, so that nesting cannot explode. */
export function braces(glob: string): string[] {
  const done: string[] = [];
  const pending = [glob];
  for (let next = pending.pop(); next !== undefined && done.length < MAX_ALTERNATIVES; next = pending.pop()) {
    const alternatives = firstBraces(next);
    if (alternatives === undefined) done.push(next);
    else pending.push(...alternatives.reverse());
  }
  return done;
}

/** The alternatives of the first pair of braces, each within the rest of the glob. */
function firstBraces(glob: string): string[] | undefined {
  // Not one that is escaped.
  const open = /^(?:[^\\{]|\\[\s\S])*(?=\{)/.exec(glob)?.[0].length;
  if (open === undefined) return undefined;
  let depth = 0;
  const cuts = [open];
  for (let at = open; at < glob.length; at++) {
    const character = glob[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) cuts.push(at);
    else if (character === '}' && --depth === 0) {
      cuts.push(at);
      const bodies = cuts.slice(0, -1).map((cut, index) => glob.slice(cut + 1, cuts[index + 1]));
      return bodies.map((body) => glob.slice(0, open) + body + glob.slice(at + 1));
    }
  }
  return undefined;
}

/** Greedy matching that only ever goes back to the last star: at most n × m steps. */
function wildcard<P, V>(
  pattern: readonly P[],
  values: readonly V[],
  matches: (piece: P, value: V) => boolean,
  isStar: (piece: P) => boolean,
): boolean {
  let p = 0;
  let v = 0;
  let star = -1;
  let resume = 0;
  while (v < values.length) {
    const piece = pattern[p];
    const value = values[v];
    if (piece !== undefined && isStar(piece)) {
      star = p++;
      resume = v;
    } else if (piece !== undefined && value !== undefined && matches(piece, value)) {
      p++;
      v++;
    } else if (star !== -1) {
      p = star + 1;
      v = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.length) {
    const piece = pattern[p++];
    if (piece === undefined || !isStar(piece)) return false;
  }
  return true;
}

function matchPart(part: NameTest | typeof DOUBLE_STAR, name: string): boolean {
  return part !== DOUBLE_STAR && part(name);
}

function matchPiece(piece: Piece, character: string): boolean {
  if (piece.kind === 'char') return piece.value === character;
  if (piece.kind !== 'class') return piece.kind === 'any';
  return piece.ranges.some(([low, high]) => character >= low && character <= high) !== piece.negated;
}

function parsePieces(glob: string): Piece[] {
  const characters = [...glob];
  const pieces: Piece[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '*') {
      if (pieces.at(-1)?.kind !== 'star') pieces.push({ kind: 'star' });
    } else if (character === '?') pieces.push({ kind: 'any' });
    else if (character === '\\' && at + 1 < characters.length) {
      pieces.push({ kind: 'char', value: characters[++at] ?? '' });
    } else if (character === '[') {
      const parsed = parseClass(characters, at);
      pieces.push(parsed?.piece ?? { kind: 'char', value: '[' });
      at = parsed?.end ?? at;
    } else pieces.push({ kind: 'char', value: character });
  }
  return pieces;
}

function parseClass(characters: readonly string[], open: number): { piece: Piece; end: number } | undefined {
  let at = open + 1;
  const negated = characters[at] === '!' || characters[at] === '^';
  if (negated) at++;
  const ranges: [string, string][] = [];
  for (let first = true; at < characters.length; first = false) {
    let low = characters[at++] ?? '';
    if (low === ']' && !first) return { piece: { kind: 'class', negated, ranges }, end: at - 1 };
    if (low === '\\') low = characters[at++] ?? '';
    if (characters[at] === '-' && characters[at + 1] !== ']' && at + 1 < characters.length) {
      at++;
      let high = characters[at++] ?? '';
      if (high === '\\') high = characters[at++] ?? '';
      ranges.push([low, high]);
    } else ranges.push([low, low]);
  }
  return undefined;
}
