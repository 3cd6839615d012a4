import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rawText, shownPath, systemPath } from './raw-text.ts';

test('any bytes come back from their text', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => new TextEncoder().encode(text)),
  );
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 3 }), (parts) => {
      const name = Buffer.concat(parts);
      const raw = rawText(name);
      expect(Buffer.from(systemPath(raw))).toEqual(name);
      expect(shownPath(raw)).toBe(name.toString());
      expect(JSON.parse(JSON.stringify(raw))).toBe(raw);
    }),
  );
});

test('text stays as it is', () => {
  expect(systemPath(rawText(Buffer.from('漢字 🙂 \ufffd')))).toBe('漢字 🙂 \ufffd');
});
