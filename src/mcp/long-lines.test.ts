import { expect, test } from 'vitest';
import { withoutLongLines } from './long-lines.ts';

/** What is passed on and what is replied when a text arrives in pieces of one size. */
async function pass(text: string, size: number) {
  const replies: { id: unknown; error: { code: number; message: string } }[] = [];
  const lines = withoutLongLines((message) => replies.push(JSON.parse(message)), 100);
  const passed: string[] = [];
  lines.on('data', (chunk: Buffer) => passed.push(chunk.toString()));
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) lines.write(bytes.subarray(start, start + size));
  await new Promise<void>((done) => lines.end(done));
  return { passed, replies };
}

const long = 'é'.repeat(80);

test.each([1, 7, 64, 100_000])(
  'short lines pass whole and long ones are answered, in pieces of %i',
  async (size) => {
    const { passed, replies } = await pass(
      [
        '{"id":1}',
        `{"jsonrpc":"2.0","id":2,"params":{"id":9,"text":"${long}"}}`,
        `{"params":{"text":"\\"id\\":9,${long}","list":[{"id":9}]},"id":"a\\"b"}`,
        `{"method":"note","params":["${long}"]}`,
        `{"${long}":"id","id" : 3 , "more":[]}`,
        `no JSON at all ${long}`,
        '{"id":4}',
        '',
      ].join('\n'),
      size,
    );
    expect(passed).toEqual(['{"id":1}\n', '{"id":4}\n']);
    expect(replies.map(({ id }) => id)).toEqual([2, 'a"b', null, 3, null]);
    expect(replies[0]?.error).toEqual({
      code: -32600,
      message: 'A message must be at most 100 bytes. Send less.',
    });
  },
);
