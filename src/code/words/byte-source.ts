import { uint32At } from '../../contract/at.ts';

/** Bytes in memory, or in a file if they are too large to keep. */
export interface ByteSource {
  readonly length: number;
  /** What comes from a file goes to `into`, if that is given and large enough. */
  read(from: number, to: number, into?: ArrayBuffer): Uint8Array;
}

/** The same for numbers. */
export interface NumberSource {
  readonly length: number;
  at(place: number): number;
  read(from: number, to: number, into?: ArrayBuffer): Uint32Array;
}

/** Bytes in one array. */
export function memoryBytes(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, read: (from, to) => bytes.subarray(from, to) };
}

/** Numbers in one array. */
export function memoryNumbers(numbers: Uint32Array): NumberSource {
  return {
    length: numbers.length,
    at: (place) => uint32At(numbers, place),
    read: (from, to) => numbers.subarray(from, to),
  };
}

/** Numbers that are stored as bytes; what `source` reads must start at a multiple of four in its buffer. */
export function storedNumbers(source: ByteSource): NumberSource {
  const read = (from: number, to: number, into?: ArrayBuffer): Uint32Array => {
    const { buffer, byteOffset } = source.read(4 * from, 4 * to, into);
    return new Uint32Array(buffer, byteOffset, to - from);
  };
  return { length: source.length / 4, at: (place) => uint32At(read(place, place + 1), 0), read };
}
