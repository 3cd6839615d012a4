import { expect, test } from 'vitest';
import { unparsedLanguage, unparsedLanguages, unparsedText } from './unparsed-languages.ts';

test('languages without a grammar are named, the most frequent one first', () => {
  expect(unparsedLanguage('lib/a.dart')).toBe('dart');
  expect(unparsedLanguage('Sources/a.swift')).toBeUndefined();
  expect(unparsedLanguage('kernel.cu')).toBeUndefined();
  expect(unparsedLanguage('README.md')).toBeUndefined();
  const found = unparsedLanguages(['a.pl', 'a.dart', 'b.dart', 'c.ts', 'd.json']);
  expect(found).toEqual(['dart', 'perl']);
  expect(unparsedText(found)).toBe('Files in dart and perl are not parsed; search their text.');
  expect(unparsedText(['dart'])).toBe('Files in dart are not parsed; search their text.');
});
