import { Automaton, type Behind, type Place } from './automaton.ts';
import { escapePattern } from './escape-pattern.ts';
import { type Literal, type Requirement, requirement, searchTexts, textsOf } from './literals.ts';
import { parsePattern } from './parse-pattern.ts';
import { compile } from './program.ts';
import { Simulator, type Span } from './simulate.ts';
import { concat, type Look, type Syntax } from './syntax.ts';

export type { Place } from './automaton.ts';

/** A pattern and how to read it. */
export interface PatternOptions {
  readonly pattern: string;
  readonly insensitive: boolean;
  /** Whole words only. */
  readonly word: boolean;
  /** The pattern is plain text, not an expression. */
  readonly fixed: boolean;
  /** Bytes that are not UTF-8 are read as U+FFFD, as texts show them, instead of being in no set. */
  readonly lossy?: boolean | undefined;
  /** Each line is its own text: `\A` and `\z` are its start and end. */
  readonly apart?: boolean | undefined;
  /** A match may span lines. Only ripgrep runs such a pattern; compiled here, it tells what a match contains. */
  readonly multiline?: boolean | undefined;
}

/** A compiled pattern. */
export interface Matcher {
  /** What every matching line must contain. */
  readonly requirement: Requirement;
  /** Texts to search for before anything else: a matching line contains at least one of them. */
  readonly texts: readonly Literal[] | undefined;
  /** Whether every line with one of the texts matches, so that nothing else has to be tested. */
  readonly textsSuffice: boolean;
  /** Steps of the compiled pattern: the most that a character can cost. */
  readonly size: number;
  /** Whether the line `bytes[from, to)` matches, after the text that led to `behind` if given. */
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
  /** The state before any text. */
  readonly start: Place;
  /** The state after a text, so that what follows can be tested without reading the text again. */
  after(bytes: Uint8Array, from: number, to: number, behind?: Place): Place;
  /** Whether a line matches whatever is in its gaps; see {@link Simulator.matchesAround}. */
  testAround(line: Uint8Array, gaps: readonly Span[]): boolean;
  /** The first match in the line that starts at or after `begin`. */
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
function parseOptions({ pattern, insensitive, word, fixed, apart, multiline }: PatternOptions): Syntax {
  const syntax = parsePattern(fixed ? escapePattern(pattern) : pattern, insensitive, apart, multiline);
  if (!word) return syntax;
  const look = (kind: Look): Syntax => ({ kind: 'look', look: kind, unicode: true });
  return concat([look('word-start-half'), syntax, look('word-end-half')]);
}

/** Plain characters and choices between them. */
function isText(syntax: Syntax): boolean {
  if (syntax.kind === 'set') return syntax.char !== undefined;
  return (syntax.kind === 'concat' || syntax.kind === 'choice') && syntax.parts.every(isText);
}
