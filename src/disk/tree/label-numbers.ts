import { uint8At } from '../../contract/at.ts';

/** How many extensions or owners get a number of their own. */
const MAX_LABELS = 0xffff;
const MAX_EXTENSION_BYTES = 16;
const DOT = 0x2e;

/** Numbers extensions. Number 0 is "none", the last number is "any other". */
export class Extensions {
  readonly #names: string[];
  readonly #numbers = new Map<string, number>();
  /** Extensions of up to 6 bytes, keyed by those bytes as one number, which needs no string. */
  readonly #short = new Map<number, number>();

  constructor(names: readonly string[]) {
    this.#names = names.length > 0 ? [...names] : [''];
    for (const [number, name] of this.#names.entries()) this.#numbers.set(name, number);
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** The number of the extension, in lower case, of the name in these bytes; that of `libz.so.1` is `so`. */
  numberOf(bytes: Uint8Array, start: number, nameEnd: number): number {
    const end = withoutVersion(bytes, start, nameEnd);
    const first = Math.max(start + 1, end - MAX_EXTENSION_BYTES - 1);
    let dot = end - 1;
    while (dot >= first && bytes[dot] !== DOT) dot--;
    if (dot < first || dot === end - 1) return 0;
    let code = 0;
    for (let i = dot + 1; i < end; i++) {
      const byte = uint8At(bytes, i);
      // Only printable ASCII is an extension; anything else is part of the name.
      if (byte <= 0x20 || byte >= 0x7f) return 0;
      if (i - dot <= 6) code = code * 256 + (byte >= 65 && byte <= 90 ? byte + 32 : byte);
    }
    if (end - dot - 1 > 6) return this.#number(text(bytes, dot + 1, end));
    const known = this.#short.get(code);
    if (known !== undefined) return known;
    const number = this.#number(text(bytes, dot + 1, end));
    this.#short.set(code, number);
    return number;
  }

  #number(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    if (this.#names.length >= MAX_LABELS) return this.#other();
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  #other(): number {
    this.#names[MAX_LABELS] = '(other)';
    return MAX_LABELS;
  }
}

const isDigit = (byte = 0) => byte >= 0x30 && byte <= 0x39;

/** Where a name ends without the version of a shared library: after `libz.so` in `libz.so.1.3`. */
function withoutVersion(bytes: Uint8Array, start: number, end: number): number {
  if (!isDigit(bytes[end - 1])) return end;
  let at = end;
  while (at > start && (isDigit(bytes[at - 1]) || bytes[at - 1] === DOT)) at--;
  const isLibrary =
    at - start > 3 && bytes[at] === DOT && SO.every((byte, i) => bytes[at - SO.length + i] === byte);
  return isLibrary ? at : end;
}

const SO = [...Buffer.from('.so')];

function text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString('latin1').toLowerCase();
}

/** Numbers user ids. Beyond 65,535 owners the last number is shared. */
export class Owners {
  readonly #ids: number[];
  readonly #numbers = new Map<number, number>();
  #last = -1;
  #lastNumber = 0;

  constructor(ids: readonly number[]) {
    this.#ids = [...ids];
    for (const [number, id] of this.#ids.entries()) this.#numbers.set(id, number);
  }

  get ids(): readonly number[] {
    return this.#ids;
  }

  numberOf(id: number): number {
    if (id === this.#last) return this.#lastNumber;
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = Math.min(MAX_LABELS, this.#ids.length);
      this.#ids[number] = id;
      this.#numbers.set(id, number);
    }
    this.#last = id;
    this.#lastNumber = number;
    return number;
  }
}
