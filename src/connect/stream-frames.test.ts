import { expect, test } from 'vitest';
import { z } from 'zod';
import { PinholeError } from '../contract/errors.ts';
import { decodeFrames, encodeFrames } from './stream-frames.ts';

const outcome = z.object({ matched: z.boolean() });
const toBody = (error: unknown) =>
  (error instanceof PinholeError ? error : new PinholeError('internal_error', String(error))).toBody();

async function* search(texts: readonly string[], end: () => { matched: boolean }) {
  for (const text of texts) yield Buffer.from(text);
  return end();
}

/** The same bytes, cut into pieces of one size, as a socket may deliver them. */
async function* inPieces(frames: AsyncIterable<Uint8Array>, size: number) {
  const all: Uint8Array[] = [];
  for await (const frame of frames) all.push(frame);
  const bytes = Buffer.concat(all);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function received(pieces: AsyncGenerator<Uint8Array, { matched: boolean }>) {
  let text = '';
  for (;;) {
    const step = await pieces.next();
    if (step.done) return { text, ...step.value };
    text += Buffer.from(step.value).toString('latin1');
  }
}

test.each([1, 3, 5, 6, 7, 1_000])('text and outcome arrive through pieces of %i bytes', async (size) => {
  for (const matched of [true, false]) {
    const frames = encodeFrames(
      search(['{"data":', '', '\n0 match', 'x'.repeat(300)], () => ({ matched })),
      toBody,
    );
    expect(await received(decodeFrames(inPieces(frames, size), outcome))).toEqual({
      text: `{"data":\n0 match${'x'.repeat(300)}`,
      matched,
    });
  }
});

test('an error arrives as the error it was, after the text before it', async () => {
  const frames = encodeFrames(
    search(['a line\n'], () => {
      throw new PinholeError('search_timeout', 'Too slow.', { details: { seconds: 3 } });
    }),
    toBody,
  );
  const pieces = decodeFrames(inPieces(frames, 12), outcome);
  expect(Buffer.from((await pieces.next()).value as Uint8Array).toString()).toBe('a line\n');
  await expect(received(pieces)).rejects.toMatchObject({
    code: 'search_timeout',
    message: 'Too slow.',
    details: { seconds: 3 },
    retryable: true,
  });
});

test('a stream that breaks off is an error, not an end without matches', async () => {
  const frames = encodeFrames(
    search(['a line\n'], () => ({ matched: true })),
    toBody,
  );
  async function* cut() {
    for await (const chunk of inPieces(frames, 12)) {
      yield chunk;
      return;
    }
  }
  await expect(received(decodeFrames(cut(), outcome))).rejects.toThrow(
    'The background process ended during this search.',
  );
});

test('a reader who leaves ends the search', async () => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield Buffer.from('line\n');
    } finally {
      ended = true;
    }
  }
  const frames = encodeFrames(endless(), toBody);
  await frames.next();
  await frames.return(undefined);
  expect(ended).toBe(true);
});
