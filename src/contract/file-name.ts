import { lstatSync } from 'node:fs';

/*
 * Names on Linux are bytes and need not be UTF-8. In a path as it is kept and shown, each byte that is not text is
 * written as `\xHH`. If a file has just these characters as its name, it is that file.
 */

const ESCAPE_START = '\\x';
const ESCAPED_BYTES = /(?:\\x[89a-f][0-9a-f])+/g;
const ESCAPE_LENGTH = 4;
const NOT_TEXT = '\ufffd';
const MAX_CHARACTER_BYTES = 4;

/** A name or path as text. */
export function escapedName(bytes: Buffer): string {
  return textOf(bytes, (byte) => ESCAPE_START + byte.toString(16));
}

/** Bytes as text, with each byte that is not text as `mark` writes it. */
export function textOf(bytes: Buffer, mark: (byte: number) => string): string {
  const text = bytes.toString();
  if (!text.includes(NOT_TEXT)) return text;
  let marked = '';
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    marked += character ?? mark(bytes.readUInt8(at));
    at += character === undefined ? 1 : Buffer.byteLength(character);
  }
  return marked;
}

function characterAt(bytes: Buffer, at: number): string | undefined {
  for (let end = at + 1; end <= Math.min(bytes.length, at + MAX_CHARACTER_BYTES); end++) {
    const part = bytes.subarray(at, end);
    const character = part.toString();
    if (Buffer.from(character).equals(part)) return character;
  }
  return undefined;
}

/** A path in the form that system calls accept: bytes if they are not text, and no file has the name as written. */
export function pathOnDisk(path: string): string | Buffer {
  if (!path.includes(ESCAPE_START)) return path;
  const bytes = unescaped(path);
  // What our own names never look like is meant literally.
  if (escapedName(bytes) !== path || bytes.toString() === path || exists(path)) return path;
  return bytes;
}

function unescaped(path: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { 0: found, index } of path.matchAll(ESCAPED_BYTES)) {
    parts.push(Buffer.from(path.slice(from, index)), bytesOf(found));
    from = index + found.length;
  }
  return Buffer.concat([...parts, Buffer.from(path.slice(from))]);
}

function bytesOf(escapes: string): Buffer {
  const count = escapes.length / ESCAPE_LENGTH;
  const codes = Array.from({ length: count }, (_none, at) =>
    escapes.slice(at * ESCAPE_LENGTH + ESCAPE_START.length, (at + 1) * ESCAPE_LENGTH),
  );
  return Buffer.from(codes.join(''), 'hex');
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
