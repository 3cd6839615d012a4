import type { CharSet } from './charset.ts';

/** Places that match without taking a character. */
export type Look =
  | 'line-start'
  | 'line-end'
  | 'word'
  | 'not-word'
  | 'word-start'
  | 'word-end'
  | 'word-start-half'
  | 'word-end-half';

/** A parsed pattern. */
export type Syntax =
  | { readonly kind: 'empty' }
  /** `folded`: written without regard to case, so that a letter means all its cases. */
  | {
      readonly kind: 'set';
      readonly set: CharSet;
      readonly folded: boolean;
      readonly char?: number | undefined;
    }
  | { readonly kind: 'look'; readonly look: Look; readonly unicode: boolean }
  | { readonly kind: 'concat'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly parts: readonly Syntax[] }
  | {
      readonly kind: 'repeat';
      readonly part: Syntax;
      readonly min: number;
      /** Infinity for no upper bound. */
      readonly max: number;
      readonly greedy: boolean;
    };

/** The pattern is not a regular expression; `position` counts characters. */
export class PatternError extends Error {
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** A valid pattern that only the external engine can run. */
export class UnsupportedPattern extends Error {}

/** Joins parts, without needless nesting. */
export function concat(parts: readonly Syntax[]): Syntax {
  const [only] = parts;
  if (only === undefined) return { kind: 'empty' };
  return parts.length === 1 ? only : { kind: 'concat', parts };
}
