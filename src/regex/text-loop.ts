/*
 * The innermost loop over many short texts, in WebAssembly: the same work in JavaScript takes twice as long, and
 * much longer until the engine has warmed up to it. The module is put together here, so that it can be read.
 */

/**
 * Rows of the table are this wide; see automaton.ts for what the first states mean. In here a state is the distance
 * of its row in bytes, so that from one byte of a text to the next there is nothing but an addition and a look-up.
 */
const SHIFT = 10;
const OPEN = 3 << SHIFT;

/** Most texts and most bytes of one round. */
export const MOST_TEXTS = 4_096;
export const MOST_BYTES = 1 << 20;
const PAGE = 1 << 16;
const FIRSTS_AT = 0;
const STARTS_AT = FIRSTS_AT + 4 * MOST_TEXTS;
const OUT_AT = STARTS_AT + 4 * (MOST_TEXTS + 1);
/** Memory that is shared between threads is copied a word at a time only between places that lie alike in one. */
const COPY_WORD = 8;
const BYTES_AT = Math.ceil((OUT_AT + MOST_TEXTS) / COPY_WORD) * COPY_WORD;
/** A word may be read a little beyond the last text. */
const TABLE_AT = Math.ceil((BYTES_AT + COPY_WORD + MOST_BYTES + 4) / 4) * 4;

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const number = (value: number) => [0x41, ...signed(value)];
const LOAD = [0x28, 0, 0];
const LOAD_NEXT = [0x28, 0, 4];
const LOAD_FROM_TABLE = [0x28, 2, ...unsigned(TABLE_AT)];
const LOAD_BYTE = [0x2d, 0, 0];
const STORE_BYTE = [0x3a, 0, 0];
const ADD = [0x6a];
const SUB = [0x6b];
const AND = [0x71];
const SELECT = [0x1b];
const SHIFT_LEFT = [0x74];
const SHIFT_RIGHT = [0x76];
const IS_ZERO = [0x45];
const ABOVE = [0x4b];
const AT_LEAST = [0x4f];
const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const IF = [0x04, 0x40];
const END = [0x0b];
const RETURN = [0x0f];
const UNREACHABLE = [0x00];
const leave = (levels: number) => [0x0c, levels];
const leaveIf = (levels: number) => [0x0d, levels];

/** Parameters are addresses, but for the count of texts. */
const [FIRSTS, COUNT, BYTES, STARTS, ENDS, OUT] = [0, 1, 2, 3, 4, 5] as const;
const PARAMETERS = 6;
const [TEXT, STATE, AT, STOP, WORD] = [6, 7, 8, 9, 10] as const;
const LOCALS = 5;

const next = (entry: readonly number[]) => [...get(STATE), ...entry, ...ADD, ...LOAD_FROM_TABLE];
const step = (entry: readonly number[]) => [...next(entry), ...set(STATE)];
/** Without a jump, which would be guessed wrong for most texts. */
const stepIf = (entry: readonly number[], condition: readonly number[]) => [
  ...next(entry),
  ...get(STATE),
  ...condition,
  ...SELECT,
  ...set(STATE),
];
/** Where in a row the entry of one byte of the word is. */
const byteOfWord = (place: number) => [
  ...get(WORD),
  ...(place === 0 ? [...number(2), ...SHIFT_LEFT] : [...number(8 * place - 2), ...SHIFT_RIGHT]),
  ...number(255 << 2),
  ...AND,
];
const increase = (local: number, by: number) => [...get(local), ...number(by), ...ADD, ...set(local)];
const isOpen = [...get(STATE), ...number(OPEN), ...AT_LEAST];
const wordAt = (address: number) => [
  ...get(address),
  ...get(TEXT),
  ...number(2),
  ...SHIFT_LEFT,
  ...ADD,
  ...tee(WORD),
  ...LOAD,
];

/** For each text: four bytes at once, then the rest; stops at a text whose end is not known yet. */
const CODE = [
  ...LOOP,
  ...[...get(TEXT), ...get(COUNT), ...AT_LEAST, ...IF, ...get(COUNT), ...RETURN, ...END],
  ...[...wordAt(FIRSTS), ...number(2), ...SHIFT_LEFT, ...set(STATE)],
  ...[...wordAt(STARTS), ...get(BYTES), ...ADD, ...set(AT)],
  ...[...get(WORD), ...LOAD_NEXT, ...get(BYTES), ...ADD, ...set(STOP)],
  ...BLOCK,
  ...BLOCK,
  ...LOOP,
  ...[...get(AT), ...number(4), ...ADD, ...get(STOP), ...ABOVE, ...leaveIf(1)],
  ...[...get(AT), ...LOAD, ...set(WORD)],
  ...[0, 1, 2, 3].flatMap((place) => step(byteOfWord(place))),
  ...increase(AT, 4),
  ...[...isOpen, ...leaveIf(0)],
  ...leave(2),
  ...END,
  ...END,
  ...[...get(AT), ...LOAD, ...set(WORD)],
  ...[0, 1, 2].flatMap((place) =>
    stepIf(byteOfWord(place), [...get(STOP), ...get(AT), ...SUB, ...number(place), ...ABOVE]),
  ),
  ...END,
  ...[...get(STATE), ...number(SHIFT), ...SHIFT_RIGHT, ...get(ENDS), ...ADD, ...LOAD_BYTE, ...tee(STATE)],
  ...[...IS_ZERO, ...IF, ...get(TEXT), ...RETURN, ...END],
  ...[...get(OUT), ...get(TEXT), ...ADD, ...get(STATE), ...number(1), ...AND, ...STORE_BYTE],
  ...increase(TEXT, 1),
  ...leave(0),
  ...END,
  ...UNREACHABLE,
  ...END,
];

const I32 = 0x7f;
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, PARAMETERS, ...Array<number>(PARAMETERS).fill(I32), 1, I32]),
  // Imports the memory `m.m`; exports the function `r`.
  ...section(2, [1, 1, 0x6d, 1, 0x6d, 2, 0, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, 1, 0x72, 0, 0]),
  ...section(10, [1, ...unsigned(CODE.length + 3), 1, LOCALS, I32, ...CODE]),
]);

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...signed(value >> 7)];
}

/** The loop with its memory. There is one for the whole process: nothing is waited for between its calls. */
export class TextLoop {
  readonly #memory = new WebAssembly.Memory({ initial: Math.ceil(TABLE_AT / PAGE) + 1 });
  readonly #run: (...values: number[]) => number;
  /** The states in which the texts of the next round begin, to be written before it. */
  firsts = new Int32Array(0);
  #starts = new Uint32Array(0);
  #out = new Uint8Array(0);
  #bytes = new Uint8Array(0);
  #endsAt = 0;
  #owner: object | undefined;

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), {
      m: { m: this.#memory },
    });
    // The one export of the module above.
    this.#run = exports.r as (...values: number[]) => number;
    this.#view();
  }

  /** Takes the states of an automaton, unless it has them already: `owner` is new whenever something was learnt. */
  load(owner: object, table: Int32Array, ends: Uint8Array): void {
    if (this.#owner === owner) return;
    this.#owner = owner;
    this.#endsAt = TABLE_AT + 4 * table.length;
    const missing = this.#endsAt + ends.length - this.#memory.buffer.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE));
      this.#view();
    }
    const into = new Int32Array(this.#memory.buffer, TABLE_AT, table.length);
    for (let i = 0; i < table.length; i++) into[i] = (table[i] ?? 0) << 2;
    new Uint8Array(this.#memory.buffer, this.#endsAt, ends.length).set(ends);
  }

  /**
   * Writes 1 or 0 for each text `from` to `to`, at most {@link MOST_TEXTS} with {@link MOST_BYTES}, and returns the
   * first one that cannot be told from the states that are known.
   */
  run(bytes: Uint8Array, starts: Uint32Array, from: number, to: number, into: Uint8Array): number {
    const first = starts[from] ?? 0;
    const base = Math.max(0, first - ((bytes.byteOffset + first) % COPY_WORD));
    this.#bytes.set(bytes.subarray(base, starts[to]));
    this.#starts.set(starts.subarray(from, to + 1));
    const done = this.#run(FIRSTS_AT, to - from, BYTES_AT - base, STARTS_AT, this.#endsAt, OUT_AT);
    into.set(this.#out.subarray(0, done), from);
    return from + done;
  }

  /** Views end when the memory grows. */
  #view(): void {
    const { buffer } = this.#memory;
    this.firsts = new Int32Array(buffer, FIRSTS_AT, MOST_TEXTS);
    this.#starts = new Uint32Array(buffer, STARTS_AT, MOST_TEXTS + 1);
    this.#out = new Uint8Array(buffer, OUT_AT, MOST_TEXTS);
    this.#bytes = new Uint8Array(buffer, BYTES_AT, COPY_WORD + MOST_BYTES);
  }
}
