/** Whether the UTF-16 unit is an ASCII letter or digit. */
export function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** Whether the UTF-16 unit can stand in an identifier or in most tokens: letter, digit, `_` or `-`. */
export function isWordCode(code: number): boolean {
  return isAlphanumeric(code) || code === 95 || code === 45;
}

// What may glue a letter to the front of a token without being part of it: escapes of JSON strings
// (`\n`, `\u003d`), of addresses (`%3D`) and of terminals (`ESC[31m`).
const GLUED = /^(?:\\[nrtbfv]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|[[;][0-9]{0,3}m)/;
const GLUE = /(?:\\[nrtbfv]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,8}m)$/;

/** Where the name really starts that seems to start at `at`: after an escape whose letters look like part of it. */
export function behindGlue(text: string, at: number): number {
  const glued = GLUED.exec(text.slice(Math.max(0, at - 1), at + 8))?.[0];
  return glued === undefined ? at : at - 1 + glued.length;
}

/** How a token may hang on the text in front of it: not at all, or after a short word and `_`, `-` or `.`. */
export type TokenStart = 'free' | 'joined';

/** Whether and how a token can start here: not in the middle of a word, nor inside encoded data. */
export function tokenStart(text: string, at: number): TokenStart | undefined {
  if (at === 0) return 'free';
  const before = text.charCodeAt(at - 1);
  if (isAlphanumeric(before)) return GLUE.test(text.slice(Math.max(0, at - 10), at)) ? 'free' : undefined;
  if (isJoint(before)) return followsShortWord(text, at) ? 'joined' : undefined;
  const insideBlob = (before === 47 || before === 43) && endsInBlob(text, at);
  return insideBlob ? undefined : 'free';
}

function isJoint(code: number): boolean {
  return code === 95 || code === 45 || code === 46;
}

// The limit also bounds the work on text such as `ghp_ghp_ghp_…`: only its first few starts count.
function followsShortWord(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 64) {
    const code = text.charCodeAt(start - 1);
    if (!isAlphanumeric(code) && !isJoint(code)) return true;
    start--;
  }
  return start === 0;
}

// A slash or plus in front may also be the middle of base64 (an image, a signature).
const BLOB = /^(?=.*[0-9].*[0-9])(?=.*[A-Z].*[A-Z])(?=.*[a-z].*[a-z])[A-Za-z0-9+/]{40}$/;

function endsInBlob(text: string, at: number): boolean {
  return at >= 40 && BLOB.test(text.slice(at - 40, at));
}

/** Whether the characters change their class as often as random ones do, and words and identifiers do not. */
export function looksRandom(value: string): boolean {
  if (value.length < 10) return false;
  let changes = 0;
  let digits = 0;
  let previous = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    const kind =
      code >= 48 && code <= 57 ? 1 : code >= 97 && code <= 122 ? 2 : code >= 65 && code <= 90 ? 3 : 0;
    if (kind === 1) digits++;
    // From upper to lower case is how a word starts in an identifier; it says nothing.
    if (kind !== 0 && previous !== 0 && kind !== previous && !(previous === 3 && kind === 2)) changes++;
    previous = kind;
  }
  return (digits >= 2 || value.length >= 20) && changes >= 3 && changes / value.length >= 0.2;
}

const SHORT_HUMP = /[A-Z][a-z](?=[A-Z])|[a-z][A-Z]{2,}[a-z]/g;

/** Whether letters alone change their case as random ones do: one in eighty identifiers looks like that. */
export function looksScrambled(value: string): boolean {
  if (!/^[A-Za-z]{12,64}$/.test(value)) return false;
  if ((value.match(SHORT_HUMP)?.length ?? 0) >= 2) return true;
  return /[bcdfghjklmnpqrstvwxz]{6}/i.test(value) && (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= 2;
}
