import { BROKEN, SEEN, seenBy, seenOf } from './alphabet.ts';
import { hasCodePoint } from './charset.ts';
import { holds, type Program, type Surroundings } from './program.ts';
import { decode } from './simulate.ts';

/** The state of a pattern after a text, to continue from. */
export interface Progress {
  /** Steps of the program that were reached, before looks and splits are followed. */
  readonly places: Uint32Array;
  /** What looks can see of the previous character, as bits of SEEN. */
  readonly before: number;
  /** The first bytes of an incomplete character. */
  readonly begun: readonly number[];
}

const NOTHING: readonly number[] = [];
/** The pattern has matched, whatever follows. */
export const MATCHED: Progress = { places: new Uint32Array(0), before: 0, begun: NOTHING };
/** The pattern can no longer match, whatever follows. */
export const DEAD: Progress = { places: new Uint32Array(0), before: 0, begun: NOTHING };

/** Differs from all characters. */
const END = -2;

/** Runs a pattern through a text byte by byte, all its alternatives at once. */
export class Stepper {
  readonly start: Progress;
  readonly #program: Program;
  readonly #seen: number;
  /** What a byte that is not UTF-8 is read as. */
  readonly #broken: number;
  /** Steps from which a match can be reached after the start of a text. */
  readonly #hopeful: Uint8Array;
  readonly #marks: Uint32Array;
  #mark = 0;

  constructor(program: Program, lossy: boolean) {
    this.#program = program;
    this.#seen = seenBy(program);
    this.#broken = lossy ? 0xfffd : BROKEN;
    this.#hopeful = hopefulPlaces(program);
    this.#marks = new Uint32Array(program.steps.length);
    this.start = {
      places: Uint32Array.of(program.start),
      before: SEEN.start & this.#seen,
      begun: NOTHING,
    };
  }

  /** The state after one more byte. */
  next(here: Progress, byte: number): Progress {
    if (here.begun.length === 0) {
      if (byte < 0x80) return this.#take(here, byte);
      return byte < 0xc2 || byte > 0xf4 ? this.#take(here, this.#broken) : { ...here, begun: [byte] };
    }
    const bytes = [...here.begun, byte];
    const [first = 0] = bytes;
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if ((byte & 0xc0) === 0x80) {
      if (bytes.length < length) return { ...here, begun: bytes };
      const { codePoint } = decode(Uint8Array.from(bytes), 0, length);
      if (codePoint >= 0) return this.#take(here, codePoint);
    }
    return this.#afterBroken(here, bytes);
  }

  /** True when a text that ends here matches. */
  endsAt(here: Progress): boolean {
    let at = here;
    while (at.begun.length > 0) at = this.#afterBroken(at, at.begun);
    return at === MATCHED || this.#follow(at, END) === undefined;
  }

  /** The first byte is not part of a character; the others are read again. */
  #afterBroken(here: Progress, [, ...others]: readonly number[]): Progress {
    let at = this.#take(here, this.#broken);
    for (const byte of others) if (at !== MATCHED) at = this.next(at, byte);
    return at;
  }

  /** The state after one more character. */
  #take(here: Progress, codePoint: number): Progress {
    const reached = this.#follow(here, codePoint);
    if (reached === undefined) return MATCHED;
    // A match may also begin after the character.
    const next = new Set<number>([this.#program.start]);
    for (const place of reached) {
      const step = this.#program.steps[place];
      if (step?.op === 'set' && hasCodePoint(step.set, codePoint)) next.add(step.next);
    }
    const places = Uint32Array.from([...next].filter((place) => this.#hopeful[place] === 1)).sort();
    if (places.length === 0) return DEAD;
    return { places, before: seenOf(codePoint) & this.#seen, begun: NOTHING };
  }

  /** All character steps reachable without taking one, before a character or END; undefined for a match. */
  #follow({ places, before }: Progress, next: number): number[] | undefined {
    const { steps } = this.#program;
    const after = next === END ? 0 : seenOf(next);
    const unicode = around(before, after, SEEN.unicodeWord, next === END);
    const ascii = around(before, after, SEEN.asciiWord, next === END);
    const mark = ++this.#mark;
    const pending = [...places];
    const reached: number[] = [];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (this.#marks[place] === mark) continue;
      this.#marks[place] = mark;
      const step = steps[place];
      if (step === undefined) continue;
      if (step.op === 'match') return undefined;
      if (step.op === 'set') reached.push(place);
      else if (step.op === 'split') pending.push(step.second, step.first);
      else if (holds(step.look, step.unicode ? unicode : ascii)) pending.push(step.next);
    }
    return reached;
  }
}

function around(before: number, after: number, word: number, atEnd: boolean): Surroundings {
  return {
    atStart: (before & SEEN.start) !== 0,
    atEnd,
    wordBefore: (before & word) !== 0,
    wordAfter: (after & word) !== 0,
    brokenBefore: (before & SEEN.broken) !== 0,
    brokenAfter: (after & SEEN.broken) !== 0,
  };
}

/** Places from which a match can be reached where no text starts; the others need not be remembered. */
function hopefulPlaces({ steps }: Program): Uint8Array {
  const hopeful = new Uint8Array(steps.length);
  const before: number[][] = steps.map(() => []);
  const pending: number[] = [];
  for (const [place, step] of steps.entries()) {
    if (step.op === 'match') pending.push(place);
    else if (step.op === 'split') for (const next of [step.first, step.second]) before[next]?.push(place);
    else if (step.op === 'set' || step.look !== 'line-start') before[step.next]?.push(place);
  }
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (hopeful[place] === 1) continue;
    hopeful[place] = 1;
    pending.push(...(before[place] ?? []));
  }
  return hopeful;
}
