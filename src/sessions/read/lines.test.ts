import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitLines } from './lines.ts';

const read = (chunks: readonly Uint8Array[]) =>
  [...splitLines(chunks, 0)].map(({ bytes, offset, length }) => ({
    text: bytes.toString('utf8'),
    offset,
    length,
  }));

describe('lines of a log', () => {
  test('offsets and lengths cover the bytes, empty lines go with the line before', () => {
    expect(read([Buffer.from('{"a":1}\n\n{"ü":2}\r\n')])).toEqual([
      { text: '{"a":1}', offset: 0, length: 9 },
      { text: '{"ü":2}\r', offset: 9, length: 10 },
    ]);
  });

  test('a half-written last line waits, a whole one without its end does not', () => {
    expect(read([Buffer.from('{"a":1}\n{"b":')])).toHaveLength(1);
    expect(read([Buffer.from('{"a":1}\n{"b":2}')])).toHaveLength(2);
  });

  test('any division into chunks gives the same records', () => {
    const record = fc.oneof(fc.json(), fc.string(), fc.constant(''));
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 8 }),
        fc.array(fc.nat(40), { maxLength: 12 }),
        (records, cuts) => {
          const whole = Buffer.from(records.join('\n'));
          const chunks: Buffer[] = [];
          let at = 0;
          for (const size of cuts) {
            chunks.push(whole.subarray(at, at + size));
            at += size;
          }
          chunks.push(whole.subarray(at));
          const once = read([whole]);
          expect(read(chunks)).toEqual(once);
          let end = 0;
          for (const { offset, length } of once) {
            expect(offset).toBe(end);
            end += length;
          }
          expect(end).toBeLessThanOrEqual(whole.length);
        },
      ),
    );
  });
});
