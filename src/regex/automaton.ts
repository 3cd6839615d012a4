import { alikeCodes } from './alphabet.ts';
import type { Program } from './program.ts';
import { DEAD, MATCHED, type Progress, Stepper } from './stepper.ts';
import { MOST_BYTES, MOST_TEXTS, TextLoop } from './text-loop.ts';

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
/** Texts that are read at least for each time that something new turns up. */
const LEARN = 16;

/** Whether a text that ends in a state matches. */
const NOT_ASKED = 0;
const MATCHES = 1;
const FAILS = 2;
/** Of UNKNOWN, MATCH_STATE and DEAD_STATE. */
const DECIDED = [NOT_ASKED, MATCHES, FAILS];

/** Where many beginnings bring a pattern: text `i` goes on behind beginning `of[i]`. */
export interface Ways {
  readonly of: Uint32Array;
  /** By number of the beginning: its state, 0 where it is not known, and among which states. */
  readonly states: Int32Array;
  among: readonly Progress[] | undefined;
  /** Places of beginnings whose states were forgotten; an absent one is empty. */
  places: readonly (Progress | undefined)[];
}

export { DEAD, MATCHED } from './stepper.ts';

let textLoop: TextLoop | undefined;

/**
 * A deterministic automaton over UTF-8, built while it runs. Each byte costs one table look-up or, the first
 * time, at most one pass over the program: no pattern and no text can make it slower than that.
 */
export class Automaton {
  readonly #stepper: Stepper;
  readonly #alike: readonly (readonly number[])[];
  #table = new Int32Array(0);
  #ends = new Uint8Array(0);
  #states: Progress[] = [];
  #ids = new Map<string, number>();
  #start = OPEN;
  /** Another object whenever something was learnt. */
  #version = {};

  /** `lossy`: bytes that are no UTF-8 are read as U+FFFD, the way texts show them, instead of being in no set. */
  constructor(program: Program, lossy = false) {
    this.#stepper = new Stepper(program, lossy);
    this.#alike = alikeCodes(program);
    this.#reset();
  }

  /** True when the text `bytes[from, to)` matches. */
  test(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#endsAt(this.#run(this.#start, bytes, from, to));
  }

  /** Where a text brings the pattern. */
  after(bytes: Uint8Array, from: number, to: number): Progress {
    return this.#states[this.#run(this.#start, bytes, from, to) >> SHIFT] ?? DEAD;
  }

  /**
   * Writes 1 for each text `i` in `[from, to)` that matches and 0 for the others, a text being the bytes from
   * `starts[i]` to `starts[i + 1]`.
   */
  testEach(
    bytes: Uint8Array,
    starts: Uint32Array,
    from: number,
    to: number,
    into: Uint8Array,
    ways?: Ways,
  ): void {
    textLoop ??= new TextLoop();
    for (let text = from; text < to; ) {
      const begin = text;
      let end = Math.min(to, begin + MOST_TEXTS);
      while (end > begin && (starts[end] ?? 0) - (starts[begin] ?? 0) > MOST_BYTES) end = (begin + end) >> 1;
      this.#firsts(ways, begin, end, textLoop.firsts);
      textLoop.load(this.#version, this.#table, this.#ends);
      text = textLoop.run(bytes, starts, begin, end, into);
      if (text === end && end > begin) continue;
      // What is new is learnt here, for many texts at once, since all states have to be handed over after it.
      for (const known = Math.min(to, text + LEARN + this.#states.length); text < known; text++) {
        const state = this.#run(this.#first(ways, text), bytes, starts[text] ?? 0, starts[text + 1] ?? 0);
        into[text] = this.#endsAt(state) ? 1 : 0;
      }
    }
  }

  /** Ways for texts of which `of` says behind which beginning each stands. Beginning 0 is empty. */
  ways(of: Uint32Array, beginnings: number): Ways {
    return { of, states: new Int32Array(beginnings), among: undefined, places: [] };
  }

  /** Makes text `text`, with a byte behind it, the beginning of this number. */
  extend(ways: Ways, way: number, bytes: Uint8Array, starts: Uint32Array, text: number, byte: number): void {
    let state = this.#run(this.#first(ways, text), bytes, starts[text] ?? 0, starts[text + 1] ?? 0);
    const next = this.#table[state + byte] ?? 0;
    state = next === UNKNOWN ? this.#learn(state, byte) : next;
    if (ways.among !== this.#states) this.#settle(ways);
    ways.states[way] = state;
  }

  /** True when one text matches behind its beginning. */
  testBehind(ways: Ways, bytes: Uint8Array, starts: Uint32Array, text: number): boolean {
    return this.#endsAt(this.#run(this.#first(ways, text), bytes, starts[text] ?? 0, starts[text + 1] ?? 0));
  }

  /** Writes the states in which texts begin. */
  #firsts(ways: Ways | undefined, from: number, to: number, into: Int32Array): void {
    if (ways === undefined) {
      into.fill(this.#start, 0, to - from);
      return;
    }
    // The first one sees to it that the states are those of now.
    if (from < to) this.#first(ways, from);
    const { of, states } = ways;
    for (let i = from; i < to; i++) {
      const known = states[of[i] ?? 0] ?? 0;
      into[i - from] = known === 0 ? this.#first(ways, i) : known;
    }
  }

  /** The state in which a text begins. */
  #first(ways: Ways | undefined, text: number): number {
    if (ways === undefined) return this.#start;
    const way = ways.of[text] ?? 0;
    if (ways.among !== this.#states) this.#settle(ways);
    const known = ways.states[way] ?? 0;
    if (known !== 0) return known;
    const place = ways.places[way];
    const state = place === undefined ? this.#start : this.#stateOf(place);
    ways.states[way] = state;
    return state;
  }

  /** States were forgotten meanwhile: what they stood for is kept. */
  #settle(ways: Ways): void {
    const { among, places } = ways;
    if (among !== undefined)
      ways.places = Array.from(ways.states, (state, way) =>
        state === 0 ? places[way] : among[state >> SHIFT],
      );
    ways.among = this.#states;
    ways.states.fill(0);
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
    const here = this.#states[state >> SHIFT] ?? DEAD;
    const next = this.#stepper.next(here, byte);
    if (this.#states.length >= MOST_STATES) {
      // Nothing that is known by number stays; what was reached does.
      this.#reset();
      return this.#stateOf(next);
    }
    const id = this.#stateOf(next);
    const alike = here.begun.length > 0 || byte > 127 ? [byte] : (this.#alike[byte] ?? []);
    for (const code of alike) this.#table[state + code] = id;
    this.#version = {};
    return id;
  }

  #endsAt(state: number): boolean {
    const at = state >> SHIFT;
    if (this.#ends[at] === NOT_ASKED) {
      this.#ends[at] = this.#stepper.endsAt(this.#states[at] ?? DEAD) ? MATCHES : FAILS;
      this.#version = {};
    }
    return this.#ends[at] === MATCHES;
  }

  #reset(): void {
    this.#table = new Int32Array(WIDTH * FIRST_STATES);
    this.#table.fill(MATCH_STATE, MATCH_STATE, DEAD_STATE).fill(DEAD_STATE, DEAD_STATE, OPEN);
    this.#ends = Uint8Array.from({ length: FIRST_STATES }, (_, state) => DECIDED[state] ?? NOT_ASKED);
    this.#states = [DEAD, MATCHED, DEAD];
    this.#ids = new Map();
    this.#start = this.#stateOf(this.#stepper.start);
  }

  #stateOf(progress: Progress): number {
    if (progress === MATCHED) return MATCH_STATE;
    if (progress === DEAD) return DEAD_STATE;
    const key = `${progress.before}:${progress.places.join()}:${progress.begun.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = (this.#states.push(progress) - 1) * WIDTH;
    this.#ids.set(key, id);
    this.#version = {};
    if (id + WIDTH > this.#table.length) {
      const table = new Int32Array(this.#table.length * 2);
      table.set(this.#table);
      this.#table = table;
      const ends = new Uint8Array(table.length >> SHIFT);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    return id;
  }
}
