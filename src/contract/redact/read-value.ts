import { looksRandom } from './characters.ts';
import type { ValueForm } from './values.ts';

const MAX_VALUE_CHARS = 4000;

/** A value in a text, without its quotes. */
interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const OPENING_QUOTE = /[bru@]?(\\{0,7})(["'`])/iy;
// A value on a line of its own may hold anything but space; elsewhere punctuation ends it, but not `==` of base64.
const LINE_VALUE = /[^\s\p{Cc}"'`\\]{1,200}/uy;
const BARE_VALUE =
  /[^\s\p{Cc}"'`\\,;&|<>(){}[\]=]{1,200}(?:&[^\s\p{Cc}"'`\\,;&|<>(){}[\]=]{1,40}(?=\s|$))?(?:={1,2}(?![\w[]))?/uy;
const ELEMENT_VALUE = /[^\s\p{Cc}<>]{1,200}(?=<\/)/uy;
const LONG_VALUE = /[\w+/.=~-]{0,4000}/y;

/** Reads the value that starts here, in quotes of any depth of escaping or without. */
export function readValue(text: string, from: number, form: ValueForm): Value | undefined {
  OPENING_QUOTE.lastIndex = from;
  const opening = form === 'element' ? null : OPENING_QUOTE.exec(text);
  if (opening !== null) {
    const [whole, escapes = '', quote = '"'] = opening;
    const start = from + whole.length;
    const end = closingQuote(text, start, quote, escapes.length);
    return end === undefined ? undefined : { start, end, quoted: true };
  }
  const bare = form === 'environment' ? LINE_VALUE : form === 'element' ? ELEMENT_VALUE : BARE_VALUE;
  bare.lastIndex = from;
  if (!bare.test(text)) return undefined;
  let end = bare.lastIndex;
  // Only a random value can be longer than that.
  if (end - from >= 200 && looksRandom(text.slice(from, from + 100))) {
    LONG_VALUE.lastIndex = end;
    LONG_VALUE.test(text);
    end = LONG_VALUE.lastIndex;
  }
  return { start: from, end, quoted: false };
}

// The quote that closes has as many backslashes in front as the one that opened; one inside has more.
// Text that was cut ends without one.
function closingQuote(text: string, from: number, quote: string, escapes: number): number | undefined {
  const limit = Math.min(text.length, from + MAX_VALUE_CHARS);
  for (let i = from, slashes = 0; i < limit; i++) {
    const character = text[i];
    if (character === '\n') return undefined;
    if (character === quote && slashes <= escapes) return i - slashes;
    slashes = character === '\\' ? slashes + 1 : 0;
  }
  return limit === text.length ? limit : undefined;
}
