/* Comments of TypeScript and JavaScript replaced by spaces, so that expressions can be followed across them. */

/** What comes before a `/` that begins a regular expression, not a division. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else))\s*$/;

/** The same text without comments, of the same length and with the same lines. */
export function blankComments(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  const special = /\/|['"`]/g;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const at = match.index;
    if (match[0] !== '/') {
      special.lastIndex = stringEnd(text, at, match[0]);
      continue;
    }
    const next = text[at + 1];
    if (next !== '/' && next !== '*') {
      if (BEFORE_REGEX.test(text.slice(Math.max(0, at - 20), at))) special.lastIndex = regexEnd(text, at);
      continue;
    }
    const closed = next === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
    const end = closed === -1 ? text.length : closed + (next === '/' ? 0 : 2);
    parts.push(text.slice(kept, at), blank(text.slice(at, end)));
    kept = end;
    special.lastIndex = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

function blank(comment: string): string {
  return comment
    .split('\n')
    .map(({ length }) => ' '.repeat(length))
    .join('\n');
}

const STRING_ENDS: Readonly<Record<string, RegExp>> = {
  "'": /(?:[^'\\\n]|\\.)*'/y,
  '"': /(?:[^"\\\n]|\\.)*"/y,
  '`': /(?:[^`\\]|\\[\s\S])*`/y,
};

/** The end of the closing quote; if there is none, it was an apostrophe. */
function stringEnd(text: string, from: number, quote: string): number {
  const string = STRING_ENDS[quote];
  if (string === undefined) return from + 1;
  string.lastIndex = from + 1;
  return string.test(text) ? string.lastIndex : from + 1;
}

function regexEnd(text: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '\n') return from + 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return at + 1;
  }
  return text.length;
}
