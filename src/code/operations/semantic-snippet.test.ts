import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQuery } from '../rank/read-query.ts';
import type { SnippetSize } from './best-run.ts';
import { semanticSnippet } from './semantic-snippet.ts';

const asked = (text: string) => new Set(readQuery(text).terms.map(({ term }) => term));

/** The snippet of all lines, which begin at line 11. */
const snippet = (lines: readonly string[], size: Partial<SnippetSize>, question: string) =>
  semanticSnippet(
    { from: 11, to: 10 + lines.length },
    (line) => lines[line - 11] ?? '',
    { lines: 12, characters: 500, ...size },
    asked(question),
  );

const SEND = [
  '  async function send(request: Request): Promise<Response> {',
  ...Array.from({ length: 20 }, (_, i) => `    const header${i} = request.headers.get('x-${i}');`),
  '',
  '    for (let attempt = 0; attempt < 3; attempt++) {',
  '      if (!isRetryable(error)) throw error;',
  '      await backoff(attempt);',
  '    }',
  ...Array.from({ length: 20 }, (_, i) => `    log.write('line ${i}');`),
  '  }',
];

test('a place that fits is shown whole, without its indentation', () => {
  expect(snippet(['    if (x) {', '      y();', '    }'], {}, 'y')).toEqual({
    from: 11,
    text: 'if (x) {\n  y();\n}',
  });
});

test('of a long place the run of whole lines with most of what was asked for', () => {
  expect(snippet(SEND, { characters: 160 }, 'where is a failed attempt retried with backoff')).toEqual({
    from: 33,
    text: [
      'for (let attempt = 0; attempt < 3; attempt++) {',
      '  if (!isRetryable(error)) throw error;',
      '  await backoff(attempt);',
      '}',
      "log.write('line 0');",
    ].join('\n'),
  });
});

test('without a word of the question the beginning is shown', () => {
  const { from, text } = snippet(SEND, { lines: 3 }, 'parse yaml');
  expect(from).toBe(11);
  expect(text.split('\n')).toEqual(SEND.slice(0, 3).map((line) => line.slice(2)));
});

test('one line longer than the room is cut, not lost', () => {
  expect(snippet(['a'.repeat(50), 'b'.repeat(50)], { characters: 20 }, 'bbb')).toEqual({
    from: 11,
    text: `${'a'.repeat(20)}…`,
  });
});

test('never longer than asked for, and made of consecutive lines', () => {
  const line = fc.stringMatching(/^ {0,4}[a-d ]{0,30}$/);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 20, max: 300 }), (lines, characters) => {
      const { from, text } = snippet(lines, { characters }, 'a b abc');
      const shown = text.split('\n');
      expect(shown.length).toBeLessThanOrEqual(12);
      if (shown.length === 1) return;
      expect([...text].length).toBeLessThanOrEqual(characters);
      for (const [at, one] of shown.entries()) expect(one.trim()).toBe(lines[from - 11 + at]?.trim());
    }),
  );
});
