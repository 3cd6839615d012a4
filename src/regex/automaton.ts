import { hasAscii } from './charset.ts';
import { holds, type Program, type Surroundings } from './program.ts';

/** What a line of bytes came to. */
export type Verdict = 'match' | 'no-match' | 'not-ascii';

/** Known states times symbols; above this everything is forgotten and learnt again. */
const MAX_TABLE = 1 << 20;

const MATCHED = 0;
const UNKNOWN = -1;

/** What precedes a place: the start of the line, a word character, or another one. */
type Before = 0 | 1 | 2;

interface State {
  /** Places in the program reached, before looks and splits are followed. */
  readonly places: Uint32Array;
  readonly before: Before;
}

/**
 * A deterministic automaton over ASCII lines, built while it runs. Each byte costs one table look-up or, the
 * first time, at most one pass over the program: no pattern and no text can make it slower than that.
 */
export class Automaton {
  readonly #program: Program;
  /** Symbol of each byte: bytes that no part of the pattern tells apart share one. */
  readonly #symbolOf: Uint8Array;
  readonly #sample: number[];
  readonly #endSymbol: number;
  readonly #width: number;
  #table = new Int32Array(0);
  #states: State[] = [];
  #ids = new Map<string, number>();
  #start = 0;
  readonly #marks: Uint32Array;
  #mark = 0;

  constructor(program: Program) {
    this.#program = program;
    const { symbolOf, sample } = symbols(program);
    this.#symbolOf = symbolOf;
    this.#sample = sample;
    this.#endSymbol = sample.length;
    this.#width = sample.length + 1;
    this.#marks = new Uint32Array(program.steps.length);
    this.#reset();
  }

  /** Tests the line `bytes[from, to)`. */
  test(bytes: Uint8Array, from: number, to: number): Verdict {
    const symbolOf = this.#symbolOf;
    const width = this.#width;
    let state = this.#start;
    for (let at = from; at < to; at++) {
      const symbol = symbolOf[bytes[at] ?? 0] ?? 0;
      if (symbol === 255) return 'not-ascii';
      let next = this.#table[state * width + symbol] ?? 0;
      if (next === UNKNOWN) next = this.#learn(state, symbol);
      if (next === MATCHED) return 'match';
      state = next;
    }
    let last = this.#table[state * width + this.#endSymbol] ?? 0;
    if (last === UNKNOWN) last = this.#learn(state, this.#endSymbol);
    return last === MATCHED ? 'match' : 'no-match';
  }

  #reset(): void {
    this.#states = [{ places: new Uint32Array(0), before: 0 }];
    this.#ids = new Map();
    this.#table = new Int32Array(this.#width * 64).fill(UNKNOWN);
    this.#start = this.#stateOf([this.#program.start], 0);
  }

  #stateOf(places: number[], before: Before): number {
    places.sort((a, b) => a - b);
    const key = `${before}:${places.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#states.push({ places: Uint32Array.from(places), before }) - 1;
    this.#ids.set(key, id);
    if ((id + 1) * this.#width > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2).fill(UNKNOWN);
      larger.set(this.#table);
      this.#table = larger;
    }
    return id;
  }

  #learn(from: number, symbol: number): number {
    const state = this.#states[from];
    if (state === undefined) return MATCHED;
    const end = symbol === this.#endSymbol;
    const code = end ? -1 : (this.#sample[symbol] ?? 0);
    const wordAfter = !end && isWord(code);
    const reached = this.#follow(state, wordAfter, end);
    let next = MATCHED;
    if (reached !== undefined)
      next = this.#stateOf(end ? [] : this.#advance(reached, code), wordAfter ? 1 : 2);
    if (this.#states.length * this.#width > MAX_TABLE) {
      const survivor = this.#states[next];
      this.#reset();
      return next === MATCHED || survivor === undefined
        ? MATCHED
        : this.#stateOf([...survivor.places], survivor.before);
    }
    this.#table[from * this.#width + symbol] = next;
    return next;
  }

  /** All character steps reachable from the state without taking one; undefined when the end is reached. */
  #follow(state: State, wordAfter: boolean, atEnd: boolean): number[] | undefined {
    const { steps } = this.#program;
    const around: Surroundings = {
      atStart: state.before === 0,
      atEnd,
      wordBefore: state.before === 1,
      wordAfter,
      brokenBefore: false,
      brokenAfter: false,
    };
    const mark = ++this.#mark;
    const pending = [...state.places];
    const reached: number[] = [];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (this.#marks[place] === mark) continue;
      this.#marks[place] = mark;
      const step = steps[place];
      if (step === undefined) continue;
      if (step.op === 'match') return undefined;
      if (step.op === 'set') reached.push(place);
      else if (step.op === 'split') pending.push(step.second, step.first);
      else if (holds(step.look, around)) pending.push(step.next);
    }
    return reached;
  }

  /** Takes the character in each of the steps; a match may also begin after it. */
  #advance(reached: readonly number[], code: number): number[] {
    const next = new Set<number>([this.#program.start]);
    for (const place of reached) {
      const step = this.#program.steps[place];
      if (step?.op === 'set' && hasAscii(step.set, code)) next.add(step.next);
    }
    return [...next];
  }
}

function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

/** Groups the ASCII bytes by what the program can tell apart. */
function symbols(program: Program): { symbolOf: Uint8Array; sample: number[] } {
  const sets = [...new Set(program.steps.flatMap((step) => (step.op === 'set' ? [step.set] : [])))];
  const symbolOf = new Uint8Array(256).fill(255);
  const sample: number[] = [];
  const byKey = new Map<string, number>();
  for (let code = 0; code < 128; code++) {
    let key = isWord(code) ? 'w' : '-';
    for (const set of sets) key += hasAscii(set, code) ? '1' : '0';
    let symbol = byKey.get(key);
    if (symbol === undefined) {
      symbol = sample.push(code) - 1;
      byKey.set(key, symbol);
    }
    symbolOf[code] = symbol;
  }
  return { symbolOf, sample };
}
