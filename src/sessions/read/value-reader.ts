import {
  afterSpace,
  afterText,
  afterValue,
  BACKSLASH,
  CLOSE,
  COLON,
  COMMA,
  isAt,
  isDigit,
  OPEN,
  QUOTE,
} from './json-bytes.ts';

/** Stands for an object of which only fields are read. */
export const OBJECT = Symbol('object');

/** Numbers with more digits are left to `JSON.parse`. */
const MAX_DIGITS = 15;
const LINE_END = 0x0a;

/** A field that is read, or that has fields that are read. */
interface Field {
  readonly name: Buffer;
  /** Where its value goes. */
  readonly slot: number;
  readonly inner: Fields | undefined;
  /** The text that was read last, if it is ASCII: most texts of a log repeat. */
  last: string;
}

/** The fields of an object by the length of their names, and the slots of all of them and of what is in them. */
interface Fields {
  readonly byLength: readonly (readonly Field[])[];
  readonly slots: readonly number[];
}

/** Reads the values of the line between two positions; undefined where it is not as expected. */
export type ValueReader = (bytes: Buffer, start: number, end: number) => readonly unknown[] | undefined;

/**
 * Reads some values of a JSON object from its bytes, each at its index in `paths`; those are names with dots between. All
 * of the object is checked as `JSON.parse` would, but nothing else becomes a value. An object that has paths in it is
 * {@link OBJECT}. The values are only valid until the next line is read.
 */
export function valueReader(paths: readonly string[]): ValueReader {
  const values: unknown[] = paths.map(() => undefined);
  const fields = fieldsOf('', paths);
  const reading: Reading = { at: 0, values };
  return (bytes, start, end) => {
    // Every scan stops at the line break at the latest.
    if (bytes[end] !== LINE_END || bytes[start] !== OPEN) return undefined;
    reading.at = start;
    return readFields(bytes, reading, fields, 1) && afterSpace(bytes, reading.at) === end
      ? values
      : undefined;
  };
}

interface Reading {
  at: number;
  readonly values: unknown[];
}

function fieldsOf(prefix: string, paths: readonly string[]): Fields {
  const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const byLength: Field[][] = [];
  for (const name of new Set(below.map((path) => path.replace(/\..*/s, '')))) {
    const hasInner = below.some((path) => path.startsWith(`${name}.`));
    const bytes = Buffer.from(name);
    while (byLength.length <= bytes.length) byLength.push([]);
    byLength[bytes.length]?.push({
      name: bytes,
      slot: paths.indexOf(prefix + name),
      inner: hasInner ? fieldsOf(`${prefix}${name}.`, paths) : undefined,
      last: '',
    });
  }
  return { byLength, slots: [...paths.keys()].filter((slot) => paths[slot]?.startsWith(prefix)) };
}

/** Reads the object at a place and moves behind it; false where it is not as expected. */
function readFields(bytes: Buffer, reading: Reading, fields: Fields, depth: number): boolean {
  // The last of two fields with the same name counts, with nothing of the first.
  for (const slot of fields.slots) reading.values[slot] = undefined;
  let at = afterSpace(bytes, reading.at + 1);
  if (bytes[at] === CLOSE) {
    reading.at = at + 1;
    return true;
  }
  for (;;) {
    if (bytes[at] !== QUOTE) return false;
    const name = at + 1;
    at = afterText(bytes, at);
    if (at < 0) return false;
    const end = at - 1;
    at = afterSpace(bytes, at);
    if (bytes[at] !== COLON) return false;
    at = afterSpace(bytes, at + 1);
    const field = fieldAt(fields, bytes, name, end);
    if (field === undefined) {
      // It may be a known name with other letters.
      if (hasEscape(bytes, name, end)) return false;
      at = afterValue(bytes, at, depth);
    } else if (field.inner !== undefined) {
      for (const slot of field.inner.slots) reading.values[slot] = undefined;
      const isObject = bytes[at] === OPEN;
      if (isObject) {
        reading.at = at;
        if (!readFields(bytes, reading, field.inner, depth + 1)) return false;
        at = reading.at;
      } else at = afterValue(bytes, at, depth);
      if (field.slot >= 0) reading.values[field.slot] = isObject ? OBJECT : undefined;
    } else {
      const start = at;
      at = afterValue(bytes, start, depth);
      if (at >= 0) reading.values[field.slot] = jsonValue(bytes, start, at, field);
    }
    if (at < 0) return false;
    at = afterSpace(bytes, at);
    if (bytes[at] === CLOSE) {
      reading.at = at + 1;
      return true;
    }
    if (bytes[at] !== COMMA) return false;
    at = afterSpace(bytes, at + 1);
  }
}

function fieldAt({ byLength }: Fields, bytes: Buffer, start: number, end: number): Field | undefined {
  const same = byLength[end - start];
  if (same === undefined) return undefined;
  for (const field of same) if (isAt(bytes, start, field.name)) return field;
  return undefined;
}

function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/** The value between two positions, where there is one. */
function jsonValue(bytes: Buffer, start: number, end: number, field: Field): unknown {
  const first = bytes[start];
  if (first === QUOTE) return textOf(bytes, start + 1, end - 1, field);
  if (first === 0x6e) return null;
  if (isDigit(first) && end - start <= MAX_DIGITS) {
    let value = 0;
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (!isDigit(byte)) break;
      value = value * 10 + byte - 0x30;
    }
    if (at === end) return value;
  }
  return JSON.parse(bytes.toString('utf8', start, end));
}

function textOf(bytes: Buffer, start: number, end: number, field: Field): string {
  const { last } = field;
  if (last !== '' && last.length === end - start) {
    let at = 0;
    while (at < last.length && last.charCodeAt(at) === bytes[start + at]) at++;
    if (at === last.length) return last;
  }
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 || byte === BACKSLASH)
      return String(JSON.parse(bytes.toString('utf8', start - 1, end + 1)));
  }
  field.last = bytes.toString('latin1', start, end);
  return field.last;
}
