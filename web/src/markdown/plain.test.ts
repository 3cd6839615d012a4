import { marked } from 'marked';
import { expect, test } from 'vitest';
import { pick, seeded } from '../../../test/browser/random.ts';
import { isPlain } from './plain.ts';

test('short prompts are plain', () => {
  const prompts = ['the large one', 'Fix the nightly export, ticket 12.', 'Why does src/a.ts fail?', 'Größe'];
  expect(prompts.filter((text) => !isPlain(text))).toEqual([]);
});

test('text with marks, links or several lines is not', () => {
  const texts = [
    ...['1. first', '- item', '# head', 'a *b*', 'a _b_', '`code`', 'a <b>', 'a & b', '[a](b)', 'a\\b'],
    ...['see https://a.org', 'see www.a.org', 'mail a@b.org', 'two\nlines', 'a | b', '~~a~~', ' a', 'a ', ''],
  ];
  expect(texts.filter(isPlain)).toEqual([]);
});

test('the lexer makes a paragraph of plain text and nothing else', () => {
  const next = seeded(11);
  const pieces = [
    ...['a', 'B', 'é', 'word', 'www', '.', ' ', '  ', '1', '1.', '2)', '-', '--', '---', '=', '+', '(', ')'],
    ...[
      '/',
      '"',
      "'",
      '!',
      '?',
      ';',
      ',',
      '%',
      '$',
      '…',
      '*',
      '_',
      '`',
      '~',
      '|',
      '>',
      '#',
      ':',
      'http',
      '@',
    ],
    ...['\t', '\n', '[', ']', '\\', '&', '<'],
  ];
  let plain = 0;
  for (let round = 0; round < 20_000; round++) {
    const length = 1 + Math.floor(next() * 9);
    const text = Array.from({ length }, () => pick(next, pieces)).join('');
    if (!isPlain(text)) continue;
    plain++;
    const tokens = marked.lexer(text, { gfm: true, breaks: true });
    const [paragraph] = tokens;
    expect(
      tokens.map(({ type }) => type),
      text,
    ).toEqual(['paragraph']);
    expect(paragraph?.type === 'paragraph' && paragraph.tokens, text).toEqual([
      expect.objectContaining({ type: 'text', text }),
    ]);
  }
  expect(plain).toBeGreaterThan(500);
});
