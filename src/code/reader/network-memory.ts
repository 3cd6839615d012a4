import { READER } from './reader.wasm.ts';

/** What assembly/reader.ts exports; it says what each function does. Numbers are addresses and sizes. */
export interface Arithmetic {
  quantize(from: number, rows: number, size: number, to: number, factors: number): void;
  multiply(
    a: number,
    aFactors: number,
    rows: number,
    inner: number,
    b: number,
    bFactors: number,
    columns: number,
    bias: number,
    out: number,
  ): void;
  normalize(from: number, rows: number, size: number, gain: number, shift: number, to: number): void;
  activate(values: number, count: number): void;
  add(to: number, from: number, count: number): void;
  attend(
    qkv: number,
    tokens: number,
    queries: number,
    heads: number,
    size: number,
    scores: number,
    out: number,
  ): void;
}

/** As far as it is used here: the Node.js types do not include it. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    readonly initial: number;
  }) => { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

const PAGE_BYTES = 64 << 10;
/** Vectors of 16 bytes are read fastest where they begin at a multiple of it. */
const ALIGNMENT = 16;

/** The memory of the network, given out from its beginning. */
export class NetworkMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly arithmetic: Arithmetic;
  #next = ALIGNMENT;

  constructor() {
    const module = new WebAssembly.Module(Buffer.from(READER, 'base64'));
    const imports = { env: { memory: this.#memory, abort: () => {} } };
    // The functions that assembly/reader.ts exports.
    this.arithmetic = new WebAssembly.Instance(module, imports).exports as unknown as Arithmetic;
  }

  /** The address of as many bytes, which stay with the caller until `free`. */
  take(bytes: number): number {
    const at = this.#next;
    this.#next = Math.ceil((at + bytes) / ALIGNMENT) * ALIGNMENT;
    const missing = this.#next + ALIGNMENT - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    return at;
  }

  /** What was taken so far; `free` gives back what was taken after it. */
  mark(): number {
    return this.#next;
  }

  free(mark: number): void {
    this.#next = mark;
  }

  /** What is taken during the work is given back after it. */
  during<Result>(work: () => Result): Result {
    const mark = this.mark();
    try {
      return work();
    } finally {
      this.free(mark);
    }
  }

  /** A view of numbers at an address; it ends with the next `take`. */
  floats(at: number, count: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, count);
  }

  shorts(at: number, count: number): Int16Array {
    return new Int16Array(this.#memory.buffer, at, count);
  }
}
