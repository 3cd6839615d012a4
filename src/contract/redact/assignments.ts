import { behindGlue, isWordCode, looksRandom } from './characters.ts';
import type { Detector, Finding, Trigger } from './finding.ts';
import { type NameKind, nameKind } from './names.ts';
import { isSecretValue, type ValueForm } from './values.ts';

const LONGEST_NAME = 64;
const LONGEST_VALUE = 1500;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

// From the end of the name to the value: a closing quote (plain or escaped) and bracket, then one of
// `=`, `:`, `:=`, `=>`, `==`, `: type =`.
const ASSIGN =
  /\\{0,7}["'`]?\]?[ \t]{0,8}(?::[ \t]?&?[A-Za-z][\w.<>?]{0,24}[ \t]?=(?!=)|={1,3}>?|:=?)[ \t]{0,8}/y;
// `"name":"DB_PASSWORD","value":"…"` and `key="Password" value="…"`.
const PAIR = /\\{0,7}["'],?\s{0,8}\\{0,7}["']?value\\{0,7}["']?[ \t]{0,2}[:=][ \t]{0,2}/iy;
const OPENING_QUOTE = /[bru@]?(\\{0,7})(["'`])/iy;
// A value on a line of its own may hold anything but space; elsewhere punctuation ends it, but not `==` of base64.
const BARE_VALUE = /[^\s\p{Cc}"'`\\,;&|<>(){}[\]=]{1,200}(?:={1,2}(?![\w[]))?/uy;
const LINE_VALUE = /[^\s\p{Cc}"'`\\]{1,200}/uy;
const LONG_VALUE = /[\w+/.=~-]{0,4000}/y;
const SPOKEN = /[ \t]is:?[ \t]/y;
const NETRC = /(?:login|machine|account)\s{1,4}\S{1,100}\s{1,4}$/;

/** Finds the value that stands behind a name such as `password`, `clientSecret` or `API_KEY`. */
const assignment: Detector = (text, at) => {
  const nameEnd = endOfName(text, at);
  if (!DELIMITERS.has(text.charCodeAt(nameEnd))) return undefined;
  const nameStart = startOfName(text, at);
  const name = text.slice(nameStart, nameEnd);
  // `https://x-access-token:…@host` is an address.
  if (text.startsWith('://', nameStart - 3)) return undefined;
  const kind = nameKind(name);
  return kind === undefined ? undefined : valueBehind(text, nameStart, nameEnd, kind);
};

const DELIMITERS = new Set([...'\\"\'`] \t:=>'].map((character) => character.charCodeAt(0)));

function endOfName(text: string, at: number): number {
  let end = at + 3;
  while (end < at + LONGEST_NAME && isWordCode(text.charCodeAt(end))) end++;
  return end;
}

function startOfName(text: string, at: number): number {
  let start = at;
  while (start > at - LONGEST_NAME && isWordCode(text.charCodeAt(start - 1))) start--;
  start = behindGlue(text, start);
  while (text[start] === '-') start++;
  return Math.min(start, at);
}

function valueBehind(text: string, nameStart: number, nameEnd: number, kind: NameKind): Finding | undefined {
  const name = text.slice(nameStart, nameEnd);
  const finish = (form: ValueForm, from: number): Finding | undefined => {
    const value = readValue(text, from, form);
    if (value === undefined) return undefined;
    const content = text.slice(value.start, value.end);
    const judged = value.quoted ? 'quoted' : form;
    // Test runners print `PASS: name`.
    if (judged === 'loose' && /^pass$/i.test(name)) return undefined;
    return isSecretValue(kind, content, judged, text.slice(value.end, value.end + 2))
      ? { start: value.start, end: value.end, kind, vague: true }
      : undefined;
  };
  const assigned = after(ASSIGN, text, nameEnd);
  if (assigned !== undefined) {
    const glued = text[nameEnd] === '=' && assigned === nameEnd + 1;
    const isEnvironment =
      glued && /^[A-Z][A-Z0-9_]*$/.test(name) && !'?&;'.includes(text[nameStart - 1] ?? ' ');
    return finish(isEnvironment ? 'environment' : glued ? 'glued' : 'loose', assigned);
  }
  const pair = after(PAIR, text, nameEnd);
  if (pair !== undefined) return finish('loose', pair);
  const flag = text[nameStart - 1] === '-' && text[nameStart - 2] === '-' && text[nameEnd] === ' ';
  if (flag) return finish('glued', nameEnd + 1);
  if (text[nameStart - 1] === '<' && text[nameEnd] === '>') {
    const element = finish('glued', nameEnd + 1);
    return element !== undefined && text.startsWith('</', element.end) ? element : undefined;
  }
  if (kind !== 'password') return undefined;
  const spoken = after(SPOKEN, text, nameEnd);
  if (spoken !== undefined) return finish('glued', spoken);
  const isNetrc =
    /\s/.test(text[nameEnd] ?? '') && NETRC.test(text.slice(Math.max(0, nameStart - 140), nameStart));
  return isNetrc ? finish('environment', nameEnd + 1) : undefined;
}

function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function readValue(text: string, from: number, form: ValueForm): Value | undefined {
  OPENING_QUOTE.lastIndex = from;
  const opening = OPENING_QUOTE.exec(text);
  if (opening !== null) {
    const [whole, escapes = '', quote = '"'] = opening;
    const start = from + whole.length;
    const end = closingQuote(text, start, quote, escapes.length);
    return end === undefined ? undefined : { start, end, quoted: true };
  }
  const end = after(form === 'environment' ? LINE_VALUE : BARE_VALUE, text, from);
  if (end === undefined) return undefined;
  // Only a random value can be longer than that.
  const isLong = end - from >= 200 && looksRandom(text.slice(from, from + 100));
  return { start: from, end: (isLong ? after(LONG_VALUE, text, end) : undefined) ?? end, quoted: false };
}

// The quote that closes has as many backslashes in front as the one that opened; one inside has more.
function closingQuote(text: string, from: number, quote: string, escapes: number): number | undefined {
  const limit = Math.min(text.length, from + LONGEST_VALUE);
  for (let i = from, slashes = 0; i < limit; i++) {
    const character = text[i];
    if (character === '\n') return undefined;
    if (character === quote && slashes <= escapes) return i - slashes;
    slashes = character === '\\' ? slashes + 1 : 0;
  }
  return undefined;
}

/** Triggers for values that only their name gives away. */
export const ASSIGNMENT_TRIGGERS: readonly Trigger[] = ['pass', 'pwd', 'secret', 'token', 'key'].map(
  (word) => ({
    word,
    anyCase: true,
    detect: assignment,
  }),
);
