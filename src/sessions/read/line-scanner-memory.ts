import { LINE_SCANNER } from './line-scanner.wasm.ts';

/** Stands for an object whose fields are read, but not the object itself. */
export const OBJECT = Symbol('object');

/** Which lines are wanted, and which of their values. */
export interface WantedLines {
  /** A wanted line has one of these words. */
  readonly words: readonly string[];
  /** Words of lines that are always short; long lines are not searched for them. */
  readonly shortWords?: readonly string[];
  /** How many bytes at the beginning of a line are searched for `words`; all if absent. */
  readonly within?: number;
  /** The values to read, as dotted paths. */
  readonly paths: readonly string[];
}

/** Lines that only name something are shorter than this. */
const SHORT_BYTES = 8 << 10;

const PAGE_BYTES = 64 << 10;
/** The tables begin after the first bytes, since address 0 means none. */
const TABLES_AT = 64;
const ROWS_AT = PAGE_BYTES;
const ROWS_BYTES = 4 * PAGE_BYTES;
const BLOCK_AT = ROWS_AT + ROWS_BYTES;
/** Comparing 16 bytes at a time reads past the last one. */
const SPARE_BYTES = 64;

/** A row: where the line begins and ends, whether it is JSON as expected, and its values. */
const ROW = { start: 0, end: 1, isJson: 2, values: 4 };
const SLOT_INTS = 4;
const INT_BYTES = 4;
/** Kinds of values; the same as in assembly/line-scanner.ts. */
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

/** As far as it is used here: the Node.js types do not include it. */
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

/** The memory that a block of lines is read into; it still starts with the contents of an earlier, smaller block. */
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

/** A line that a scan found; valid until the next scan. Positions are relative to the block. */
export interface ScannedLine {
  readonly start: number;
  readonly end: number;
  /** Undefined if the line is not as expected; then it has to be parsed. */
  readonly values: readonly unknown[] | undefined;
}

export type LineScanner = ReturnType<typeof lineScanner>;

/**
 * Reads certain values of the JSON lines in the block of {@link blockOf} without parsing the rest. Lines are checked as
 * `JSON.parse` would. The value of an object that contains other paths is {@link OBJECT}.
 */
export function lineScanner({ words, shortWords = [], within = 0, paths }: WantedLines) {
  const fields = fieldTable('', paths);
  const wanted = wordTable(words, shortWords, within);
  const rowInts = ROW.values + SLOT_INTS * paths.length;
  const rowBytes = rowInts * INT_BYTES;
  const most = Math.floor(ROWS_BYTES / rowBytes);
  const values: unknown[] = paths.map(() => undefined);
  return {
    /** Scans the block from `from` to `end`, at most `limit` lines; with `skip` only wanted ones. */
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
    /** A line that the last scan found, by its index; its values are only valid until the next call. */
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

/** Limits, word counts, and the position of each word. */
function wordTable(words: readonly string[], shortWords: readonly string[], within: number): number {
  const places = [...words, ...shortWords].flatMap(textAt);
  return intTable([within, SHORT_BYTES, words.length, shortWords.length, ...places]);
}

/**
 * An object: the number of its fields, the number and the list of all slots in it at any depth, and for each field the
 * position and length of its name, its slot or -1, and the table of its own fields or 0.
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
