/** Character classes: 1 lower case, 2 upper case, 3 digit, 0 anything else. Only ASCII counts. */
const CLASS = new Uint8Array(128);
for (let code = 97; code <= 122; code++) CLASS[code] = 1;
for (let code = 65; code <= 90; code++) CLASS[code] = 2;
for (let code = 48; code <= 57; code++) CLASS[code] = 3;

const LOWER_S = 115;
const MAX_DIGITS = 4;
const MAX_WORD_LENGTH = 32;

function classAt(text: string, at: number): number {
  return CLASS[text.charCodeAt(at)] ?? 0;
}

/** The end of the run of one character class that starts at `at`. */
function runEnd(text: string, at: number, kind: number): number {
  let end = at;
  while (end < text.length && classAt(text, end) === kind) end++;
  return end;
}

/** Where the word that starts with a capital at `start` ends, digits not counted. */
function capitalWordEnd(text: string, start: number): number {
  const end = runEnd(text, start + 1, 2);
  if (end >= text.length || classAt(text, end) !== 1) return end;
  if (end - start === 1) return runEnd(text, end, 1);
  // HTTPServer is http + server, but the plural s of URLs stays with its word.
  const pluralOnly =
    text.charCodeAt(end) === LOWER_S && !(end + 1 < text.length && classAt(text, end + 1) === 1);
  return pluralOnly ? end + 1 : end - 1;
}

/**
 * Calls `visit` with start and end of every word: runs of letters cut at camelCase boundaries, with up to four digits
 * after the letters (`utf8`), and bare numbers of two to four digits. The embedding model was trained on exactly these
 * words, so the rules are part of its format.
 */
export function scanWords(text: string, visit: (start: number, end: number) => void): void {
  let at = 0;
  while (at < text.length) {
    const kind = classAt(text, at);
    if (kind === 0) {
      at++;
      continue;
    }
    if (kind === 3) {
      const end = runEnd(text, at, 3);
      if (end - at > 1 && end - at <= MAX_DIGITS) visit(at, end);
      at = end;
      continue;
    }
    const letters = kind === 2 ? capitalWordEnd(text, at) : runEnd(text, at, 1);
    const digits = runEnd(text, letters, 3);
    const end = digits - letters > MAX_DIGITS ? letters : digits;
    if (end - at > 1 && end - at <= MAX_WORD_LENGTH) visit(at, end);
    at = digits;
  }
}

/** Latin letters with diacritics become plain ones, so that `naïve` is a word; other scripts give no tokens. */
export function foldDiacritics(text: string): string {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > 127) return text.normalize('NFD').replace(/\p{M}+/gu, '');
  }
  return text;
}

/** The words of a text in lower case, in order. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  scanWords(text, (start, end) => words.push(text.slice(start, end).toLowerCase()));
  return words;
}
