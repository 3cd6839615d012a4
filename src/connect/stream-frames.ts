import type { z } from 'zod';
import { type ErrorBody, PinholeError } from '../contract/errors.ts';

/*
 * A stream on the private socket that carries bytes for the terminal and, at its end, a value: how the search ended,
 * or the error that broke it off. Each frame is a type (1 byte), a length (4 bytes) and the payload.
 */

const HEADER_BYTES = 5;
const FRAME = { text: 0, outcome: 1, error: 2 } as const;

/** Frames of the pieces, then one with the outcome or the error. */
export async function* encodeFrames<Outcome>(
  pieces: AsyncIterator<Uint8Array, Outcome>,
  toBody: (error: unknown) => ErrorBody,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const step = await pieces.next();
      if (step.done) return yield frame(FRAME.outcome, json(step.value));
      yield frame(FRAME.text, step.value);
    }
  } catch (error) {
    yield frame(FRAME.error, json(toBody(error)));
  } finally {
    await pieces.return?.();
  }
}

/** The pieces as they arrive, then the outcome; throws the error that the other side sent. */
export async function* decodeFrames<Outcome>(
  chunks: AsyncIterable<Uint8Array>,
  outcome: z.ZodType<Outcome>,
): AsyncGenerator<Uint8Array, Outcome> {
  let header = Buffer.alloc(0);
  let type: number | undefined;
  let left = 0;
  let last: Uint8Array[] = [];
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length || (type !== undefined && left === 0); ) {
      if (type === undefined) {
        const missing = chunk.subarray(at, at + HEADER_BYTES - header.length);
        header = Buffer.concat([header, missing]);
        at += missing.length;
        if (header.length < HEADER_BYTES) break;
        type = header.readUInt8(0);
        left = header.readUInt32BE(1);
        header = Buffer.alloc(0);
        last = [];
      }
      const part = chunk.subarray(at, at + left);
      at += part.length;
      left -= part.length;
      if (type === FRAME.text) {
        if (part.length > 0) yield part;
      } else last.push(part);
      if (left > 0) break;
      if (type === FRAME.outcome) return outcome.parse(value(last));
      if (type === FRAME.error) throw errorOf(value(last));
      type = undefined;
    }
  }
  throw new PinholeError('internal_error', 'The background process ended during this search.', {
    retryable: true,
  });
}

function frame(type: number, payload: Uint8Array): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(type, 0);
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function value(parts: readonly Uint8Array[]): unknown {
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

function errorOf(body: unknown): PinholeError {
  // Our own process wrote it: encodeFrames sends nothing but an ErrorBody here.
  const { code, message, ...options } = (body as ErrorBody).error;
  return new PinholeError(code, message, options);
}
