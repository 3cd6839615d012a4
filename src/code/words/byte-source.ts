/** Bytes in memory, or in a file if they are too large to keep. */
export interface ByteSource {
  readonly length: number;
  read(from: number, to: number): Uint8Array;
}

/** Bytes in one array. */
export function memoryBytes(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, read: (from, to) => bytes.subarray(from, to) };
}
