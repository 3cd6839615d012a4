import { sizeText } from '../../contract/format.ts';
import { timeOf } from '../../contract/time.ts';
import { localTimeText } from '../../contract/zone.ts';
import { createMatcher, type Matcher } from '../../regex/matcher.ts';
import type { SqlValue } from '../../store/sql-table.ts';
import { QueryMistake } from './query-mistake.ts';

type SqlFunction = (...values: SqlValue[]) => SqlValue;

const MAX_PATTERNS = 64;

/** The caller's current time and zone. */
export interface Clock {
  readonly now: number;
  readonly zone: string;
}

/** The functions that queries have in addition to SQLite's own; the clock is read at every call. */
export function queryFunctions(clock: () => Clock): Readonly<Record<string, SqlFunction>> {
  const matchers = new Map<string, Matcher>();
  const matcherOf = (pattern: string, insensitive: boolean): Matcher => {
    const name = `${insensitive} ${pattern}`;
    const known = matchers.get(name);
    if (known !== undefined) return known;
    if (matchers.size >= MAX_PATTERNS) matchers.clear();
    const made = createMatcher({ pattern, insensitive, word: false, fixed: false, apart: true });
    matchers.set(name, made);
    return made;
  };
  return {
    ago: (age = null) => {
      const { now, zone } = clock();
      const at = timeOf('ago', String(age ?? ''), now, zone) ?? now;
      return localTimeText(zone)(Math.floor(at / 1000));
    },
    // SQLite turns `text REGEXP pattern` into regexp(pattern, text).
    regexp: (pattern = null, text = null) => {
      if (pattern === null || text === null) return null;
      const said = String(pattern);
      // As in searches, capital letters in the pattern make it case-sensitive.
      return someLine(bytesOf(String(text)), matcherOf(said, said === said.toLowerCase())) ? 1 : 0;
    },
    // As in PostgreSQL: replaces the first match, or all with the flag g; case-sensitive, and `.` also matches a line
    // break.
    regexp_replace: (text = null, pattern = null, replacement = null, flags = '') => {
      if (text === null || pattern === null || replacement === null || flags === null) return null;
      const [said, how] = [String(replacement), String(flags)];
      if (/[^gi]/.test(how)) throw new QueryMistake(`regexp_replace has the flags g and i, not '${how}'.`);
      if (GROUP.test(said))
        throw new QueryMistake(
          'regexp_replace has no groups such as \\1 here, only \\& for the whole match. Replace what is before and after the group instead.',
        );
      return replaced(String(text), matcherOf(`(?s)${pattern}`, how.includes('i')), said, how.includes('g'));
    },
    snip: (text = null, length = 200) => (text === null ? null : snipped(String(text), Number(length))),
    around: (text = null, word = null, length = 200) =>
      text === null || word === null ? null : surroundings(String(text), String(word), Number(length)),
    dirname: (path = null, parts = null, base = '') =>
      path === null || base === null
        ? null
        : folderOf(String(path), parts === null ? -1 : Number(parts), depthOf(String(base))),
    size: (bytes = null) => (bytes === null ? null : sizeText(Math.round(Number(bytes)))),
  };
}

const SCRATCH = Buffer.alloc(4096);

/** The bytes of a text, valid only until the next call: short ones share a buffer. */
function bytesOf(text: string): Uint8Array {
  return 3 * text.length > SCRATCH.length ? Buffer.from(text) : SCRATCH.subarray(0, SCRATCH.write(text));
}

function someLine(bytes: Uint8Array, matcher: Matcher): boolean {
  for (let from = 0; from <= bytes.length; ) {
    const newline = bytes.indexOf(10, from);
    const to = newline < 0 ? bytes.length : newline;
    if (matcher.test(bytes, from, to)) return true;
    from = to + 1;
  }
  return false;
}

/** A group reference in a replacement, after an even number of backslashes. */
const GROUP = /(?<!\\)(?:\\\\)*\\[1-9]/;

function replaced(text: string, matcher: Matcher, replacement: string, all: boolean): string {
  const bytes = Buffer.from(text);
  const parts: string[] = [];
  let done = 0;
  for (let from = 0; from <= bytes.length; ) {
    const found = matcher.locate(bytes, 0, bytes.length, from);
    if (found === undefined) break;
    const match = bytes.toString('utf8', found.start, found.end);
    const by = replacement.replace(/\\([\s\S])/g, (pair, next: string) =>
      next === '&' ? match : next === '\\' ? next : pair,
    );
    parts.push(bytes.toString('utf8', done, found.start), by);
    done = found.end;
    // After an empty match, the next one begins at the next character.
    from = found.end > found.start ? found.end : afterCharacter(bytes, found.end);
    if (!all) break;
  }
  return parts.join('') + bytes.toString('utf8', done);
}

function afterCharacter(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  while (((bytes[next] ?? 0) & 0xc0) === 0x80) next++;
  return next;
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

function snipped(text: string, length: number): string {
  const line = flat(text.slice(0, 4 * length));
  return line.length > length || text.length > 4 * length
    ? `${line.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`
    : line;
}

/** `length` characters around the first occurrence of the word, in any case; null if it does not occur. */
function surroundings(text: string, word: string, length: number): string | null {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  if (at < 0) return null;
  const start = Math.max(0, at - Math.floor((length - word.length) / 2));
  const end = start + length;
  const middle = flat(text.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, ''));
  return `${start > 0 ? '…' : ''}${middle}${end < text.length ? '…' : ''}`;
}

/** The number of folders in a path: none for `/`. */
const depthOf = (path: string) => (path === '' ? 0 : path.replace(/\/+$/, '').split('/').length - 1);

/**
 * The first `parts` folders of a path below its first `base` ones or, if `parts` is negative, the path without its last
 * names.
 */
function folderOf(path: string, parts: number, base: number): string {
  if (!Number.isInteger(parts)) throw new QueryMistake('dirname(path, n) needs a whole number n.');
  if (parts < 0) {
    const names = path.split('/');
    return names.slice(0, Math.max(1, names.length + parts)).join('/') || '/';
  }
  // Often called for every file, so it searches for the end of the name instead of splitting the path.
  let end = -1;
  for (let part = 0; part <= base + parts; part++) {
    const slash = path.indexOf('/', end + 1);
    if (slash < 0) break;
    end = slash;
  }
  return end < 0 ? path : path.slice(0, end) || '/';
}
