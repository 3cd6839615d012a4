import type { Trigger } from './finding.ts';
import { nameKind } from './names.ts';
import { MAX_KEY_CHARS } from './private-key.ts';
import { createByteTest } from './scan.ts';

/** A secret, with what gives it away, is within this many characters. */
export const REACH = MAX_KEY_CHARS + 1_000;

/** Words that a secret on another line may belong to: a private key, an AWS key pair, a .netrc file. */
const WORDS = [
  'PRIVATE KEY',
  'Private-Lines: ',
  'b3BlbnNzaC1rZXktdjE',
  ...['AKIA', 'ASIA', 'AROA', 'AIDA', 'ABIA', 'ACCA'],
  'variable "',
  ...['login', 'machine', 'account'].flatMap((word) => [`${word} `, `${word}\t`]),
];

const holdsWord = createByteTest(WORDS.map((word): Trigger => ({ word, detect: () => undefined })));

/** The same as an expression in Rust's dialect, for callers without bytes; it may hold for more texts. */
export const REACHING = `${WORDS.join('|')}|(?i:(?:pass|pwd|secret|token|key)[\\w-]*\\\\*["'\`],?\\s*$|(?:define|put\\w*|set\\w*|append|header)\\(\\s*$|[\\w-]{8}\\\\$)`;

const NEWLINE = 10;
/** Space at the end of a line that a value on the next one may still follow. */
const MAX_SPACES = 8;
const NAME_AND_QUOTE = /([\w-]{3,64})\\{0,7}["'`],?$/;
const TOKEN_TAIL = /[A-Za-z0-9_-]{8}\\$/;
const SETTER = /(?:define|put\w{0,12}|set\w{0,12}|append|header)\($/i;

/**
 * Whether some line of UTF-8 text `bytes[from, to)` may hold a secret that only other lines give away. Where it
 * does not, every line can be looked at on its own.
 */
export function reachesOver(bytes: Buffer, from: number, to: number): boolean {
  if (holdsWord(bytes, from, to)) return true;
  for (let end = bytes.indexOf(NEWLINE, from); end !== -1 && end < to; end = bytes.indexOf(NEWLINE, end + 1))
    if (namesNext(bytes, from, end)) return true;
  return false;
}

/** Whether a line ends with a name whose value may be on the next line: `"name": "DB_PASSWORD",`, `set(`. */
function namesNext(bytes: Buffer, from: number, lineEnd: number): boolean {
  let end = lineEnd;
  const least = Math.max(from, lineEnd - MAX_SPACES);
  while (end > least && isSpace(bytes[end - 1] ?? 0)) end--;
  const last = bytes[end - 1] ?? 0;
  // A token that continues in the next line.
  if (last === 92) return TOKEN_TAIL.test(bytes.toString('latin1', Math.max(from, end - 16), end));
  // A bracket, or a quote with a comma or without; most lines end otherwise.
  if (last !== 40 && !isQuote(last) && !(last === 44 && isQuote(bytes[end - 2] ?? 0))) return false;
  const tail = bytes.toString('latin1', Math.max(from, end - 76), end);
  if (last === 40) return SETTER.test(tail);
  const name = NAME_AND_QUOTE.exec(tail)?.[1];
  return name !== undefined && nameKind(name) !== undefined;
}

function isQuote(byte: number): boolean {
  return byte === 34 || byte === 39 || byte === 96;
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13;
}
