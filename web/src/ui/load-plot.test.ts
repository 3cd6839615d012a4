import { expect, test } from 'vitest';
import { nameLanguage } from './load-plot.ts';

test.each([
  ['de-CH', 'de-CH'],
  ['en-US@posix', 'en'],
  ['C', 'en'],
  ['', 'en'],
])('a browser that speaks "%s" speaks %s', (said, language) => {
  const browser = { language: said };
  nameLanguage(browser);
  expect(browser.language).toBe(language);
});
