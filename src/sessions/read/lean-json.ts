const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** Texts longer than this are searched for their end by the faster search of the buffer. */
const SHORT = 48;
/** Fields are left out of the object itself and of objects directly in it. */
const LEVELS = 2;

/**
 * The text of a JSON object with `null` for the values of some fields, which are skipped without being parsed. Undefined
 * where the text is not a complete object.
 */
export function withoutFields(bytes: Buffer, names: ReadonlySet<string>): string | undefined {
  let at = 0;
  while (at < bytes.length && bytes[at] !== OPEN) at++;
  let kept = 0;
  let text = '';
  let depth = 0;
  let atKey = false;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      if (end < 0) return undefined;
      if (atKey && end - at < SHORT && names.has(bytes.toString('latin1', at + 1, end))) {
        const value = afterColon(bytes, end + 1);
        const after = value < 0 ? -1 : endOfValue(bytes, value);
        if (after < 0) return undefined;
        text += `${bytes.toString('utf8', kept, value)}null`;
        kept = after;
        at = after - 1;
      } else at = end;
      atKey = false;
    } else if (byte === OPEN) {
      depth++;
      if (depth > LEVELS) {
        const after = endOfValue(bytes, at);
        if (after < 0) return undefined;
        depth--;
        at = after - 1;
      } else atKey = true;
    } else if (byte === OPEN_LIST) {
      const after = endOfValue(bytes, at);
      if (after < 0) return undefined;
      at = after - 1;
    } else if (byte === COMMA) atKey = true;
    else if (byte === CLOSE && --depth === 0) return text + bytes.toString('utf8', kept);
  }
  return undefined;
}

/** Position of the value after a colon, or -1. */
function afterColon(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  if (bytes[at] !== COLON) return -1;
  at++;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** Position after the value that begins at `start`, or -1 when it is cut. */
function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) {
    const end = endOfText(bytes, start);
    return end < 0 ? -1 : end + 1;
  }
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfText(bytes, at);
      if (at < 0) return -1;
    } else if (byte === OPEN || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return at;
  }
  return -1;
}

/** Position of the quote that ends the text whose first quote is at `start`, or -1. */
function endOfText(bytes: Buffer, start: number): number {
  const soon = Math.min(bytes.length, start + SHORT);
  let at = start + 1;
  while (at < soon) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  for (let end = bytes.indexOf(QUOTE, at); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= at && bytes[end - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
