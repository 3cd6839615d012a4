const MAX_CHARACTERS = 2_000;
/** Starts with a letter, which starts no list, and has no character with a meaning in Markdown, in one line. */
const PLAIN = /^\p{L}[\p{L}\p{N} ,.;?!'"()/+%$=…–—’“”-]*$/u;
/** What becomes a link without any mark, and spaces at the end, which are dropped. */
const NOT_PLAIN = /www\.|\s$/i;

/**
 * Whether Markdown reads this text as one paragraph of just this text, as it does most short prompts. The lexer need not
 * be asked then: to compile its expressions takes a browser 20 ms, before the first turn of a session can be shown.
 */
export function isPlain(text: string): boolean {
  return text.length <= MAX_CHARACTERS && PLAIN.test(text) && !NOT_PLAIN.test(text);
}
