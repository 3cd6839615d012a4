import { alikeCodes } from './alphabet.ts';
import type { Program } from './program.ts';
import { DEAD, MATCHED, type Progress, Stepper } from './stepper.ts';

/** States are numbered by the start of their row in the table: one look-up per byte, without any arithmetic. */
const SHIFT = 8;
const WIDTH = 1 << SHIFT;
/** The next state is not known yet; as a state it leads only to itself, and so do the next two. */
const UNKNOWN = 0;
const MATCH_STATE = WIDTH;
const DEAD_STATE = 2 * WIDTH;
/** From here on come states that have not decided yet. */
const OPEN = 3 * WIDTH;

/** With more states than this everything is forgotten and learnt again. */
const MAX_STATES = 8_192;
const FIRST_STATES = 16;

/** Whether a text that ends in a state matches. */
const NOT_ASKED = 0;
const MATCHES = 1;
const FAILS = 2;
/** Of UNKNOWN, MATCH_STATE and DEAD_STATE. */
const DECIDED = [NOT_ASKED, MATCHES, FAILS];

/** The state of a pattern after a text, to continue from. */
export interface Place {
  readonly progress: Progress;
  /** Its number, as long as it is among the automaton's current states. */
  state: number;
  among: readonly Place[];
}

/** Text `i` continues the text that led to `places[of[i]]`. */
export interface Behind {
  readonly of: Uint32Array;
  readonly places: readonly Place[];
}

/**
 * A deterministic automaton over UTF-8, built while it runs. Each byte costs one table look-up or, the first time, at
 * most one pass over the program: no pattern and no text can make it slower than that. In the loops over bytes `?? 0`
 * only pleases the compiler: an accessor that checks the index makes them 5 % slower.
 */
export class Automaton {
  readonly #stepper: Stepper;
  readonly #alike: readonly (readonly number[])[];
  #table = new Int32Array(0);
  #ends = new Uint8Array(0);
  #places: Place[] = [];
  #ids = new Map<string, number>();
  #start = OPEN;

  /** `lossy`: bytes that are not UTF-8 are read as U+FFFD, as texts show them, instead of being in no set. */
  constructor(program: Program, lossy = false) {
    this.#stepper = new Stepper(program, lossy);
    this.#alike = alikeCodes(program);
    this.#reset();
  }

  /** The state before any text. */
  get start(): Place {
    return this.#placeOf(this.#start);
  }

  /** Whether the text `bytes[from, to)` matches, after the text that led to `behind` if given. */
  test(bytes: Uint8Array, from: number, to: number, behind?: Place): boolean {
    return this.#endsAt(this.#run(this.#first(behind), bytes, from, to));
  }

  /** The state after the text `bytes[from, to)`. */
  after(bytes: Uint8Array, from: number, to: number, behind?: Place): Place {
    return this.#placeOf(this.#run(this.#first(behind), bytes, from, to));
  }

  /**
   * Writes 1 for each text `i` in `[from, to)` that matches and 0 for the others, a text being the bytes from
   * `starts[i]` to `starts[i + 1]`. A million names of 13 bytes take 27 ms here (15 ms in WebAssembly, which was not
   * worth its 220 lines).
   */
  testEach(
    bytes: Uint8Array,
    starts: Uint32Array,
    from: number,
    to: number,
    into: Uint8Array,
    behind?: Behind,
  ): void {
    let table = this.#table;
    let ends = this.#ends;
    for (let text = from; text < to; text++) {
      const begin = starts[text] ?? 0;
      const end = starts[text + 1] ?? 0;
      const first = behind === undefined ? this.#start : this.#first(behind.places[behind.of[text] ?? 0]);
      let state = first;
      let at = begin;
      while (at + 4 <= end && state >= OPEN) {
        state = table[state + (bytes[at] ?? 0)] ?? 0;
        state = table[state + (bytes[at + 1] ?? 0)] ?? 0;
        state = table[state + (bytes[at + 2] ?? 0)] ?? 0;
        state = table[state + (bytes[at + 3] ?? 0)] ?? 0;
        at += 4;
      }
      if (state >= OPEN) while (at < end) state = table[state + (bytes[at++] ?? 0)] ?? 0;
      let known = ends[state >> SHIFT] ?? NOT_ASKED;
      if (known === NOT_ASKED) {
        known = this.#endsAt(this.#run(first, bytes, begin, end)) ? MATCHES : FAILS;
        table = this.#table;
        ends = this.#ends;
      }
      into[text] = known & MATCHES;
    }
  }

  /** The number of a state; one that was forgotten is numbered again. */
  #first(place: Place | undefined): number {
    if (place === undefined) return this.#start;
    if (place.among !== this.#places) {
      place.state = this.#stateOf(place.progress);
      place.among = this.#places;
    }
    return place.state;
  }

  #placeOf(state: number): Place {
    return this.#places[state >> SHIFT] ?? { progress: DEAD, state: DEAD_STATE, among: this.#places };
  }

  /** Runs until the text ends or everything is decided; four bytes at a time, as long as nothing has to be learnt. */
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
    const here = this.#placeOf(state).progress;
    const next = this.#stepper.next(here, byte);
    if (this.#places.length >= MAX_STATES) {
      // All numbers are forgotten; the state that was reached is kept.
      this.#reset();
      return this.#stateOf(next);
    }
    const id = this.#stateOf(next);
    const alike = here.begun.length > 0 || byte > 127 ? [byte] : (this.#alike[byte] ?? []);
    for (const code of alike) this.#table[state + code] = id;
    return id;
  }

  #endsAt(state: number): boolean {
    const at = state >> SHIFT;
    if (this.#ends[at] === NOT_ASKED) {
      this.#ends[at] = this.#stepper.endsAt(this.#placeOf(state).progress) ? MATCHES : FAILS;
    }
    return this.#ends[at] === MATCHES;
  }

  #reset(): void {
    this.#table = new Int32Array(WIDTH * FIRST_STATES);
    this.#table.fill(MATCH_STATE, MATCH_STATE, DEAD_STATE).fill(DEAD_STATE, DEAD_STATE, OPEN);
    this.#ends = Uint8Array.from({ length: FIRST_STATES }, (_, state) => DECIDED[state] ?? NOT_ASKED);
    this.#places = [];
    for (const progress of [DEAD, MATCHED, DEAD]) this.#add(progress);
    this.#ids = new Map();
    this.#start = this.#stateOf(this.#stepper.start);
  }

  #stateOf(progress: Progress): number {
    if (progress === MATCHED) return MATCH_STATE;
    if (progress === DEAD) return DEAD_STATE;
    const key = `${progress.before}:${progress.places.join()}:${progress.begun.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#add(progress);
    this.#ids.set(key, id);
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

  #add(progress: Progress): number {
    const state = this.#places.length * WIDTH;
    this.#places.push({ progress, state, among: this.#places });
    return state;
  }
}
