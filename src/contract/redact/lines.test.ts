import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, reachesOver, redact, redactLines, redactThenCut } from '../redact.ts';
import { PLANTED } from './planted.fixture.ts';

const token = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'a1B2c3'].join('');
const key = PLANTED.find(({ text }) => text.includes('BEGIN RSA'))?.text ?? '';

test('a block leaves a marker on each of its lines, and the lines that begin and end it', () => {
  const lines = redactLines(`a\n${key}\r\nb ${token}`).split('\n');
  expect(lines.slice(0, 3)).toEqual(['a', '-----BEGIN RSA PRIVATE KEY-----', '[redacted:private-key]']);
  expect(lines.slice(-4)).toEqual([
    '[redacted:private-key]',
    '[redacted:private-key]',
    '-----END RSA PRIVATE KEY-----\r',
    'b [redacted:github]',
  ]);
  expect(lines).toHaveLength(key.split('\n').length + 2);
});

test('what is redacted line by line stays so', () => {
  for (const { text } of PLANTED) expect(redactLines(redactLines(text))).toBe(redactLines(text));
});

test.each([0, 3, 10, 20, 39, 40, 60])('a text that is cut at %i shows no part of a secret', (length) => {
  expect(redactThenCut(`say ${token} twice`, length)).toBe('say [redacted:github] twice'.slice(0, length));
});

test('the second of two secrets is not cut either when the first one shrinks', () => {
  const long = [
    'ey',
    'J',
    'hbGciOiJIUzI1NiJ9',
    '.ey',
    'J',
    'zdWIi'.repeat(1400),
    '.',
    'c2ln'.repeat(10),
  ].join('');
  for (let at = 0; at < 60; at += 3) {
    const text = `${long} ${'x '.repeat(at)}${'y '.repeat(10_000)}${token}`;
    expect(redactThenCut(text, 20_800)).not.toContain(token.slice(0, 8));
  }
});

test('a value that was cut short is still one, a word for nothing is not', () => {
  expect(redact('password=dSd1OgdQoLuxA287lvs…')).toBe('password=[redacted:password]');
  for (const plain of ['password=…', 'token=abc…xyz', 'password=xxx…']) expect(redact(plain)).toBe(plain);
});

test('lines that are taken out of a text are redacted by what is around them', () => {
  const text = `a\n${key}\nb\n`;
  expect(linesOf(text, 3, 4)).toEqual(['[redacted:private-key]', '[redacted:private-key]']);
  expect(linesOf(text, 1, 2)).toEqual(['a', '-----BEGIN RSA PRIVATE KEY-----']);
  expect(linesOf('one\ntwo', 2, 2)).toEqual(['two']);
  const far = `${'x\n'.repeat(40_000)}${key}\n${'y\n'.repeat(40_000)}`;
  expect(linesOf(far, 40_005, 40_005)).toEqual(['[redacted:private-key]']);
  expect(linesOf(far, 40_016, 40_016)).toEqual(['y']);
});

test('where nothing reaches over, no line hides what only others give away', () => {
  const fragment = fc.constantFrom(
    ...PLANTED.map(({ text }) => text),
    ...[
      '"name": "DB_PASSWORD",',
      '"value": "hunter2"',
      'password',
      'hunter22',
      'login ann',
      'set(',
      '"api_key",',
    ],
    ...['AKIA', '-----', 'key', '', '  ', 'const a = {'],
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 8 }), (fragments) => {
      const text = fragments.join('\n');
      const bytes = Buffer.from(text);
      if (reachesOver(bytes, 0, bytes.length)) return;
      const apart = text.split('\n').map((line) => redact(line));
      for (const [index, line] of redactLines(text).split('\n').entries())
        if (line !== text.split('\n')[index]) expect(apart[index]).not.toBe(text.split('\n')[index]);
    }),
    { numRuns: 2000 },
  );
});
