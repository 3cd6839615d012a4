import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A matrix or a list of numbers, as it is stored. */
export interface Tensor {
  readonly rows: number;
  readonly size: number;
  /** Whole numbers with a factor a row, or plain numbers. */
  readonly whole?: Int8Array;
  readonly values: Float32Array;
}

/** What the head of `reader.bin` says. */
export interface ReaderShape {
  readonly size: number;
  readonly layers: number;
  readonly heads: number;
  /** Tokens of a question, and of the path, head, comment and body of a definition. */
  readonly question: number;
  readonly parts: readonly number[];
  readonly tensors: readonly {
    readonly name: string;
    readonly rows: number;
    readonly size: number;
    readonly whole: boolean;
  }[];
}

export interface ReaderWeights {
  readonly shape: ReaderShape;
  readonly tensor: (name: string) => Tensor;
}

const FLOAT = 4;

/** Reads the weights of the reader: the length of a description, the description as JSON, then the numbers. */
export function readReaderWeights(folder: string): ReaderWeights {
  return parseReaderWeights(readFileSync(join(folder, 'reader.bin')));
}

export function parseReaderWeights(bytes: Buffer): ReaderWeights {
  const headLength = bytes.readUInt32LE(0);
  const shape: ReaderShape = JSON.parse(bytes.toString('utf8', FLOAT, FLOAT + headLength));
  const tensors = new Map<string, Tensor>();
  let at = FLOAT + headLength;
  const floats = (count: number): Float32Array => {
    const from = at;
    at += count * FLOAT;
    return new Float32Array(Uint8Array.from(bytes.subarray(from, at)).buffer);
  };
  for (const { name, rows, size, whole } of shape.tensors) {
    if (!whole) {
      tensors.set(name, { rows, size, values: floats(rows * size) });
      continue;
    }
    const values = floats(rows);
    tensors.set(name, {
      rows,
      size,
      values,
      whole: Int8Array.from(bytes.subarray(at, at + rows * size), toSigned),
    });
    at += rows * size;
  }
  if (at !== bytes.length) throw new Error('model: reader.bin has another length than it says');
  return {
    shape,
    tensor: (name) => {
      const found = tensors.get(name);
      if (found === undefined) throw new Error(`model: reader.bin lacks ${name}`);
      return found;
    },
  };
}

const toSigned = (byte: number): number => (byte << 24) >> 24;
