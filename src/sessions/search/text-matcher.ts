import { isAscii } from 'node:buffer';
import { fail } from '../../contract/errors.ts';
import { type Requirement, searchTexts } from '../../regex/literals.ts';
import { createMatcher, type Matcher as RegexMatcher } from '../../regex/matcher.ts';
import { smartCase } from '../../regex/smart-case.ts';
import { PatternError, UnsupportedPattern } from '../../regex/syntax.ts';
import { SEPARATOR } from '../ingest/blocks.ts';
import { fold, trigramQuery } from './trigrams.ts';

/** The first match in one piece of a block. */
export interface Match {
  readonly piece: number;
  readonly text: string;
  readonly at: number;
  readonly length: number;
}

/** Finds something in blocks of text. */
export interface Matcher {
  /** A full-text query that every block with a match satisfies; undefined when any block may have one. */
  readonly blocks: string | undefined;
  /** The first match in each piece of a block, for pieces that have one. */
  matches(body: Buffer): readonly Match[];
  /**
   * Whether a whole text matches; only present if the end of a piece could be mistaken for the end of a line or word.
   */
  readonly holds?: ((text: string) => boolean) | undefined;
}

const SEPARATOR_BYTE = SEPARATOR.charCodeAt(0);
const NEWLINE = 10;

/**
 * A substring, ignoring case unless the query has a capital letter; a query with JSON escapes also finds the plain
 * text.
 */
export function substringMatcher(query: string): Matcher {
  const { variants, compared } = wantedTexts(query);
  const lowered = variants.map(fold);
  return {
    blocks: either(variants.map(trigramQuery)),
    matches(body) {
      if (!mayHold(body, lowered)) return [];
      const text = decode(body, 0, body.length);
      const folded = compared(text);
      // If case folding changes lengths, positions differ, so the pieces are searched one by one.
      return folded.length === text.length
        ? matchesTogether(text, folded, variants)
        : text.split(SEPARATOR).flatMap((piece, index) => {
            const found = matchesTogether(piece, compared(piece), variants)[0];
            return found === undefined ? [] : [{ ...found, piece: index }];
          });
    },
  };
}

/** Whether a whole text contains a substring, in the sense of {@link substringMatcher}. */
export function holds(text: string, query: string): boolean {
  const { variants, compared } = wantedTexts(query);
  const folded = compared(text);
  return variants.some((variant) => folded.includes(variant));
}

/** The texts a query looks for, and how to normalise a text for comparison. */
function wantedTexts(query: string): {
  readonly variants: readonly string[];
  readonly compared: (text: string) => string;
} {
  const compared = hasCapital(query) ? (text: string) => text : fold;
  return { variants: [...new Set([query, unescaped(query)])].map(compared), compared };
}

function hasCapital(query: string): boolean {
  return /\p{Lu}/u.test(query);
}

/** Finds all positions in one pass, counting pieces along the way. */
function matchesTogether(text: string, folded: string, variants: readonly string[]): readonly Match[] {
  const found: Match[] = [];
  let piece = 0;
  let start = 0;
  for (;;) {
    const { at, length } = firstOf(folded, variants, start);
    if (at < 0) return found;
    for (let next = text.indexOf(SEPARATOR, start); next >= 0 && next < at; ) {
      piece++;
      start = next + 1;
      next = text.indexOf(SEPARATOR, start);
    }
    const next = text.indexOf(SEPARATOR, at);
    const end = next < 0 ? text.length : next;
    found.push({ piece, text: text.slice(start, end), at: at - start, length });
    if (next < 0) return found;
    piece++;
    start = next + 1;
  }
}

function firstOf(text: string, wanted: readonly string[], from: number): { at: number; length: number } {
  let first = { at: -1, length: 0 };
  for (const one of wanted) {
    const at = text.indexOf(one, from);
    if (at >= 0 && (first.at < 0 || at < first.at)) first = { at, length: one.length };
  }
  return first;
}

/** Pattern parts that may match at the ends of a line or a word. */
const EDGES = /[$^]|\\[bBAz<>]/;

/**
 * A regular expression, line by line, ignoring case unless it has a capital letter; see docs/guide/regex.md for the
 * dialect.
 */
export function regexMatcher(pattern: string): Matcher {
  const regex = compile(pattern);
  const texts = searchTexts(regex.requirement)?.map((literal) => fold(literal.text));
  return {
    blocks: blocksWith(regex.requirement),
    matches(body) {
      if (texts !== undefined && !mayHold(body, texts)) return [];
      const found: Match[] = [];
      for (let start = 0, piece = 0; start <= body.length; piece++) {
        const next = body.indexOf(SEPARATOR_BYTE, start);
        const end = next < 0 ? body.length : next;
        const match = matchInLines(regex, body, start, end);
        if (match !== undefined) found.push({ piece, ...match });
        start = end + 1;
      }
      return found;
    },
    holds: EDGES.test(pattern)
      ? (text) => {
          const bytes = Buffer.from(text);
          return matchInLines(regex, bytes, 0, bytes.length) !== undefined;
        }
      : undefined,
  };
}

function matchInLines(
  regex: RegexMatcher,
  body: Buffer,
  from: number,
  to: number,
): Omit<Match, 'piece'> | undefined {
  for (let start = from; start <= to; ) {
    const newline = body.indexOf(NEWLINE, start);
    const end = newline < 0 || newline > to ? to : newline;
    if (regex.test(body, start, end)) {
      const { first, last } = spanOf(regex, body, start, end);
      return {
        text: decode(body, from, to),
        at: decode(body, from, first).length,
        length: decode(body, first, last).length,
      };
    }
    start = end + 1;
  }
  return undefined;
}

/** In longer lines, finding the exact position would take much longer than finding that they match. */
const MAX_LOCATED_LENGTH = 2_000;

/** The position of the match; in a long line, a position just after one. */
function spanOf(
  regex: RegexMatcher,
  body: Buffer,
  start: number,
  end: number,
): { first: number; last: number } {
  if (end - start <= MAX_LOCATED_LENGTH) {
    const span = regex.locate(body, start, end);
    return { first: start + (span?.start ?? 0), last: start + (span?.end ?? 0) };
  }
  let undecided = start;
  let decided = end;
  while (decided - undecided > 1) {
    const middle = (undecided + decided) >>> 1;
    if (regex.test(body, start, middle)) decided = middle;
    else undecided = middle;
  }
  return { first: Math.max(start, decided - 1), last: decided };
}

/** Whether a line matches a pattern, or contains it as text if it is not a valid pattern. */
export function lineMatcher(pattern: string): (line: string) => boolean {
  const find = lineFinder(pattern);
  return (line) => find(line) !== undefined;
}

/** Where a line first matches a pattern, or contains it as text if it is not a valid pattern. */
export function lineFinder(pattern: string): (line: string) => number | undefined {
  try {
    const regex = compile(pattern);
    return (line) => {
      const bytes = Buffer.from(line);
      if (!regex.test(bytes, 0, bytes.length)) return undefined;
      return bytes.toString('utf8', 0, spanOf(regex, bytes, 0, bytes.length).first).length;
    };
  } catch {
    const { variants, compared } = wantedTexts(pattern);
    return (line) => {
      const { at } = firstOf(compared(line), variants, 0);
      return at < 0 ? undefined : at;
    };
  }
}

function compile(pattern: string): RegexMatcher {
  try {
    return createMatcher({
      pattern,
      insensitive: smartCase(pattern, false),
      word: false,
      fixed: false,
      lossy: true,
      apart: true,
    });
  } catch (error) {
    if (error instanceof PatternError) {
      fail(
        'invalid_parameter',
        `query is not a valid regular expression: ${error.message} (at character ${error.position}).`,
      );
    }
    if (error instanceof UnsupportedPattern) {
      fail(
        'invalid_parameter',
        `query cannot be searched: ${error.message}; a line break matches nothing here.`,
      );
    }
    throw error;
  }
}

/** Longer index queries cost more than they save. */
const MAX_INDEX_QUERY_LENGTH = 8_000;

function blocksWith(need: Requirement): string | undefined {
  const query = queryOf(need);
  return query === undefined || query.length > MAX_INDEX_QUERY_LENGTH ? undefined : query;
}

function queryOf(need: Requirement): string | undefined {
  if (need.kind === 'any') return undefined;
  if (need.kind === 'literal') return trigramQuery(need.literal.text);
  const parts = need.parts.map(queryOf);
  if (need.kind === 'one') return either(parts);
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.map((part) => `(${part})`).join(' AND ');
}

function either(queries: readonly (string | undefined)[]): string | undefined {
  if (queries.length === 0 || queries.includes(undefined)) return undefined;
  return queries.map((query) => `(${query})`).join(' OR ');
}

/** Characters outside ASCII that case folding turns into ASCII: the Kelvin sign and the long s. */
const STRANGERS = ['\u212a', 'ſ'].map((character) => Buffer.from(character));

/** False only if a text contains none of these in any case. Compares bytes if possible, which is much cheaper. */
function mayHold(body: Buffer, folded: readonly string[]): boolean {
  if (!folded.every((one) => isAscii(Buffer.from(one)))) return true;
  const lower = body.toString('latin1').toLowerCase();
  return folded.some((one) => lower.includes(one)) || STRANGERS.some((stranger) => body.includes(stranger));
}

/** Decodes bytes, with a fast path for ASCII, which most text is. */
function decode(bytes: Buffer, from: number, to: number): string {
  const part = bytes.subarray(from, to);
  return part.toString(isAscii(part) ? 'latin1' : 'utf8');
}

/** `a \"quoted\" word` from JSON, without the escapes. */
function unescaped(query: string): string {
  if (!query.includes('\\')) return query;
  try {
    const plain: unknown = JSON.parse(`"${query.replace(/(?<!\\)"/g, '\\"')}"`);
    return typeof plain === 'string' && plain !== '' ? plain : query;
  } catch {
    return query;
  }
}
