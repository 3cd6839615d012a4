// AssemblyScript: `npm run assembly` compiles this to ../line-scanner.wasm.ts. Bytes are compared 16 at a time.
//
// Scans lines of JSON: skips those without certain words, checks the others as JSON.parse would, and notes where
// certain values are. All tables are written and described by ../line-scanner-memory.ts.

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
const COLON: u32 = 0x3a;
const COMMA: u32 = 0x2c;
const OPEN: u32 = 0x7b;
const CLOSE: u32 = 0x7d;
const OPEN_LIST: u32 = 0x5b;
const CLOSE_LIST: u32 = 0x5d;
const MINUS: u32 = 0x2d;
const ZERO: u32 = 0x30;
const NINE: u32 = 0x39;
const NEWLINE: u32 = 0x0a;
/** Bytes below this must be escaped in a string. */
const FIRST_PLAIN: u32 = 0x20;
const FIRST_BEYOND_ASCII: u32 = 0x80;

/** Deeper values are left to the caller; readers refuse values more than twice as deep. */
const MAX_DEPTH: i32 = 100;
/** Numbers with more digits are left to `JSON.parse`. */
const MAX_DIGITS: usize = 15;
const LANES: usize = 16;

/** Kinds of values; the same as in ../line-scanner-memory.ts. */
const ABSENT: i32 = 0;
const NULL: i32 = 1;
const TRUE: i32 = 2;
const FALSE: i32 = 3;
const INTEGER: i32 = 4;
const ASCII: i32 = 5;
const JSON_TEXT: i32 = 6;
const OBJECT: i32 = 7;

const BAD: usize = 0;

/** Where the values of the current line are stored. */
let values: usize = 0;
/** Where reading continues. */
let cursor: usize = 0;

export function position(): usize {
  return cursor;
}

/**
 * Scans from `from` to `end` for at most `most` lines that are not blank, or with `skip` lines that have one of the
 * words. Each becomes a row of `rowBytes` in `rows`: start, end, whether it is JSON as expected, and its values.
 */
export function scan(
  from: usize,
  end: usize,
  fields: usize,
  words: usize,
  skip: bool,
  rows: usize,
  rowBytes: usize,
  most: i32,
): i32 {
  let found = 0;
  let start = from;
  while (start < end && found < most) {
    const next = findByte(start, end, NEWLINE);
    if (skip ? isWanted(start, next, words) : !isBlank(start, next)) {
      const row = rows + <usize>found * rowBytes;
      memory.fill(row, 0, rowBytes);
      store<u32>(row, <u32>start, 0);
      store<u32>(row, <u32>next, 4);
      values = row + 16;
      // Every scan stops at the line break at the latest.
      const read = next < end && load<u8>(start) === OPEN && readFields(start, fields, 1);
      store<u32>(row, read && afterSpace(cursor) === next ? 1 : 0, 8);
      found++;
    }
    start = next + 1;
  }
  cursor = start < end ? start : end;
  return found;
}

function isBlank(start: usize, end: usize): bool {
  return afterSpace(start) >= end;
}

/** Position of a byte, or the end. */
function findByte(from: usize, end: usize, byte: u32): usize {
  const wanted = i8x16.splat(<i8>byte);
  for (let at = from; at < end; at += LANES) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
    if (found !== 0) return min(at + <usize>ctz(found), end);
  }
  return end;
}

/** Whether a line has one of the words in its first bytes, or anywhere, or is short and has one of the short words. */
function isWanted(start: usize, end: usize, words: usize): bool {
  const within = <usize>load<u32>(words, 0);
  const shortBytes = <usize>load<u32>(words, 4);
  const count = load<u32>(words, 8);
  const shortCount = load<u32>(words, 12);
  const last = within === 0 ? end : min(end, start + within);
  let word = words + 16;
  for (let index: u32 = 0; index < count; index++, word += 8)
    if (hasWord(start, last, <usize>load<u32>(word, 0), <usize>load<u32>(word, 4))) return true;
  if (end - start >= shortBytes) return false;
  for (let index: u32 = 0; index < shortCount; index++, word += 8)
    if (hasWord(start, end, <usize>load<u32>(word, 0), <usize>load<u32>(word, 4))) return true;
  return false;
}

/** Looks for the first and the last byte of a word at once, then compares the bytes in between. */
function hasWord(start: usize, end: usize, word: usize, length: usize): bool {
  if (end - start < length) return false;
  const stop = end - length + 1;
  const first = i8x16.splat(load<i8>(word));
  const last = i8x16.splat(load<i8>(word + length - 1));
  for (let at = start; at < stop; at += LANES) {
    let found = i8x16.bitmask(
      v128.and(i8x16.eq(v128.load(at), first), i8x16.eq(v128.load(at + length - 1), last)),
    );
    while (found !== 0) {
      const place = at + <usize>ctz(found);
      if (place < stop && memory.compare(place, word, length) === 0) return true;
      found &= found - 1;
    }
  }
  return false;
}

/** Reads the object at `start` and moves the cursor past it; false if it is not as expected. */
function readFields(start: usize, fields: usize, depth: i32): bool {
  forget(fields);
  let at = afterSpace(start + 1);
  if (load<u8>(at) === CLOSE) {
    cursor = at + 1;
    return true;
  }
  while (true) {
    if (load<u8>(at) !== QUOTE) return false;
    const name = at + 1;
    at = afterText(at);
    if (at === BAD) return false;
    const field = fieldAt(fields, name, at - 1 - name);
    // A name with an escape may be a known name spelled differently.
    if (field === 0 && findByte(name, at - 1, BACKSLASH) < at - 1) return false;
    at = afterSpace(at);
    if (load<u8>(at) !== COLON) return false;
    at = afterSpace(at + 1);
    if (field === 0) at = afterValue(at, depth);
    else {
      const slot = load<i32>(field, 8);
      const inner = <usize>load<u32>(field, 12);
      if (inner !== 0) {
        forget(inner);
        const isObject = load<u8>(at) === OPEN;
        if (isObject) {
          if (!readFields(at, inner, depth + 1)) return false;
          at = cursor;
        } else at = afterValue(at, depth);
        if (slot >= 0) store<i32>(values + <usize>slot * 16, isObject ? OBJECT : ABSENT);
      } else {
        const from = at;
        at = afterValue(from, depth);
        if (at !== BAD) noteValue(values + <usize>slot * 16, from, at);
      }
    }
    if (at === BAD) return false;
    at = afterSpace(at);
    if (load<u8>(at) === CLOSE) {
      cursor = at + 1;
      return true;
    }
    if (load<u8>(at) !== COMMA) return false;
    at = afterSpace(at + 1);
  }
}

/** Clears earlier values: of two fields with the same name, only the last counts. */
function forget(fields: usize): void {
  const count = load<u32>(fields, 4);
  let slot = <usize>load<u32>(fields, 8);
  for (let index: u32 = 0; index < count; index++, slot += 4)
    store<i32>(values + <usize>load<u32>(slot) * 16, ABSENT);
}

function fieldAt(fields: usize, name: usize, length: usize): usize {
  const count = load<u32>(fields, 0);
  let field = fields + 12;
  for (let index: u32 = 0; index < count; index++, field += 16) {
    if (<usize>load<u32>(field, 4) !== length) continue;
    if (memory.compare(<usize>load<u32>(field, 0), name, length) === 0) return field;
  }
  return 0;
}

/** Notes the kind and the position of the value between two positions. */
function noteValue(slot: usize, start: usize, end: usize): void {
  const first = <u32>load<u8>(start);
  if (first === QUOTE) {
    store<i32>(slot, isPlainAscii(start + 1, end - 1) ? ASCII : JSON_TEXT);
    store<u32>(slot, <u32>start, 8);
    store<u32>(slot, <u32>end, 12);
    return;
  }
  if (first === 0x6e || first === 0x74 || first === 0x66) {
    store<i32>(slot, first === 0x6e ? NULL : first === 0x74 ? TRUE : FALSE);
    return;
  }
  if (isDigit(first) && end - start <= MAX_DIGITS) {
    let value: f64 = 0;
    let at = start;
    for (; at < end && isDigit(load<u8>(at)); at++) value = value * 10 + <f64>(<u32>load<u8>(at) - ZERO);
    if (at === end) {
      store<i32>(slot, INTEGER);
      store<f64>(slot, value, 8);
      return;
    }
  }
  store<i32>(slot, JSON_TEXT);
  store<u32>(slot, <u32>start, 8);
  store<u32>(slot, <u32>end, 12);
}

function isPlainAscii(start: usize, end: usize): bool {
  for (let at = start; at < end; at++) {
    const byte = <u32>load<u8>(at);
    if (byte >= FIRST_BEYOND_ASCII || byte === BACKSLASH) return false;
  }
  return true;
}

function isDigit(byte: u32): bool {
  return byte >= ZERO && byte <= NINE;
}

/** Position of the next byte that is not white space, within a line. */
function afterSpace(from: usize): usize {
  let at = from;
  for (let byte = load<u8>(at); byte === 0x20 || byte === 0x09 || byte === 0x0d; byte = load<u8>(at)) at++;
  return at;
}

/** Position after the string whose first quote is at `start`, or BAD if it is not valid JSON. */
function afterText(start: usize): usize {
  const quote = i8x16.splat(<i8>QUOTE);
  const backslash = i8x16.splat(<i8>BACKSLASH);
  const firstPlain = i8x16.splat(<i8>FIRST_PLAIN);
  let at = start + 1;
  while (true) {
    const bytes = v128.load(at);
    const special = i8x16.bitmask(
      v128.or(v128.or(i8x16.eq(bytes, quote), i8x16.eq(bytes, backslash)), i8x16.lt_u(bytes, firstPlain)),
    );
    if (special === 0) {
      at += LANES;
      continue;
    }
    at += <usize>ctz(special);
    const byte = <u32>load<u8>(at);
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return BAD;
    const escaped = <u32>load<u8>(at + 1);
    if (isEscape(escaped)) at += 2;
    else if (escaped === 0x75 && isHex(at + 2) && isHex(at + 3) && isHex(at + 4) && isHex(at + 5)) at += 6;
    else return BAD;
  }
}

/** One of `"\/bfnrt`. */
function isEscape(byte: u32): bool {
  switch (byte) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}

function isHex(at: usize): bool {
  const byte = <u32>load<u8>(at);
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** Position after the value that begins at `start`, or BAD if it is not JSON. */
function afterValue(start: usize, depth: i32): usize {
  const byte = <u32>load<u8>(start);
  if (byte === QUOTE) return afterText(start);
  if (byte === OPEN) return afterMembers(start, depth);
  if (byte === OPEN_LIST) return afterItems(start, depth);
  if (byte === 0x74) return load<u32>(start) === 0x65757274 ? start + 4 : BAD;
  if (byte === 0x66) return load<u32>(start + 1) === 0x65736c61 ? start + 5 : BAD;
  if (byte === 0x6e) return load<u32>(start) === 0x6c6c756e ? start + 4 : BAD;
  return afterNumber(start);
}

function afterMembers(start: usize, depth: i32): usize {
  if (depth >= MAX_DEPTH) return BAD;
  let at = afterSpace(start + 1);
  if (load<u8>(at) === CLOSE) return at + 1;
  while (true) {
    if (load<u8>(at) !== QUOTE) return BAD;
    at = afterText(at);
    if (at === BAD) return BAD;
    at = afterSpace(at);
    if (load<u8>(at) !== COLON) return BAD;
    at = afterValue(afterSpace(at + 1), depth + 1);
    if (at === BAD) return BAD;
    at = afterSpace(at);
    if (load<u8>(at) === CLOSE) return at + 1;
    if (load<u8>(at) !== COMMA) return BAD;
    at = afterSpace(at + 1);
  }
}

function afterItems(start: usize, depth: i32): usize {
  if (depth >= MAX_DEPTH) return BAD;
  let at = afterSpace(start + 1);
  if (load<u8>(at) === CLOSE_LIST) return at + 1;
  while (true) {
    at = afterValue(at, depth + 1);
    if (at === BAD) return BAD;
    at = afterSpace(at);
    if (load<u8>(at) === CLOSE_LIST) return at + 1;
    if (load<u8>(at) !== COMMA) return BAD;
    at = afterSpace(at + 1);
  }
}

function afterNumber(start: usize): usize {
  let at = load<u8>(start) === MINUS ? start + 1 : start;
  if (!isDigit(load<u8>(at))) return BAD;
  at = load<u8>(at) === ZERO ? at + 1 : afterDigits(at);
  if (load<u8>(at) === 0x2e) {
    if (!isDigit(load<u8>(at + 1))) return BAD;
    at = afterDigits(at + 1);
  }
  if ((load<u8>(at) | 0x20) === 0x65) {
    at++;
    if (load<u8>(at) === 0x2b || load<u8>(at) === MINUS) at++;
    if (!isDigit(load<u8>(at))) return BAD;
    at = afterDigits(at);
  }
  return at;
}

function afterDigits(from: usize): usize {
  let at = from;
  while (isDigit(load<u8>(at))) at++;
  return at;
}
