import { uint8At } from '../../contract/at.ts';

/** More than a row may have, so that its length is known before it is refused. */
const BODY_BYTES = 4 * 65_536;

/** The values of one row in SQLite's format. */
export class RowValues {
  readonly types = Buffer.alloc(120);
  readonly body = Buffer.alloc(BODY_BYTES);
  typesEnd = 0;
  bodyEnd = 0;
  /** Whether a value did not fit. */
  tooLong = false;

  null(): void {
    this.types[this.typesEnd++] = 0;
  }

  /** Zero or a positive whole number. */
  integer(value: number): void {
    if (value < 2) this.types[this.typesEnd++] = value === 0 ? 8 : 9;
    else if (value < 0x80) this.#integer(1, 1, value);
    else if (value < 0x8000) this.#integer(2, 2, value);
    else if (value < 0x800000) this.#integer(3, 3, value);
    else if (value < 0x80000000) this.#integer(4, 4, value);
    else if (value < 0x800000000000) this.#integer(5, 6, value);
    else this.#integer(6, 8, value);
  }

  #integer(type: number, bytes: number, value: number): void {
    this.types[this.typesEnd++] = type;
    const { body } = this;
    let at = this.bodyEnd + bytes;
    this.bodyEnd = at;
    let low = value % 0x100000000;
    for (let i = Math.min(bytes, 4); i > 0; i--) {
      body[--at] = low;
      low >>>= 8;
    }
    let high = Math.floor(value / 0x100000000);
    for (let i = bytes - 4; i > 0; i--) {
      body[--at] = high;
      high >>>= 8;
    }
  }

  text(value: string): void {
    // One character of the string takes at most three bytes.
    if (3 * value.length > this.body.length - this.bodyEnd) {
      this.tooLong = true;
      return;
    }
    this.textWritten(this.#short(value) ? value.length : this.body.write(value, this.bodyEnd));
  }

  /** Writes a short ASCII text; for these, a native call would take longer. */
  #short(value: string): boolean {
    const { body, bodyEnd } = this;
    if (value.length > 32) return false;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code >= 0x80) return false;
      body[bodyEnd + i] = code;
    }
    return true;
  }

  /** Writes ASCII text; returns false, without writing anything, if it is not ASCII. */
  ascii(bytes: Uint8Array, from: number, to: number): boolean {
    const { body, bodyEnd } = this;
    if (to - from > body.length - bodyEnd) return false;
    for (let at = from; at < to; at++) {
      const byte = uint8At(bytes, at);
      if (byte >= 0x80) return false;
      body[bodyEnd + at - from] = byte;
    }
    this.textWritten(to - from);
    return true;
  }

  /** Notes that a text of this many bytes was written at the end of the body. */
  textWritten(bytes: number): void {
    this.bodyEnd += bytes;
    this.typesEnd = writeNumber(this.types, this.typesEnd, 13 + 2 * bytes);
  }
}

/** How many bytes {@link writeNumber} needs for a number. */
export function numberLength(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

/** Writes seven bits per byte, the highest first, and returns the end position. */
export function writeNumber(into: Buffer, at: number, value: number): number {
  const end = at + numberLength(value);
  let rest = value;
  for (let i = end - 1; i >= at; i--) {
    into[i] = (rest % 0x80) | (i === end - 1 ? 0 : 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return end;
}
