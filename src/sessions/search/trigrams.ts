/**
 * Search finds candidate blocks by hashed trigrams: each block's set of them is one row of a full-text table.
 * Hashing in JavaScript keeps folding of case the same on both sides, for every script, and is several times faster
 * than the trigram tokenizer of SQLite because each code is handed over once a block.
 */
const BITS = 18;
const CODES = 1 << BITS;

const words: string[] = [];
const seen = new Uint32Array(CODES);
let stamp = 0;

function word(code: number): string {
  if (words.length === 0) for (let index = 0; index < CODES; index++) words.push(index.toString(36));
  return words[code] ?? '';
}

function codeOf(a: number, b: number, c: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  return Math.imul(mixed, 0x27d4eb2f) >>> (32 - BITS);
}

/**
 * Small letters that are the same as another small one in any case, with that one. None of them is in Latin-1: text in
 * it, which most is, need not be looked through.
 */
const SAME: ReadonlyMap<string, string> = new Map(
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
const STRANGERS = new RegExp(`[${[...SAME.keys()].join('')}]`, 'g');

/** How text is compared: any case. */
export function fold(text: string): string {
  return text.toLowerCase().replace(STRANGERS, (letter) => SAME.get(letter) ?? letter);
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

/** More codes hardly leave out more blocks, but each has to be gone through. */
const QUERY_WORDS = 8;

/** A full-text query that every block holding `literal` satisfies; undefined when the text is too short for one. */
export function trigramQuery(literal: string): string | undefined {
  const all = trigramWords(literal).split(' ');
  if (all[0] === '') return undefined;
  const step = Math.max(1, all.length / QUERY_WORDS);
  const some = Array.from(
    { length: Math.min(all.length, QUERY_WORDS) },
    (_, at) => all[Math.floor(at * step)],
  );
  return some.map((code) => `"${code}"`).join(' AND ');
}
