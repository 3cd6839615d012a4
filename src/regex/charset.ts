/**
 * A set of characters as a test instead of a table: the 128 ASCII members are a bitmap, the others are decided
 * by the JavaScript engine's own Unicode data when a non-ASCII character turns up.
 */
export interface CharSet {
  /** Four words of 32 bits. */
  readonly ascii: Uint32Array;
  /** Membership of a code point above 127. Never asked for surrogates. */
  readonly other: (codePoint: number) => boolean;
  /** The single member, for sets of one character. */
  readonly single?: number | undefined;
}

const ASCII_WORDS = 4;

/** True when the code point is in the set; anything that is not a character (invalid bytes) is in none. */
export function hasCodePoint(set: CharSet, codePoint: number): boolean {
  if (codePoint < 0) return false;
  return codePoint < 128 ? hasAscii(set, codePoint) : set.other(codePoint);
}

/** Membership of an ASCII code. */
export function hasAscii(set: CharSet, code: number): boolean {
  return (((set.ascii[code >> 5] ?? 0) >>> (code & 31)) & 1) === 1;
}

/** The set of one character. */
export function singleChar(codePoint: number): CharSet {
  return { ...rangeSet(codePoint, codePoint), single: codePoint };
}

/** The set of all characters from `low` to `high`. */
export function rangeSet(low: number, high: number): CharSet {
  const other = high < 128 ? () => false : (codePoint: number) => codePoint >= low && codePoint <= high;
  return { ascii: asciiWhere((code) => code >= low && code <= high), other };
}

/** The set that a JavaScript character class such as `\p{Lu}` describes; the caller vouches for the source. */
export function jsClass(source: string): CharSet {
  const pattern = new RegExp(source, 'u');
  return fromTest((codePoint) => pattern.test(String.fromCodePoint(codePoint)));
}

/** Everything in one of the sets. */
export function union(sets: readonly CharSet[]): CharSet {
  if (sets.length === 1 && sets[0] !== undefined) return sets[0];
  return combine(
    (code) => sets.some((set) => hasAscii(set, code)),
    (codePoint) => sets.some((set) => set.other(codePoint)),
  );
}

/** Everything in both. */
export function intersection(a: CharSet, b: CharSet): CharSet {
  return combine(
    (code) => hasAscii(a, code) && hasAscii(b, code),
    (codePoint) => a.other(codePoint) && b.other(codePoint),
  );
}

/** Everything in neither or, seen the other way, not in the set. */
export function negation(set: CharSet): CharSet {
  return combine(
    (code) => !hasAscii(set, code),
    (codePoint) => !set.other(codePoint),
  );
}

/** The set together with all other cases of its members. */
export function caseFolded(set: CharSet): CharSet {
  return combine(
    (code) => orbit(code).some((member) => hasCodePoint(set, member)),
    (codePoint) => orbit(codePoint).some((member) => hasCodePoint(set, member)),
  );
}

/** The only ASCII members, when there are at most `most` of them and no others could be. */
export function asciiMembers(set: CharSet, most: number): number[] | undefined {
  const members: number[] = [];
  for (let code = 0; code < 128; code++) {
    if (!hasAscii(set, code)) continue;
    if (members.length === most) return undefined;
    members.push(code);
  }
  return members;
}

function fromTest(test: (codePoint: number) => boolean): CharSet {
  return combine(test, test);
}

function combine(ascii: (code: number) => boolean, other: (codePoint: number) => boolean): CharSet {
  return { ascii: asciiWhere(ascii), other: remembered(other) };
}

/** Scripts reuse their letters, so a small memory of answers saves most of the work. */
function remembered(test: (codePoint: number) => boolean): (codePoint: number) => boolean {
  const known = new Map<number, boolean>();
  return (codePoint) => {
    const before = known.get(codePoint);
    if (before !== undefined) return before;
    const answer = test(codePoint);
    if (known.size > 4096) known.clear();
    known.set(codePoint, answer);
    return answer;
  };
}

function asciiWhere(test: (code: number) => boolean): Uint32Array {
  const words = new Uint32Array(ASCII_WORDS);
  for (let code = 0; code < 128; code++) {
    if (test(code)) words[code >> 5] = (words[code >> 5] ?? 0) | (1 << (code & 31));
  }
  return words;
}

let orbits: ReadonlyMap<number, readonly number[]> | undefined;

/** All characters that are the same as this one but for case, itself included (Unicode simple folding). */
export function orbit(codePoint: number): readonly number[] {
  if (codePoint < 128 && !isAsciiLetter(codePoint)) return [codePoint];
  orbits ??= buildOrbits();
  return orbits.get(codePoint) ?? [codePoint];
}

function isAsciiLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Above this no character has cases. */
const LAST_CASED = 0x1e943;

function buildOrbits(): ReadonlyMap<number, readonly number[]> {
  const cased = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
  const groups = new Map<string, number[]>();
  for (let codePoint = 65; codePoint <= LAST_CASED; codePoint++) {
    if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
    const character = String.fromCodePoint(codePoint);
    if (!cased.test(character)) continue;
    const key = character.toUpperCase().toLowerCase();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [codePoint]);
    else group.push(codePoint);
  }
  // The groups are a little too large (Turkish i among others): the engine's own folding has the last word.
  const found = new Map<number, readonly number[]>();
  for (const group of groups.values()) {
    for (const codePoint of group) {
      const same = new RegExp(`^\\u{${codePoint.toString(16)}}$`, 'iu');
      const members = group.filter((member) => same.test(String.fromCodePoint(member)));
      if (members.length > 1) found.set(codePoint, members);
    }
  }
  return found;
}
