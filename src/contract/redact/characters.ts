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
const GLUE = /(?:\\[nrtbfv]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,8}m)$/;

/** Whether a token can start here: not in the middle of a word, nor inside encoded data. */
export function startsToken(text: string, at: number, joinable: boolean): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (isAlphanumeric(before)) return GLUE.test(text.slice(Math.max(0, at - 10), at));
  if (before === 95 || before === 45) return joinable;
  return (before !== 47 && before !== 43) || !endsInBlob(text, at);
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
