import { RE2JS } from 're2js';
import { fail } from '../../contract/errors.ts';
import { requiredLiterals } from './literals.ts';
import { fold } from './trigrams.ts';

/** Finds a text in another and says where. */
export interface Matcher {
  /** Every text with a match holds one of these; undefined when that cannot be said. */
  readonly literals: readonly string[] | undefined;
  /** False only when no part of the text can match. Cheap. */
  mayMatch(text: string): boolean;
  /** Start and length of the first match, or undefined. */
  find(text: string): { at: number; length: number } | undefined;
}

/** A substring in any case; a query that is written with JSON escapes finds the plain text too. */
export function substringMatcher(query: string): Matcher {
  const variants = [...new Set([query, unescaped(query)])].map(fold);
  return {
    literals: variants,
    mayMatch(text) {
      const folded = fold(text);
      return variants.some((variant) => folded.includes(variant));
    },
    find(text) {
      const folded = fold(text);
      for (const variant of variants) {
        const at = folded.indexOf(variant);
        if (at >= 0) return { at, length: variant.length };
      }
      return undefined;
    },
  };
}

/** A regular expression in any case, run in linear time. */
export function regexMatcher(pattern: string): Matcher {
  const compiled = compile(pattern);
  const literals = requiredLiterals(pattern)?.map(fold);
  const whole = (text: string) => {
    const match = compiled.matcher(text);
    return match.find() ? { at: match.start(), length: match.end() - match.start() } : undefined;
  };
  return {
    literals,
    mayMatch(text) {
      const folded = literals === undefined ? '' : fold(text);
      return literals?.some((literal) => folded.includes(literal)) ?? true;
    },
    find: literals !== undefined && !SPANS_LINES.test(pattern) ? inLines(literals, whole) : whole,
  };
}

/** What could match a line break, so that a match need not lie within one line. */
const SPANS_LINES = /\\[nrsSWDvfAzxpPQE]|\[\^|\[\[:|\(\?[a-zA-Z]*s|[\n\r]/;

/** Looks only at lines that hold one of the literals: the expression itself is slow beside a plain search. */
function inLines(literals: readonly string[], whole: Matcher['find']): Matcher['find'] {
  return (text) => {
    const folded = fold(text);
    // Folding that changes the length would shift positions.
    if (folded.length !== text.length) return whole(text);
    for (let from = 0; from < folded.length; ) {
      const at = firstOf(folded, literals, from);
      if (at < 0) return undefined;
      const start = folded.lastIndexOf('\n', at) + 1;
      const next = folded.indexOf('\n', at);
      const end = next < 0 ? folded.length : next;
      const match = whole(text.slice(start, end));
      if (match !== undefined) return { at: start + match.at, length: match.length };
      from = end + 1;
    }
    return undefined;
  };
}

function firstOf(text: string, literals: readonly string[], from: number): number {
  let first = -1;
  for (const literal of literals) {
    const at = text.indexOf(literal, from);
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown reason';
    return fail('invalid_parameter', `The regular expression is not valid (RE2 syntax): ${reason}`);
  }
}

/** `a \"quoted\" word` as it stands in JSON, without the escapes. */
function unescaped(query: string): string {
  if (!query.includes('\\')) return query;
  try {
    const plain: unknown = JSON.parse(`"${query.replace(/(?<!\\)"/g, '\\"')}"`);
    return typeof plain === 'string' && plain !== '' ? plain : query;
  } catch {
    return query;
  }
}

const BEFORE = 90;
const WINDOW = 300;

/** About 300 characters around a match on one line. */
export function previewAround(text: string, at: number, length: number): string {
  const start = Math.max(0, Math.min(at - BEFORE, text.length - WINDOW));
  const end = Math.min(text.length, Math.max(start + WINDOW, at + Math.min(length, WINDOW / 2)));
  const middle = text
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${middle}${end < text.length ? '…' : ''}`;
}
