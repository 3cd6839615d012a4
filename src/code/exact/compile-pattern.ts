import { fail, inputMessage } from '../../contract/errors.ts';
import { Lru } from '../../contract/lru.ts';
import { type Requirement, searchTexts } from '../../regex/literals.ts';
import { createMatcher, type Matcher, type PatternOptions } from '../../regex/matcher.ts';
import { PatternError, UnsupportedPattern } from '../../regex/syntax.ts';

/** Shorter texts have no trigram. */
const MIN_INDEXED_BYTES = 3;

/** Recently compiled patterns: one search needs its own several times. */
const compiled = new Lru<string, { readonly matcher: Matcher | undefined }>({ most: 16 });

/** Compiles a pattern; undefined if only ripgrep can run it. */
export function compilePattern(pattern: PatternOptions): Matcher | undefined {
  const key = JSON.stringify(pattern);
  const known = compiled.get(key) ?? { matcher: compile(pattern) };
  compiled.set(key, known);
  return known.matcher;
}

function compile(pattern: PatternOptions): Matcher | undefined {
  try {
    return createMatcher(pattern);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    if (error instanceof PatternError) {
      const { message, position } = error;
      fail(
        'invalid_parameter',
        inputMessage`${{ input: 'pattern' }}: ${message} (at character ${position}).`,
        { details: { position } },
      );
    }
    throw error;
  }
}

/**
 * What a file with a match must contain, for the index. A part of the index covers only some lines, and a multiline
 * match may reach from one part into the next, but each of its texts is within one line.
 */
export function indexNeed({ multiline }: PatternOptions, matcher: Matcher | undefined): Requirement {
  const need = matcher?.requirement ?? ANYTHING;
  if (!multiline) return need;
  const texts = searchTexts(need);
  if (texts === undefined) return ANYTHING;
  return { kind: 'one', parts: texts.map((literal) => ({ kind: 'literal', literal })) };
}

const ANYTHING: Requirement = { kind: 'any' };

/** Whether every matching line contains a text that is long enough for the index. */
export function isSelective(need: Requirement): boolean {
  if (need.kind === 'literal') return Buffer.byteLength(need.literal.text) >= MIN_INDEXED_BYTES;
  if (need.kind === 'one') return need.parts.every(isSelective);
  return need.kind === 'all' && need.parts.some(isSelective);
}
