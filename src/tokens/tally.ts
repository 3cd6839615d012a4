import { CLASSES, DIGIT, LOWER, NEWLINE, SPACE, SYMBOL, UPPER } from './classes.ts';

const MAX_WORD_CHARS = 24;

// Where each group of weights starts in the one table.
const TRIPLES = 0; // three letters that end in a small one, in 4096 buckets
const CAPITAL_PAIRS = TRIPLES + 4096; // 32 × 32 letters, the second a capital
const CYRILLIC_PAIRS = CAPITAL_PAIRS + 1024;
const KANA = CYRILLIC_PAIRS + 1024;
const SYMBOL_PAIRS = KANA + 32;
const HAN = SYMBOL_PAIRS + 1024; // and Hangul, in 1024 buckets
const LENGTHS = HAN + 1024; // 3 leads × 5 cases × length
const LEADS = LENGTHS + 15 * (MAX_WORD_CHARS + 1); // the symbol glued to the front of a word
const SYMBOL_STARTS = LEADS + 33; // without and with a space in front
const LINE_ENDS = SYMBOL_STARTS + 64; // a line end behind this symbol
const SCRIPTS = LINE_ENDS + 33; // the first and each further character, by script
const BLOCKS = SCRIPTS + 24; // the first and each further symbol, by block
const SPACES = BLOCKS + 16; // by length
const NEWLINES = SPACES + 16;
const CONTRACTION = NEWLINES + 16;

/** How many weights the tally needs. */
export const WEIGHT_COUNT = CONTRACTION + 1;

/**
 * Splits a text as the tokenizer does before it looks anything up (words with a leading space or symbol, split
 * where a capital follows a small letter; up to three digits; runs of symbols; white space) and adds up what each
 * piece costs: by its length, its case, and the characters that stand side by side in it.
 */
export function tally(text: string, weights: ArrayLike<number>): number {
  const walk: Walk = { text, weights, at: 0 };
  let total = 0;
  let at = 0;
  // Most of any text is words: they are counted here, with all state in local variables, the rest in functions.
  while (at < text.length) {
    let code = text.charCodeAt(at);
    let kind = CLASSES[code] ?? SYMBOL;
    let lead = 0;
    if ((kind === SPACE || kind === SYMBOL) && at + 1 < text.length) {
      const nextCode = text.charCodeAt(at + 1);
      const nextKind = CLASSES[nextCode] ?? SYMBOL;
      if (nextKind >= LOWER) {
        lead = code;
        code = nextCode;
        kind = nextKind;
        at++;
      }
    }
    if (kind < LOWER) {
      walk.at = at;
      total += Math.max(1, betweenWords(walk, code, kind));
      at = walk.at;
      continue;
    }
    const start = at;
    let cost = 0;
    let letters = 0;
    let uppers = 0;
    let lowers = 0;
    do {
      if (kind === LOWER) lowers++;
      else if (kind === UPPER) uppers++;
      if (code < 0x250) {
        letters = ((letters & 1023) << 5) | (code < 128 ? code & 31 : 27 + (code % 5));
        cost += weights[kind === UPPER ? CAPITAL_PAIRS + (letters & 1023) : tripleOf(letters)] ?? 0;
      } else {
        cost += foreignLetter(weights, code, letters & 31, at === start);
        letters = code & 31;
      }
      if (++at >= text.length) break;
      code = text.charCodeAt(at);
      kind = CLASSES[code] ?? SYMBOL;
    } while (kind >= LOWER && (kind !== UPPER || lowers === 0));
    const length = Math.min(at - start, MAX_WORD_CHARS);
    const shape = uppers === 0 ? (lowers === 0 ? 4 : 0) : lowers === 0 ? 2 : uppers === 1 ? 1 : 3;
    const leads = lead === 0 ? 0 : lead === 32 ? 1 : 2;
    cost += weights[LENGTHS + (leads * 5 + shape) * (MAX_WORD_CHARS + 1) + length] ?? 0;
    if (leads === 2) cost += weights[LEADS + symbolCode(lead)] ?? 0;
    const contracted = code === 39 ? contraction(text, at) : 0;
    if (contracted > 0) {
      at += contracted;
      cost += weights[CONTRACTION] ?? 0;
    }
    total += Math.max(1, cost);
  }
  return total;
}

/** The weights, and where the walk through the text stands. */
interface Walk {
  readonly text: string;
  readonly weights: ArrayLike<number>;
  at: number;
}

function betweenWords(walk: Walk, code: number, kind: number): number {
  const { text, at } = walk;
  if (kind === DIGIT) return digits(walk);
  if (kind === SYMBOL) return symbols(walk, 0);
  const isSpaced = code === 32 && at + 1 < text.length && CLASSES[text.charCodeAt(at + 1)] === SYMBOL;
  return isSpaced ? symbols(walk, 1) : whiteSpace(walk);
}

function digits(walk: Walk): number {
  const start = walk.at;
  while (walk.at < walk.text.length && CLASSES[walk.text.charCodeAt(walk.at)] === DIGIT) walk.at++;
  return Math.ceil((walk.at - start) / 3);
}

// Three letters are 15 bits; the multiplication spreads them over the buckets.
function tripleOf(letters: number): number {
  return TRIPLES + (Math.imul(letters, 0x9e3779b1) >>> 20);
}

// `'s`, `'t`, `'m`, `'d`, `'re`, `'ve` and `'ll` stay with their word.
function contraction(text: string, at: number): number {
  return /^'(?:[stmd]|re|ve|ll)/i.exec(text.slice(at, at + 3))?.[0].length ?? 0;
}

function foreignLetter(weights: ArrayLike<number>, code: number, previous: number, isFirst: boolean): number {
  const script = scriptOf(code);
  let cost = weights[SCRIPTS + script * 2 + (isFirst ? 0 : 1)] ?? 0;
  if (script === 0) cost += weights[CYRILLIC_PAIRS + previous * 32 + (code & 31)] ?? 0;
  else if (script === 1) cost += weights[KANA + (code & 31)] ?? 0;
  else if (script <= 3) cost += weights[HAN + (code & 1023)] ?? 0;
  return cost;
}

function scriptOf(code: number): number {
  if (code >= 0x400 && code < 0x530) return 0;
  if (code >= 0x3040 && code < 0x3100) return 1;
  if ((code >= 0x3400 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00)) return 2;
  if (code >= 0xac00 && code < 0xd7b0) return 3;
  if (code >= 0x370 && code < 0x400) return 4;
  if (code >= 0x590 && code < 0x600) return 5;
  if (code >= 0x600 && code < 0x780) return 6;
  if (code >= 0x900 && code < 0x980) return 7;
  if (code >= 0x980 && code < 0xe00) return 8;
  if (code >= 0xe00 && code < 0xf00) return 9;
  return code < 0x370 ? 10 : 11;
}

function symbols(walk: Walk, spaced: 0 | 1): number {
  const { text, weights } = walk;
  let at = walk.at + spaced;
  let cost = 0;
  let previous = -1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (CLASSES[code] !== SYMBOL) break;
    const symbol = symbolCode(code);
    if (symbol === 32) cost += weights[BLOCKS + blockOf(code) * 2 + (previous === 32 ? 1 : 0)] ?? 0;
    else if (previous < 0 || previous === 32) cost += weights[SYMBOL_STARTS + spaced * 32 + symbol] ?? 0;
    else cost += weights[SYMBOL_PAIRS + previous * 32 + symbol] ?? 0;
    previous = symbol;
  }
  const lineEnd = at;
  while (at < text.length && isLineEnd(text.charCodeAt(at))) at++;
  if (at > lineEnd) cost += weights[LINE_ENDS + Math.max(previous, 0)] ?? 0;
  walk.at = at;
  return cost;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 47;
}

// Five bits for each of the 32 ASCII symbols; 32 for all others.
function symbolCode(code: number): number {
  if (code > 126 || code < 33) return 32;
  return code < 48 ? code - 33 : code < 65 ? code - 43 : code < 97 ? code - 69 : code - 95;
}

function blockOf(code: number): number {
  if (code < 0x2000) return 0;
  if (code < 0x2070) return 1;
  if (code < 0x2500) return 2;
  if (code < 0x25a0) return 3;
  if (code < 0x3000) return 4;
  if (code < 0xd800) return 5;
  if (code < 0xdc00) return 6;
  return 7;
}

function whiteSpace(walk: Walk): number {
  const { text, weights, at: start } = walk;
  let at = start;
  let lineEnd = start;
  for (; at < text.length; at++) {
    const kind = CLASSES[text.charCodeAt(at)];
    if (kind === NEWLINE) lineEnd = at + 1;
    else if (kind !== SPACE) break;
  }
  if (lineEnd > start) {
    walk.at = lineEnd;
    return weights[NEWLINES + Math.min(lineEnd - start, 15)] ?? 1;
  }
  // The last space belongs to what follows.
  walk.at = at < text.length && at - start > 1 ? at - 1 : at;
  const length = walk.at - start;
  return (weights[SPACES + Math.min(length, 15)] ?? 1) + (length > 80 ? length / 80 : 0);
}
