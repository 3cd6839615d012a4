/** Bytes of JSON that are read without making strings of them. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const OPEN = 0x7b;
export const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const MINUS = 0x2d;
const ZERO = 0x30;

/** Deeper values are left to the caller: readers refuse them from twice this depth on. */
const MAX_DEPTH = 100;

/** Bytes that may be in a text as they are: neither a control character, nor a quote, nor a backslash. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
/** A record is one line. */
const SPACE = tableOf(' \t\r');
const ESCAPED = tableOf('"\\/bfnrt');
const HEX = tableOf('0123456789abcdefABCDEF');
const DIGIT = tableOf('0123456789');

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

function is(table: Uint8Array, byte: number | undefined): boolean {
  return byte !== undefined && table[byte] === 1;
}

export function isDigit(byte: number | undefined): boolean {
  return is(DIGIT, byte);
}

/** Position of the next byte that is no white space within a line. */
export function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (is(SPACE, bytes[at])) at++;
  return at;
}

/** Position after the text whose first quote is at `start`, or -1 where it is not exactly as JSON wants it. */
export function afterText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    while (is(PLAIN, bytes[at])) at++;
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return -1;
    const escaped = bytes[at + 1];
    if (is(ESCAPED, escaped)) at += 2;
    else if (escaped === 0x75 && isHex(bytes, at + 2)) at += 6;
    else return -1;
  }
}

function isHex(bytes: Uint8Array, at: number): boolean {
  return is(HEX, bytes[at]) && is(HEX, bytes[at + 1]) && is(HEX, bytes[at + 2]) && is(HEX, bytes[at + 3]);
}

/** Position after the value that begins at `start`, or -1 where it is not JSON. */
export function afterValue(bytes: Uint8Array, start: number, depth: number): number {
  const byte = bytes[start];
  if (byte === QUOTE) return afterText(bytes, start);
  if (byte === OPEN) return afterMembers(bytes, start, depth);
  if (byte === OPEN_LIST) return afterItems(bytes, start, depth);
  if (byte === 0x74) return afterWord(bytes, start, TRUE);
  if (byte === 0x66) return afterWord(bytes, start, FALSE);
  if (byte === 0x6e) return afterWord(bytes, start, NULL);
  return afterNumber(bytes, start);
}

function afterMembers(bytes: Uint8Array, start: number, depth: number): number {
  if (depth >= MAX_DEPTH) return -1;
  let at = afterSpace(bytes, start + 1);
  if (bytes[at] === CLOSE) return at + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) return -1;
    at = afterText(bytes, at);
    if (at < 0) return -1;
    at = afterSpace(bytes, at);
    if (bytes[at] !== COLON) return -1;
    at = afterValue(bytes, afterSpace(bytes, at + 1), depth + 1);
    if (at < 0) return -1;
    at = afterSpace(bytes, at);
    if (bytes[at] === CLOSE) return at + 1;
    if (bytes[at] !== COMMA) return -1;
    at = afterSpace(bytes, at + 1);
  }
}

function afterItems(bytes: Uint8Array, start: number, depth: number): number {
  if (depth >= MAX_DEPTH) return -1;
  let at = afterSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_LIST) return at + 1;
  for (;;) {
    at = afterValue(bytes, at, depth + 1);
    if (at < 0) return -1;
    at = afterSpace(bytes, at);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    if (bytes[at] !== COMMA) return -1;
    at = afterSpace(bytes, at + 1);
  }
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

function afterWord(bytes: Uint8Array, start: number, word: Uint8Array): number {
  return isAt(bytes, start, word) ? start + word.length : -1;
}

/** Whether these bytes are at this position. */
export function isAt(bytes: Uint8Array, start: number, word: Uint8Array): boolean {
  for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word[at]) return false;
  return true;
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  if (!isDigit(bytes[at])) return -1;
  at = bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at);
  if (bytes[at] === 0x2e) {
    if (!isDigit(bytes[at + 1])) return -1;
    at = afterDigits(bytes, at + 1);
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === MINUS) at++;
    if (!isDigit(bytes[at])) return -1;
    at = afterDigits(bytes, at);
  }
  return at;
}

function afterDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at;
}
