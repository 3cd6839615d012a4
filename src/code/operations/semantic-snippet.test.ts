import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQuery } from '../rank/read-query.ts';
import { semanticSnippet } from './semantic-snippet.ts';

const asked = (text: string) => new Set(readQuery(text).terms.map(({ term }) => term));

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
  '',
];

test('a place that fits is shown whole, without its indentation', () => {
  expect(semanticSnippet(['', '    if (x) {', '      y();', '    }', ''], 100, asked('y'))).toBe(
    'if (x) {\n  y();\n}',
  );
});

test('of a long place the first line and the lines that were asked for', () => {
  expect(semanticSnippet(SEND, 230, asked('where is a failed attempt retried with backoff'))).toBe(
    [
      'async function send(request: Request): Promise<Response> {',
      '…',
      '  for (let attempt = 0; attempt < 3; attempt++) {',
      '    if (!isRetryable(error)) throw error;',
      '    await backoff(attempt);',
      '  }',
      "  log.write('line 0');",
      '…',
    ].join('\n'),
  );
});

test('without a word of the question the beginning is shown', () => {
  const text = semanticSnippet(SEND, 100, asked('parse yaml'));
  expect(text).toBe(
    `${SEND.map((line) => line.slice(2))
      .join('\n')
      .slice(0, 100)}…`,
  );
});

test('one line longer than the room is cut, not lost', () => {
  expect(semanticSnippet(['a'.repeat(50), 'b'.repeat(50)], 20, asked('bbb'))).toBe(`${'a'.repeat(20)}…`);
});

test('never longer than asked for by more than the mark of a cut, and made of the lines themselves', () => {
  const line = fc.stringMatching(/^ {0,4}[a-d ]{0,30}$/);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 20, max: 300 }), (lines, length) => {
      const shown = semanticSnippet(lines, length, asked('a b abc'));
      expect([...shown].length).toBeLessThanOrEqual(length + 1);
      const trimmed = new Set(lines.map((each) => each.trim()));
      const whole = shown.split('\n').slice(0, -1);
      for (const each of whole) expect(each === '…' || trimmed.has(each.trim())).toBe(true);
    }),
  );
});
