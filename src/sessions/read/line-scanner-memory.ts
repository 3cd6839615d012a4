import { LINE_SCANNER } from './line-scanner.wasm.ts';

/** Stands for an object of which only fields are read. */
export const OBJECT = Symbol('object');

/** Which lines are wanted, and which of their values. */
export interface WantedLines {
  /** A wanted line has one of these words. */
  readonly words: readonly string[];
  /** Words of lines that are always short; long ones are not searched for them. */
  readonly shortWords?: readonly string[];
  /** Only so many bytes at the beginning of a line are searched for `words`. */
  readonly within?: number;
  /** The values that are read, as paths with dots between names. */
  readonly paths: readonly string[];
}

/** Lines that only name something are shorter than this. */
const SHORT_BYTES = 8 << 10;

const PAGE_BYTES = 64 << 10;
/** The tables begin behind the first bytes, since 0 stands for nothing. */
const TABLES_AT = 64;
const ROWS_AT = PAGE_BYTES;
const ROWS_BYTES = 4 * PAGE_BYTES;
const BLOCK_AT = ROWS_AT + ROWS_BYTES;
/** Comparing 16 bytes at a time looks at some behind the last one. */
const SPARE_BYTES = 64;

/** A row: where its line begins and ends, whether it is JSON as expected, and its values. */
const ROW = { start: 0, end: 1, isJson: 2, values: 4 };
const SLOT_INTS = 4;
const INT_BYTES = 4;
/** What is known of a value; the same as in assembly/line-scanner.ts. */
const KIND = { absent: 0, null: 1, true: 2, false: 3, integer: 4, ascii: 5, json: 6, object: 7 };

interface Code {
  scan(
    ...args: [
      from: number,
      end: number,
      fields: number,
      words: number,
      skip: number,
      rows: number,
      rowBytes: number,
      most: number,
    ]
  ): number;
  position(): number;
}

/** As far as it is used here: the types of Node.js do not have it. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    readonly initial: number;
  }) => { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

let code: Code | undefined;
const memory = new WebAssembly.Memory({ initial: (BLOCK_AT + PAGE_BYTES) / PAGE_BYTES });
let ints = new Int32Array(memory.buffer);
let doubles = new Float64Array(memory.buffer);
let bytes = Buffer.from(memory.buffer);
let tablesEnd = TABLES_AT;

function load(): Code {
  const module = new WebAssembly.Module(Buffer.from(LINE_SCANNER, 'base64'));
  const { exports } = new WebAssembly.Instance(module, { env: { memory, abort: () => {} } });
  // What assembly/line-scanner.ts exports.
  return exports as unknown as Code;
}

/** The memory into which a block of lines is read; what an earlier and smaller block had is still there. */
export function blockOf(size: number): Buffer {
  const missing = BLOCK_AT + size + SPARE_BYTES - memory.buffer.byteLength;
  if (missing > 0) {
    memory.grow(Math.ceil(missing / PAGE_BYTES));
    ints = new Int32Array(memory.buffer);
    doubles = new Float64Array(memory.buffer);
    bytes = Buffer.from(memory.buffer);
  }
  return bytes.subarray(BLOCK_AT, BLOCK_AT + size);
}

/** One of the lines that a scan found; valid until the next scan. Positions are those in the block. */
export interface ScannedLine {
  readonly start: number;
  readonly end: number;
  /** Undefined where the line is not as expected; then it has to be parsed. */
  readonly values: readonly unknown[] | undefined;
}

export type LineScanner = ReturnType<typeof lineScanner>;

/**
 * Reads values of JSON lines in the block, as {@link blockOf} has it, without making anything else of them. Lines are
 * checked as `JSON.parse` would. The value of an object that has paths in it is {@link OBJECT}.
 */
export function lineScanner({ words, shortWords = [], within = 0, paths }: WantedLines) {
  const fields = fieldTable('', paths);
  const wanted = wordTable(words, shortWords, within);
  const rowInts = ROW.values + SLOT_INTS * paths.length;
  const rowBytes = rowInts * INT_BYTES;
  const most = Math.floor(ROWS_BYTES / rowBytes);
  const values: unknown[] = paths.map(() => undefined);
  return {
    /** Scans the block from one position to another, at most so many lines; with `skip` only those that are wanted. */
    scan(from: number, end: number, skip: boolean, limit: number): number {
      code ??= load();
      const rows = Math.min(most, limit);
      return code.scan(
        BLOCK_AT + from,
        BLOCK_AT + end,
        fields,
        wanted,
        Number(skip),
        ROWS_AT,
        rowBytes,
        rows,
      );
    },
    /** Where the last scan ended. */
    position: (): number => (code?.position() ?? BLOCK_AT) - BLOCK_AT,
    /** The lines that the last scan found, by their number; the values are only valid until the next line is asked for. */
    line(index: number): ScannedLine {
      const row = ROWS_AT / INT_BYTES + index * rowInts;
      return {
        start: intAt(row + ROW.start) - BLOCK_AT,
        end: intAt(row + ROW.end) - BLOCK_AT,
        values: intAt(row + ROW.isJson) === 1 ? readValues(values, row + ROW.values) : undefined,
      };
    },
  };
}

function intAt(at: number): number {
  return ints[at] ?? 0;
}

function readValues(values: unknown[], row: number): readonly unknown[] {
  for (let slot = 0, at = row; slot < values.length; slot++, at += SLOT_INTS) values[slot] = valueAt(at);
  return values;
}

function valueAt(at: number): unknown {
  const kind = ints[at];
  if (kind === KIND.absent) return undefined;
  if (kind === KIND.integer) return doubles[at / 2 + 1];
  if (kind === KIND.ascii) return bytes.toString('latin1', intAt(at + 2) + 1, intAt(at + 3) - 1);
  if (kind === KIND.object) return OBJECT;
  if (kind === KIND.json) return JSON.parse(bytes.toString('utf8', intAt(at + 2), intAt(at + 3)));
  return kind === KIND.null ? null : kind === KIND.true;
}

function allocate(size: number): number {
  const at = tablesEnd;
  tablesEnd += Math.ceil(size / SPARE_BYTES) * SPARE_BYTES;
  if (tablesEnd > ROWS_AT) throw new Error('The tables of the line scanner are full.');
  return at;
}

function textAt(text: string): readonly [at: number, length: number] {
  const length = Buffer.byteLength(text);
  const at = allocate(length);
  bytes.write(text, at);
  return [at, length];
}

function intTable(values: readonly number[]): number {
  const at = allocate(values.length * INT_BYTES);
  ints.set(values, at / INT_BYTES);
  return at;
}

/** Limits, numbers of words, and where each word is. */
function wordTable(words: readonly string[], shortWords: readonly string[], within: number): number {
  const places = [...words, ...shortWords].flatMap(textAt);
  return intTable([within, SHORT_BYTES, words.length, shortWords.length, ...places]);
}

/**
 * An object: the number of its fields, that of the slots of all of them and of what is in them, where those are listed,
 * and for each field where its name is, how long that is, its slot or -1, and the table of its own fields or 0.
 */
function fieldTable(prefix: string, paths: readonly string[]): number {
  const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const names = [...new Set(below.map((path) => path.replace(/\..*/s, '')))];
  const fields = names.flatMap((name) => [
    ...textAt(name),
    paths.indexOf(prefix + name),
    below.some((path) => path.startsWith(`${name}.`)) ? fieldTable(`${prefix}${name}.`, paths) : 0,
  ]);
  const slots = [...paths.keys()].filter((slot) => paths[slot]?.startsWith(prefix));
  return intTable([names.length, slots.length, intTable(slots), ...fields]);
}
