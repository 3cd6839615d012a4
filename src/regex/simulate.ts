import { uint8At, uint32At } from '../contract/at.ts';
import { type CharSet, hasAscii, hasCodePoint, jsClass } from './charset.ts';
import { PERL_CLASSES } from './parse-class.ts';
import { holds, type Program, type Surroundings } from './program.ts';

/** Where a match is, in bytes from the start of the line. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A line takes too many steps for this process. */
export class TooExpensive extends Error {
  override readonly name = 'TooExpensive';
}

/** Steps per line: about a second. */
const MAX_STEPS_PER_LINE = 30_000_000;

const unicodeWord = jsClass(PERL_CLASSES.w.unicode);
const asciiWord = jsClass(PERL_CLASSES.w.ascii);

/** Threads of the machine in order of preference, each with the start of its match. */
class Threads {
  readonly places: Uint32Array;
  readonly starts: Uint32Array;
  count = 0;

  constructor(size: number) {
    this.places = new Uint32Array(size);
    this.starts = new Uint32Array(size);
  }

  push(place: number, start: number): void {
    this.places[this.count] = place;
    this.starts[this.count++] = start;
  }
}

/**
 * Finds the leftmost match in a line of any bytes by running all alternatives side by side, character by
 * character. Bytes that are not UTF-8 are in no set, as in ripgrep. Slower than the automaton, but it knows
 * where the match is.
 */
export class Simulator {
  readonly #program: Program;
  /** Reached by the previous character, but not yet followed through splits and looks. */
  readonly #waiting: Threads;
  readonly #active: Threads;
  readonly #seen: Uint32Array;
  #round = 0;
  /** For each step: 1 if it passes over any text, 2 if it does not, 0 if unknown. */
  readonly #passes: Uint8Array;

  constructor(program: Program) {
    this.#program = program;
    this.#waiting = new Threads(program.steps.length);
    this.#active = new Threads(program.steps.length);
    this.#seen = new Uint32Array(program.steps.length);
    this.#passes = new Uint8Array(program.steps.length);
  }

  /** The first match in the line `bytes[from, to)` that starts at or after `begin`. */
  firstMatch(bytes: Uint8Array, from: number, to: number, begin = from): Span | undefined {
    const waiting = this.#waiting;
    const active = this.#active;
    waiting.count = 0;
    let found: Span | undefined;
    let before = begin === from ? NOTHING : decodeLast(bytes, from, begin);
    let work = 0;
    for (let at = begin; ; ) {
      const here = at < to ? decode(bytes, at, to) : NOTHING;
      this.#settle(before, here, found === undefined ? at - from : undefined);
      waiting.count = 0;
      for (let index = 0; index < active.count; index++) {
        const step = this.#program.steps[uint32At(active.places, index)];
        const start = uint32At(active.starts, index);
        if (step?.op === 'match') {
          // Later threads are less preferred.
          found = { start, end: at - from };
          break;
        }
        if (step?.op === 'set' && hasCodePoint(step.set, here.codePoint)) waiting.push(step.next, start);
      }
      if (at >= to || (waiting.count === 0 && found !== undefined)) return found;
      work += active.count + 1;
      if (work > MAX_STEPS_PER_LINE) throw new TooExpensive();
      before = here;
      at += here.length;
    }
  }

  /**
   * Whether the line matches whatever is in its gaps, so that the answer reveals nothing about them: only a
   * part that repeats any character (`.*`, `[^"]+`, `\S*`) passes over a gap. Gaps are in order and not empty.
   */
  matchesAround(line: Uint8Array, gaps: readonly Span[]): boolean {
    const { steps } = this.#program;
    const waiting = this.#waiting;
    const active = this.#active;
    waiting.count = 0;
    let before = NOTHING;
    let work = 0;
    for (let at = 0, gap = 0; ; ) {
      const here =
        gaps[gap]?.start === at ? UNKNOWN : at < line.length ? decode(line, at, line.length) : NOTHING;
      this.#settle(before, here, at);
      waiting.count = 0;
      for (let index = 0; index < active.count; index++) {
        const place = uint32At(active.places, index);
        const step = steps[place];
        if (step?.op === 'match') return true;
        if (step?.op !== 'set') continue;
        if (here === UNKNOWN ? this.#passesAny(place) : hasCodePoint(step.set, here.codePoint))
          waiting.push(step.next, 0);
      }
      if (at >= line.length) return false;
      work += active.count + 1;
      if (work > MAX_STEPS_PER_LINE) throw new TooExpensive();
      before = here;
      at = here === UNKNOWN ? (gaps[gap++]?.end ?? line.length) : at + here.length;
    }
  }

  /** Whether a step takes any character, and any number of them. */
  #passesAny(place: number): boolean {
    const known = this.#passes[place];
    if (known !== 0) return known === 1;
    const passes = this.#takesAny(place) && this.#repeats(place);
    this.#passes[place] = passes ? 1 : 2;
    return passes;
  }

  #takesAny(place: number): boolean {
    const step = this.#program.steps[place];
    return step?.op === 'set' && ANY.every((code) => hasAscii(step.set, code));
  }

  /** Whether the step can follow itself, as in a loop, apart from splits. */
  #repeats(place: number): boolean {
    const { steps } = this.#program;
    const first = steps[place];
    if (first?.op !== 'set') return false;
    const seen = new Set<number>();
    const pending = [first.next];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const step = steps[at];
      if (step?.op === 'set' && step.next === first.next && this.#takesAny(at)) return true;
      if (step?.op !== 'split' || seen.has(at)) continue;
      seen.add(at);
      pending.push(step.second, step.first);
    }
    return false;
  }

  /** Follows the waiting threads through splits and looks; a new match may start at `start`. */
  #settle(before: Decoded, after: Decoded, start: number | undefined): void {
    const unicode = around(unicodeWord, before, after);
    const ascii = around(asciiWord, before, after);
    this.#active.count = 0;
    this.#round++;
    for (let index = 0; index < this.#waiting.count; index++) {
      this.#follow(
        uint32At(this.#waiting.places, index),
        uint32At(this.#waiting.starts, index),
        unicode,
        ascii,
      );
    }
    if (start !== undefined) this.#follow(this.#program.start, start, unicode, ascii);
  }

  #follow(from: number, start: number, unicode: Surroundings, ascii: Surroundings): void {
    const pending = [from];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (this.#seen[place] === this.#round) continue;
      this.#seen[place] = this.#round;
      const step = this.#program.steps[place];
      if (step === undefined) continue;
      if (step.op === 'set' || step.op === 'match') this.#active.push(place, start);
      else if (step.op === 'split') pending.push(step.second, step.first);
      else if (holds(step.look, step.unicode ? unicode : ascii)) pending.push(step.next);
    }
  }
}

function around(word: CharSet, before: Decoded, after: Decoded): Surroundings {
  const wordBefore = hasCodePoint(word, before.codePoint);
  const wordAfter = hasCodePoint(word, after.codePoint);
  return {
    atStart: before === NOTHING,
    atEnd: after === NOTHING,
    // Next to a gap it is unknown whether a word ends: both sides count as alike, so no look holds.
    wordBefore: before === UNKNOWN ? wordAfter : wordBefore,
    wordAfter: after === UNKNOWN ? wordBefore : wordAfter,
    brokenBefore: before === INVALID || before === UNKNOWN,
    brokenAfter: after === INVALID || after === UNKNOWN,
  };
}

interface Decoded {
  readonly codePoint: number;
  readonly length: number;
}

const INVALID: Decoded = { codePoint: -1, length: 1 };
/** Beyond either end of the line. */
const NOTHING: Decoded = { codePoint: -1, length: 1 };
/** A gap, whose content must not matter. */
const UNKNOWN: Decoded = { codePoint: -1, length: 1 };

/** The characters of a word without quotes. */
const ANY = Array.from({ length: 0x7f - 0x21 }, (_none, index) => 0x21 + index).filter(
  (code) => !'"\'`\\'.includes(String.fromCharCode(code)),
);

/** The character that ends at an offset. */
function decodeLast(bytes: Uint8Array, from: number, end: number): Decoded {
  for (let length = 1; length <= 4 && end - length >= from; length++) {
    const character = decode(bytes, end - length, end);
    if (character !== INVALID && character.length === length) return character;
  }
  return INVALID;
}

/** The character at an offset, or one invalid byte. Overlong forms and surrogates are invalid. */
export function decode(bytes: Uint8Array, at: number, to: number): Decoded {
  const first = uint8At(bytes, at);
  if (first < 0x80) return { codePoint: first, length: 1 };
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > to) return INVALID;
  let codePoint = first & (0xff >> (length + 1));
  for (let index = 1; index < length; index++) {
    const byte = uint8At(bytes, at + index);
    if ((byte & 0xc0) !== 0x80) return INVALID;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  const smallest = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
  if (codePoint < smallest || codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint < 0xe000))
    return INVALID;
  return { codePoint, length };
}
