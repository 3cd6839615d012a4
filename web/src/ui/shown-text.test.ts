import { expect, test } from 'vitest';
import { shownText, withoutColours } from './shown-text.ts';

test('invisible characters and those that change the text direction are written as escapes', () => {
  expect(shownText('\u202egnp.exe')).toBe('\\u202egnp.exe');
  expect(shownText('a\u0007b\u200fc')).toBe('a\\u0007b\\u200fc');
});

test('line breaks, tabs, other scripts and joined emoji stay', () => {
  for (const text of ['one\r\ntwo\tthree', 'שלום مرحبا', '🧑‍🚀', '']) expect(shownText(text)).toBe(text);
  expect(shownText('a\u0000\r\nb')).toBe('a\\u0000\r\nb');
});

test('terminal colours are removed, other text is not', () => {
  expect(withoutColours('\u001b[1;31mred\u001b[0m [31m')).toBe('red [31m');
});
