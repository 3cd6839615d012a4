/** Words too common to say what a text is about. */
const STOP: ReadonlySet<string> = new Set(
  `a an the of to in on at for and or is are was were be been do does did has have had what when where who which how why
   whose with by from that this it its his her their they she he i you we my your as about would could will can not no if
   so than then there`.split(/\s+/),
);
const WORD = /[\p{L}\p{N}_']+/gu;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** The words of a text as numbers, repeated as often as they occur; forms of a word share a number. */
export function passageWords(text: string): Uint32Array {
  const words: number[] = [];
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (STOP.has(word)) continue;
    words.push(hash(stem(word)));
    // Parts of a name are words too, as in cache_format; in retryPolicy the capital letter is already lost.
    if (word.includes('_')) for (const part of word.split('_')) if (part !== '') words.push(hash(stem(part)));
  }
  return Uint32Array.from(words);
}

/** The words for a day, so that "in May 2025" finds it. */
export function dayWords(ms: number): Uint32Array {
  const day = new Date(ms);
  return passageWords(`${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`);
}

/** Strips English endings; crude, but the same for questions and texts. */
function stem(word: string): string {
  const plain = word.replace(/'s$/, '').replaceAll("'", '');
  if (plain.length <= 4) return plain.replace(/(.)\1$/, '$1');
  const short = plain.replace(/ies$/, 'y').replace(/(?:ing|edly|ed|es|s|ly)$/, '');
  return (short.length > 4 ? short.replace(/e$/, '') : short).replace(/(.)\1$/, '$1');
}

function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
