import { fail } from '../../contract/errors.ts';
import type { Requirement } from '../../regex/literals.ts';
import { createMatcher, type Matcher, type PatternOptions } from '../../regex/matcher.ts';
import { PatternError, UnsupportedPattern } from '../../regex/syntax.ts';

/** Shorter texts have no trigram. */
const MIN_INDEXED_BYTES = 3;

/** Compiles a pattern; undefined if only ripgrep can run it. */
export function compilePattern(pattern: PatternOptions): Matcher | undefined {
  try {
    return createMatcher(pattern);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    if (error instanceof PatternError) {
      const { message, position } = error;
      fail('invalid_parameter', `pattern: ${message} (at character ${position}).`, { details: { position } });
    }
    throw error;
  }
}

/** Whether every matching line contains a text that is long enough for the index. */
export function isSelective(need: Requirement): boolean {
  if (need.kind === 'literal') return Buffer.byteLength(need.literal.text) >= MIN_INDEXED_BYTES;
  if (need.kind === 'one') return need.parts.every(isSelective);
  return need.kind === 'all' && need.parts.some(isSelective);
}
