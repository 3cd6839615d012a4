import { Automaton } from './automaton.ts';
import { type Literal, type Requirement, requirement, searchTexts, textsOf } from './literals.ts';
import { parsePattern } from './parse.ts';
import { compile } from './program.ts';
import { Simulator, type Span } from './simulate.ts';
import { concat, type Look, type Syntax } from './syntax.ts';

/** How a pattern is meant. */
export interface PatternOptions {
  readonly pattern: string;
  readonly insensitive: boolean;
  /** Whole words only. */
  readonly word: boolean;
  /** The pattern is a text, not an expression. */
  readonly fixed: boolean;
}

/** A compiled pattern. */
export interface Matcher {
  /** What every matching line contains. */
  readonly requirement: Requirement;
  /** Texts of which a matching line contains at least one, to look for before anything else. */
  readonly texts: readonly Literal[] | undefined;
  /** A line with one of the texts matches: nothing else has to be tested. */
  readonly textsSuffice: boolean;
  /** Steps of the compiled pattern: what a character can cost at most. */
  readonly size: number;
  /** True when the line `bytes[from, to)` matches. */
  test(bytes: Uint8Array, from: number, to: number): boolean;
  /** The first match in the line. */
  locate(bytes: Uint8Array, from: number, to: number): Span | undefined;
}

/** Compiles a pattern; see {@link parsePattern} for the dialect and the errors. */
export function createMatcher(options: PatternOptions): Matcher {
  const syntax = parseOptions(options);
  const program = compile(syntax);
  const automaton = new Automaton(program);
  const simulator = new Simulator(program);
  const needed = requirement(syntax);
  const texts = searchTexts(needed);
  return {
    requirement: needed,
    size: program.steps.length,
    texts,
    textsSuffice: isText(syntax) && (textsOf(syntax)?.every((literal) => !literal.folded) ?? false),
    test(bytes, from, to) {
      const verdict = automaton.test(bytes, from, to);
      return verdict === 'not-ascii'
        ? simulator.firstMatch(bytes, from, to) !== undefined
        : verdict === 'match';
    },
    locate: (bytes, from, to) => simulator.firstMatch(bytes, from, to),
  };
}

/** Parses a pattern together with its options. */
export function parseOptions({ pattern, insensitive, word, fixed }: PatternOptions): Syntax {
  const syntax = parsePattern(fixed ? escapePattern(pattern) : pattern, insensitive);
  if (!word) return syntax;
  const look = (kind: Look): Syntax => ({ kind: 'look', look: kind, unicode: true });
  return concat([look('word-start-half'), syntax, look('word-end-half')]);
}

/** The expression that matches exactly this text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, '\\$&');
}

/** Plain characters and choices between them. */
function isText(syntax: Syntax): boolean {
  if (syntax.kind === 'set') return syntax.char !== undefined;
  return (syntax.kind === 'concat' || syntax.kind === 'choice') && syntax.parts.every(isText);
}
