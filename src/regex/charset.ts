import { uint32At } from '../contract/at.ts';
/**
 * A set of characters as a test instead of a table: the 128 ASCII members are a bitmap, the others are decided
 * by the JavaScript engine's own Unicode data when a non-ASCII character turns up.
 */
export interface CharSet {
  /** Four words of 32 bits. */
  readonly ascii: Uint32Array;
  /** Membership of a code point above 127; never called for surrogates. */
  readonly other: (codePoint: number) => boolean;
  /** The only member, for sets of one character. */
  readonly single?: number | undefined;
}

const ASCII_WORDS = 4;

/** Whether the code point is in the set; invalid bytes are in no set. */
export function hasCodePoint(set: CharSet, codePoint: number): boolean {
  if (codePoint < 0) return false;
  return codePoint < 128 ? hasAscii(set, codePoint) : set.other(codePoint);
}

/** Membership of an ASCII code. */
export function hasAscii(set: CharSet, code: number): boolean {
  return ((uint32At(set.ascii, code >> 5) >>> (code & 31)) & 1) === 1;
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

/** The set that a JavaScript character class such as `\p{Lu}` describes; the caller must trust the source. */
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

/** Everything that is not in the set. */
export function negation(set: CharSet): CharSet {
  return combine(
    (code) => !hasAscii(set, code),
    (codePoint) => !set.other(codePoint),
  );
}

/** The set with all other cases of its members. */
export function caseFolded(set: CharSet): CharSet {
  return combine(
    (code) => orbit(code).some((member) => hasCodePoint(set, member)),
    (codePoint) => orbit(codePoint).some((member) => hasCodePoint(set, member)),
  );
}

function fromTest(test: (codePoint: number) => boolean): CharSet {
  return combine(test, test);
}

function combine(ascii: (code: number) => boolean, other: (codePoint: number) => boolean): CharSet {
  return { ascii: asciiWhere(ascii), other: remembered(other) };
}

/** Texts repeat their letters, so a small cache saves most of the work. */
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
    if (test(code)) words[code >> 5] = uint32At(words, code >> 5) | (1 << (code & 31));
  }
  return words;
}

/** The two characters outside ASCII that differ from ASCII letters only in case: the Kelvin sign and the long s. */
const BEYOND_ASCII: Readonly<Record<number, number>> = { 107: 0x212a, 115: 0x17f };

/** All characters that differ from this one only in case, including itself (Unicode simple folding). */
export function orbit(codePoint: number): readonly number[] {
  // Without the table, which takes a while to build and which few patterns need.
  if (codePoint < 128) return asciiOrbit(codePoint);
  orbits ??= new Orbits();
  return orbits.of(codePoint);
}

function asciiOrbit(code: number): readonly number[] {
  const lower = code | 32;
  if (lower < 97 || lower > 122) return [code];
  const beyond = BEYOND_ASCII[lower];
  return beyond === undefined ? [lower - 32, lower] : [lower - 32, lower, beyond];
}

/** No character above this has cases. */
const LAST_CASED = 0x1e943;
const SURROGATES = { first: 0xd800, last: 0xdfff };
const CODES_PER_ROUND = 4_096;

/** Groups of characters that differ only in case. */
class Orbits {
  /** Groups that are a little too large (Turkish i among others). */
  readonly #groups = new Map<string, number[]>();
  readonly #known = new Map<number, readonly number[]>();

  constructor() {
    const cased = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/gu;
    for (let first = 65; first <= LAST_CASED; first += CODES_PER_ROUND) {
      const all = Array.from({ length: CODES_PER_ROUND }, (_, i) => first + i);
      const characters = all.filter((code) => code < SURROGATES.first || code > SURROGATES.last);
      for (const character of String.fromCodePoint(...characters).match(cased) ?? []) {
        const key = groupOf(character);
        const group = this.#groups.get(key);
        const codePoint = character.codePointAt(0) ?? 0;
        if (group === undefined) this.#groups.set(key, [codePoint]);
        else group.push(codePoint);
      }
    }
  }

  of(codePoint: number): readonly number[] {
    const known = this.#known.get(codePoint);
    if (known !== undefined) return known;
    const group = this.#groups.get(groupOf(String.fromCodePoint(codePoint)));
    if (group === undefined) return [codePoint];
    // The engine's own folding has the last word.
    const same = new RegExp(`^\\u{${codePoint.toString(16)}}$`, 'iu');
    const members = group.filter((member) => same.test(String.fromCodePoint(member)));
    const found = members.length > 1 ? members : [codePoint];
    this.#known.set(codePoint, found);
    return found;
  }
}

let orbits: Orbits | undefined;

function groupOf(character: string): string {
  // First to lower case, because the capital sharp s, unlike the small one, has no capital of two letters.
  return character.toLowerCase().toUpperCase().toLowerCase();
}
