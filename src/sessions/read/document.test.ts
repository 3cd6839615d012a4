import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentRecords, leadingObject } from './document.ts';

const chat = (messages: readonly unknown[]) =>
  JSON.stringify({ sessionId: 's', messages, kind: 'main' }, undefined, 2);

test('the fields around the messages first, then the messages; together they are the file', () => {
  const source = Buffer.from(
    chat([
      { id: 'a', content: 'x"]}{' },
      { id: 'b', content: ['ü'] },
    ]),
  );
  const records = documentRecords(source);
  expect(records.map(({ bytes }) => JSON.parse(bytes.toString('utf8')))).toEqual([
    { sessionId: 's', kind: 'main' },
    { id: 'a', content: 'x"]}{' },
    { id: 'b', content: ['ü'] },
  ]);
  expect(records.reduce((sum, { length }) => sum + length, 0)).toBe(source.length);
  const last = records[2];
  const raw = source.subarray(last?.offset, (last?.offset ?? 0) + (last?.length ?? 0)).toString('utf8');
  expect(JSON.parse(leadingObject(raw))).toEqual({ id: 'b', content: ['ü'] });
});

test('a document cut anywhere gives its whole messages', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (messages, share) => {
        const source = Buffer.from(chat(messages));
        const cut = source.subarray(0, Math.floor(source.length * share));
        const [, ...found] = documentRecords(cut);
        const values = found.map(({ bytes }) => JSON.parse(bytes.toString('utf8')));
        expect(values).toEqual(JSON.parse(JSON.stringify(messages)).slice(0, values.length));
      },
    ),
  );
});
