import type { RawRecord } from './lines.ts';

const ARRAYS = /"(?:messages|history)"\s*:\s*\[/;

/**
 * Records of a chat that is one JSON document: first the fields around the messages, then each message. Together they
 * cover every byte; what follows the last message belongs to it. A truncated document still yields its complete
 * messages.
 */
export function documentRecords(source: Buffer): readonly RawRecord[] {
  // One character per byte, so that positions are byte positions: quotes and brackets are the same in UTF-8.
  const bytes = source.toString('latin1');
  const list = ARRAYS.exec(bytes);
  if (list === null) {
    return bytes.trim() === '' ? [] : [{ bytes: source, offset: 0, length: source.length }];
  }
  const found: { start: number; end: number }[] = [];
  for (let at = list.index + list[0].length; ; ) {
    const start = nextOf(bytes, at, '{');
    const end = start < 0 ? -1 : endOfObject(bytes, start);
    if (end < 0) break;
    found.push({ start, end });
    at = end;
  }
  const first = found[0]?.start ?? source.length;
  const header = headerJson(
    source.toString('utf8', 0, list.index),
    source.toString('utf8', found.at(-1)?.end ?? source.length),
  );
  return [
    { bytes: Buffer.from(header), offset: 0, length: first },
    ...found.map(({ start, end }, index) => ({
      bytes: source.subarray(start, end),
      offset: start,
      length: (found[index + 1]?.start ?? source.length) - start,
    })),
  ];
}

/** The message at the beginning of a record. */
export function leadingObject(text: string): string {
  const start = text.indexOf('{');
  const end = start < 0 ? -1 : endOfObject(text, start);
  return end < 0 ? text : text.slice(start, end);
}

/** Position of `wanted` if only separators come before it, else -1. */
function nextOf(text: string, from: number, wanted: string): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === wanted) return at;
    if (
      character !== ',' &&
      character !== ' ' &&
      character !== '\n' &&
      character !== '\r' &&
      character !== '\t'
    ) {
      return -1;
    }
  }
  return -1;
}

/** Position after the object that begins at `start`, or -1 if it is truncated. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at < 0) return -1;
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Position of the quote that ends the string at `start`, or -1. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** The fields around the list of messages as one object. */
function headerJson(before: string, after: string): string {
  const fields = before.trimEnd().replace(/,$/, '');
  const rest = after.replace(/^\s*\]/, '').trim();
  const joined = fields.trim() === '{' ? rest.replace(/^,/, '') : rest;
  return `${fields}${joined === '' ? '}' : joined}`;
}
