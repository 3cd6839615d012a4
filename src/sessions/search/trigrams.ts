/**
 * Search finds candidate blocks by hashed trigrams: each block's set of them is one row of a full-text table. Hashing
 * in JavaScript folds case the same way for blocks and queries in every script, and is several times faster than
 * SQLite's trigram tokenizer, because each code is passed once per block.
 */
const CODE_BITS = 18;
const CODE_COUNT = 1 << CODE_BITS;

const words: string[] = [];
const seen = new Uint32Array(CODE_COUNT);
let stamp = 0;

function word(code: number): string {
  if (words.length === 0) for (let index = 0; index < CODE_COUNT; index++) words.push(index.toString(36));
  return words[code] ?? '';
}

function codeOf(a: number, b: number, c: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  return Math.imul(mixed, 0x27d4eb2f) >>> (32 - CODE_BITS);
}

/**
 * Lower-case letters that equal another lower-case letter when case is ignored. None of them is in Latin-1, so Latin-1
 * text, which is the most common, need not be searched for them.
 */
const SAME_LETTERS: ReadonlyMap<string, string> = new Map(
  ['ſs', 'ςσ', 'μµ', '\u0345ι', '\u1fbeι', 'ϐβ', 'ϑθ', 'ϕφ', 'ϖπ', 'ϰκ', 'ϱρ', 'ϵε', 'ẛṡ']
    .concat([
      '\u1c80в',
      '\u1c81д',
      '\u1c82о',
      '\u1c83с',
      '\u1c84т',
      '\u1c85т',
      '\u1c86ъ',
      '\u1c87ѣ',
      '\u1c88ꙋ',
    ])
    .map(([letter = '', plain = '']) => [letter, plain]),
);
const FOLDED_LETTERS = new RegExp(`[${[...SAME_LETTERS.keys()].join('')}]`, 'g');

/** Folds case for comparison. */
export function fold(text: string): string {
  return text.toLowerCase().replace(FOLDED_LETTERS, (letter) => SAME_LETTERS.get(letter) ?? letter);
}

/** The distinct codes of a text, as words of a full-text row. */
export function trigramWords(text: string): string {
  const folded = fold(text);
  stamp = (stamp + 1) >>> 0;
  const found: string[] = [];
  let a = folded.charCodeAt(0);
  let b = folded.charCodeAt(1);
  for (let index = 2; index < folded.length; index++) {
    const c = folded.charCodeAt(index);
    const code = codeOf(a, b, c);
    if (seen[code] !== stamp) {
      seen[code] = stamp;
      found.push(word(code));
    }
    a = b;
    b = c;
  }
  return found.join(' ');
}

/** More codes hardly exclude more blocks, but each one costs a list to merge. */
const MAX_QUERY_CODES = 8;

/** A full-text query that every block with `literal` satisfies; undefined when the text is too short for one. */
export function trigramQuery(literal: string): string | undefined {
  const all = trigramWords(literal).split(' ');
  if (all[0] === '') return undefined;
  const step = Math.max(1, all.length / MAX_QUERY_CODES);
  const some = Array.from(
    { length: Math.min(all.length, MAX_QUERY_CODES) },
    (_, at) => all[Math.floor(at * step)],
  );
  return some.map((code) => `"${code}"`).join(' AND ');
}
