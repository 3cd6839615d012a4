import { Automaton, type Behind, type Place } from './automaton.ts';
import { escapePattern } from './escape-pattern.ts';
import { type Literal, type Requirement, requirement, searchTexts, textsOf } from './literals.ts';
import { parsePattern } from './parse-pattern.ts';
import { compile } from './program.ts';
import { Simulator, type Span } from './simulate.ts';
import { concat, type Look, type Syntax } from './syntax.ts';

export type { Place } from './automaton.ts';

/** How a pattern is meant. */
export interface PatternOptions {
  readonly pattern: string;
  readonly insensitive: boolean;
  /** Whole words only. */
  readonly word: boolean;
  /** The pattern is a text, not an expression. */
  readonly fixed: boolean;
  /** Bytes that are no UTF-8 are read as U+FFFD, the way texts show them, instead of being in no set. */
  readonly lossy?: boolean | undefined;
  /** Each line is a text of its own: `\A` and `\z` are its start and end. */
  readonly apart?: boolean | undefined;
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
  /** True when the line `bytes[from, to)` matches, behind the text that led to a place if one is given. */
  test(bytes: Uint8Array, from: number, to: number, behind?: Place): boolean;
  /**
   * Writes 1 for each text `i` in `[from, to)` that matches and 0 for the others, a text being the bytes from
   * `starts[i]` to `starts[i + 1]`: for many short texts, such as names.
   */
  testEach(
    bytes: Uint8Array,
    starts: Uint32Array,
    from: number,
    to: number,
    into: Uint8Array,
    behind?: Behind,
  ): void;
  /** The place before any text. */
  readonly start: Place;
  /** Where a text leads, so that what follows it can be tested without reading it again. */
  after(bytes: Uint8Array, from: number, to: number, behind?: Place): Place;
  /** True when a line matches whatever stands in its gaps; see {@link Simulator.matchesAround}. */
  testAround(line: Uint8Array, gaps: readonly Span[]): boolean;
  /** The first match in the line that begins at `begin` or later. */
  locate(bytes: Uint8Array, from: number, to: number, begin?: number): Span | undefined;
}

/** Compiles a pattern; see {@link parsePattern} for the dialect and the errors. */
export function createMatcher(options: PatternOptions): Matcher {
  const syntax = parseOptions(options);
  const program = compile(syntax);
  const automaton = new Automaton(program, options.lossy);
  const simulator = new Simulator(program);
  const needed = requirement(syntax);
  const texts = searchTexts(needed);
  return {
    requirement: needed,
    size: program.steps.length,
    texts,
    textsSuffice: isText(syntax) && (textsOf(syntax)?.every((literal) => !literal.folded) ?? false),
    test: automaton.test.bind(automaton),
    after: automaton.after.bind(automaton),
    testEach: automaton.testEach.bind(automaton),
    start: automaton.start,
    testAround: (line, gaps) => simulator.matchesAround(line, gaps),
    locate: (bytes, from, to, begin) => simulator.firstMatch(bytes, from, to, begin),
  };
}

/** Parses a pattern together with its options. */
export function parseOptions({ pattern, insensitive, word, fixed, apart }: PatternOptions): Syntax {
  const syntax = parsePattern(fixed ? escapePattern(pattern) : pattern, insensitive, apart);
  if (!word) return syntax;
  const look = (kind: Look): Syntax => ({ kind: 'look', look: kind, unicode: true });
  return concat([look('word-start-half'), syntax, look('word-end-half')]);
}

/** Plain characters and choices between them. */
function isText(syntax: Syntax): boolean {
  if (syntax.kind === 'set') return syntax.char !== undefined;
  return (syntax.kind === 'concat' || syntax.kind === 'choice') && syntax.parts.every(isText);
}
