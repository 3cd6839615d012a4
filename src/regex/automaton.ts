import { alikeCodes, BROKEN, SEEN, seenBy, seenOf } from './alphabet.ts';
import { hasCodePoint } from './charset.ts';
import { holds, type Program, type Surroundings } from './program.ts';
import { decode } from './simulate.ts';

/** Where a text has brought a pattern: good for going on with this pattern. */
export interface Progress {
  /** Places in the program reached, before looks and splits are followed. */
  readonly places: Uint32Array;
  /** What looks can see of the character before, as bits of SEEN. */
  readonly before: number;
  /** The first bytes of a character that is not complete yet. */
  readonly begun: readonly number[];
}

const NOTHING: readonly number[] = [];
/** The pattern has matched, whatever follows. */
export const MATCHED: Progress = { places: new Uint32Array(0), before: 0, begun: NOTHING };
/** The pattern cannot match any more, whatever follows. */
export const DEAD: Progress = { places: new Uint32Array(0), before: 0, begun: NOTHING };

/** States are numbered by where their row in the table begins: one look-up a byte, without any arithmetic. */
const SHIFT = 8;
const WIDTH = 1 << SHIFT;
/** The next state has to be learnt; as a state it leads only to itself, and so do the next two. */
const UNKNOWN = 0;
const MATCH_STATE = WIDTH;
const DEAD_STATE = 2 * WIDTH;
/** States from here on have not decided yet. */
const OPEN = 3 * WIDTH;

/** Above this many states everything is forgotten and learnt again. */
const MOST_STATES = 8_192;
const FIRST_STATES = 16;

/** Told apart from all characters. */
const END = -2;

const NOT_ASKED = 0;
const MATCHES = 1;
const FAILS = 2;
/** Of the states UNKNOWN, MATCH_STATE and DEAD_STATE. */
const DECIDED = [NOT_ASKED, MATCHES, FAILS];

/**
 * A deterministic automaton over UTF-8, built while it runs. Each byte costs one table look-up or, the first
 * time, at most one pass over the program: no pattern and no text can make it slower than that.
 */
export class Automaton {
  readonly #program: Program;
  readonly #seen: number;
  readonly #alike: readonly (readonly number[])[];
  /** What a byte that is no UTF-8 is read as. */
  readonly #broken: number;
  /** Places from which a match can be reached behind the start of a text. */
  readonly #hopeful: Uint8Array;
  readonly #marks: Uint32Array;
  #mark = 0;
  #table = new Int32Array(0);
  /** Whether a text that ends in a state matches. */
  #ends = new Uint8Array(0);
  #states: Progress[] = [];
  #ids = new Map<string, number>();
  #start = OPEN;

  /** `lossy`: bytes that are no UTF-8 are read as U+FFFD, the way texts show them, instead of being in no set. */
  constructor(program: Program, lossy = false) {
    this.#program = program;
    this.#seen = seenBy(program);
    this.#alike = alikeCodes(program);
    this.#broken = lossy ? 0xfffd : BROKEN;
    this.#hopeful = hopefulPlaces(program);
    this.#marks = new Uint32Array(program.steps.length);
    this.#reset();
  }

  /** True when the text `bytes[from, to)` matches. */
  test(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#endsAt(this.#run(this.#start, bytes, from, to));
  }

  /** Where a text brings the pattern, from its start or from where another text has brought it. */
  after(bytes: Uint8Array, from: number, to: number, here?: Progress): Progress {
    const state = this.#run(this.#stateFrom(here), bytes, from, to);
    return this.#states[state >> SHIFT] ?? DEAD;
  }

  /**
   * Marks with 1 each text `i` in `[from, to)` that matches, being the bytes from `starts[i]` to `starts[i + 1]`.
   * All of them go on from `here`, or from the start.
   */
  testEach(
    bytes: Uint8Array,
    starts: Uint32Array,
    from: number,
    to: number,
    into: Uint8Array,
    here?: Progress,
  ): void {
    if (here === DEAD) return;
    if (here === MATCHED) {
      into.fill(1, from, to);
      return;
    }
    for (let text = from; text < to; text++) {
      const first = this.#stateFrom(here);
      text = runKnown(this.#table, this.#ends, first, bytes, starts, text, to, into);
      if (text < to && this.#endsAt(this.#run(first, bytes, starts[text] ?? 0, starts[text + 1] ?? 0)))
        into[text] = 1;
    }
  }

  /** Goes on until the text ends or all is decided. Four bytes at once, as long as nothing has to be learnt. */
  #run(from: number, bytes: Uint8Array, start: number, end: number): number {
    let table = this.#table;
    let state = from;
    let at = start;
    if (state < OPEN) return state;
    while (at < end) {
      if (at + 4 <= end) {
        const one = table[state + (bytes[at] ?? 0)] ?? 0;
        const two = table[one + (bytes[at + 1] ?? 0)] ?? 0;
        const three = table[two + (bytes[at + 2] ?? 0)] ?? 0;
        const four = table[three + (bytes[at + 3] ?? 0)] ?? 0;
        if (four >= OPEN) {
          state = four;
          at += 4;
          continue;
        }
        if (four !== UNKNOWN) return four;
      }
      const next = table[state + (bytes[at] ?? 0)] ?? 0;
      if (next === UNKNOWN) {
        state = this.#learn(state, bytes[at] ?? 0);
        table = this.#table;
      } else state = next;
      at++;
      if (state < OPEN) return state;
    }
    return state;
  }

  #learn(state: number, byte: number): number {
    const next = this.#next(this.#states[state >> SHIFT] ?? DEAD, byte);
    if (this.#states.length >= MOST_STATES) {
      // Nothing that is known by number stays; what was reached does.
      this.#reset();
      return this.#stateOf(next);
    }
    const id = this.#stateOf(next);
    const begun = this.#states[state >> SHIFT]?.begun.length ?? 0;
    for (const alike of begun > 0 || byte > 127 ? [byte] : (this.#alike[byte] ?? [])) {
      this.#table[state + alike] = id;
    }
    return id;
  }

  #endsAt(state: number): boolean {
    const at = state >> SHIFT;
    if (this.#ends[at] === NOT_ASKED) {
      let here = this.#states[at] ?? DEAD;
      while (here.begun.length > 0) here = this.#afterBroken(here, here.begun);
      const matches = here === MATCHED || this.#follow(here, END) === undefined;
      this.#ends[at] = matches ? MATCHES : FAILS;
    }
    return this.#ends[at] === MATCHES;
  }

  #reset(): void {
    this.#table = new Int32Array(WIDTH * FIRST_STATES);
    this.#table.fill(MATCH_STATE, MATCH_STATE, DEAD_STATE).fill(DEAD_STATE, DEAD_STATE, OPEN);
    this.#ends = Uint8Array.from({ length: FIRST_STATES }, (_, state) => DECIDED[state] ?? NOT_ASKED);
    this.#states = [DEAD, MATCHED, DEAD];
    this.#ids = new Map();
    const places = Uint32Array.of(this.#program.start);
    this.#start = this.#stateOf({ places, before: SEEN.start & this.#seen, begun: NOTHING });
  }

  #stateFrom(here: Progress | undefined): number {
    if (here === undefined) return this.#start;
    if (this.#states.length >= MOST_STATES) this.#reset();
    return this.#stateOf(here);
  }

  #stateOf(progress: Progress): number {
    if (progress === MATCHED) return MATCH_STATE;
    if (progress.places.length === 0) return DEAD_STATE;
    const key = `${progress.before}:${progress.places.join()}:${progress.begun.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = (this.#states.push(progress) - 1) * WIDTH;
    this.#ids.set(key, id);
    if (id + WIDTH > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2);
      larger.set(this.#table);
      this.#table = larger;
      const ends = new Uint8Array(larger.length / WIDTH);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    return id;
  }

  /** What one byte more leads to. */
  #next(here: Progress, byte: number): Progress {
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

  /** The first of the bytes is no character; the others are read anew. */
  #afterBroken(here: Progress, [, ...others]: readonly number[]): Progress {
    let at = this.#take(here, this.#broken);
    for (const byte of others) if (at !== MATCHED) at = this.#next(at, byte);
    return at;
  }

  /** What one character more leads to. */
  #take(here: Progress, codePoint: number): Progress {
    const reached = this.#follow(here, codePoint);
    return reached === undefined ? MATCHED : this.#advance(reached, codePoint);
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

  /** Takes the character in each of the steps; a match may also begin after it. */
  #advance(reached: readonly number[], codePoint: number): Progress {
    const next = new Set<number>([this.#program.start]);
    for (const place of reached) {
      const step = this.#program.steps[place];
      if (step?.op === 'set' && hasCodePoint(step.set, codePoint)) next.add(step.next);
    }
    const places = Uint32Array.from([...next].filter((place) => this.#hopeful[place] === 1)).sort();
    return { places, before: seenOf(codePoint) & this.#seen, begun: NOTHING };
  }
}

/**
 * Marks the texts that match until one needs a step that is not known yet, and returns that one. A function of its
 * own without anything that can change, since this is where the time goes: about a nanosecond a byte.
 */
function runKnown(
  table: Int32Array,
  ends: Uint8Array,
  first: number,
  bytes: Uint8Array,
  starts: Uint32Array,
  from: number,
  to: number,
  into: Uint8Array,
): number {
  // Local, since bundlers make variables of the constants of a module, and those are looked at each time.
  const open = OPEN;
  const shift = SHIFT;
  for (let text = from; text < to; text++) {
    let state = first;
    let at = starts[text] ?? 0;
    const end = starts[text + 1] ?? 0;
    while (at + 4 <= end) {
      const one = table[state + (bytes[at] ?? 0)] ?? 0;
      const two = table[one + (bytes[at + 1] ?? 0)] ?? 0;
      const three = table[two + (bytes[at + 2] ?? 0)] ?? 0;
      state = table[three + (bytes[at + 3] ?? 0)] ?? 0;
      if (state < open) break;
      at += 4;
    }
    if (state >= open) for (; at < end; at++) state = table[state + (bytes[at] ?? 0)] ?? 0;
    const verdict = ends[state >> shift] ?? 0;
    if (verdict === MATCHES) into[text] = 1;
    else if (verdict === NOT_ASKED) return text;
  }
  return to;
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
