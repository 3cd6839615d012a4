import { expect, test } from 'vitest';
import { caseFolded, hasCodePoint, orbit, singleChar } from './charset.ts';

test.each([
  ['a', 'Aa'],
  ['K', 'Kk\u212a'],
  ['s', 'Ss\u017f'],
  ['\u212a', 'Kk\u212a'],
  ['\u017f', 'Ss\u017f'],
  ['é', 'Éé'],
  ['σ', 'Σςσ'],
  ['ß', 'ßẞ'],
  ['ı', 'ı'],
  ['7', '7'],
  ['@', '@'],
  ['中', '中'],
])('%s in all its cases is %s', (character, cases) => {
  const code = character.codePointAt(0) ?? 0;
  expect(String.fromCodePoint(...orbit(code))).toBe(cases);
});

test('every character folds as the engine folds it', () => {
  const wrong: string[] = [];
  for (let code = 0; code < 0x600; code++) {
    const same = new RegExp(`^\\u{${code.toString(16)}}$`, 'iu');
    for (const other of orbit(code))
      if (!same.test(String.fromCodePoint(other))) wrong.push(`${code} ${other}`);
    for (const near of [code + 1, code - 1, code + 32, code - 32]) {
      if (near >= 0 && same.test(String.fromCodePoint(near)) && !orbit(code).includes(near))
        wrong.push(`${code} not ${near}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a folded set has the other cases of its members and nothing else', () => {
  const set = caseFolded(singleChar('k'.charCodeAt(0)));
  expect([0x4b, 0x6b, 0x212a].every((code) => hasCodePoint(set, code))).toBe(true);
  expect([0x4a, 0x6a, 0xe9].some((code) => hasCodePoint(set, code))).toBe(false);
});
