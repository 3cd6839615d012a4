import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EVERYDAY_PASSWORDS,
  leaksIn,
  PASSWORD_FORMS,
  SECRET_KINDS,
  seededText,
} from '../../test/attacks/secret-kinds.ts';
import { PLANTED, type Planted } from './redact/planted.fixture.ts';
import { blankSecrets, mayHoldSecret, redact, redactDeep } from './redact.ts';

/** Places where text with a secret in it is met. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  'in a sentence': (text) => `We tried ${text} and it worked.`,
  'at the start': (text) => `${text} is what it said`,
  'on a line of its own': (text) => `first\n${text}\nlast`,
  'on a line with a carriage return': (text) => `first\r\n${text}\r\nlast`,
  'in the middle of a long line': (text) =>
    `${'lorem ipsum dolor '.repeat(2000)}${text} ${'sit amet '.repeat(4000)}`,
  'after text of another script': (text) => `Ключ → ${text} — 鍵 🔑`,
  'in a JSON string': (text) => JSON.stringify({ type: 'text', text: `out:\n${text}\n\tend` }),
  'in a JSON string in a JSON string': (text) =>
    JSON.stringify({ line: JSON.stringify({ a: `x\n${text}\nz` }) }),
  'in a diff': (text) =>
    text
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n'),
  'in a numbered listing': (text) =>
    text
      .split('\n')
      .map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
      .join('\n'),
  'in colour': (text) => `\u001b[31m${text}\u001b[0m`,
  'in Markdown': (text) => `Use this:\n\`\`\`sh\n${text}\n\`\`\`\n`,
};

function leftOver({ secret }: Planted, clean: string): boolean {
  // Any line of it that survives is a leak.
  return secret
    .split('\n')
    .some((line) => line.length > 6 && !line.startsWith('-----') && clean.includes(line));
}

describe.each(Object.entries(PLACES))('a secret %s', (_name, place) => {
  test.each(PLANTED.map((planted, index) => ({ ...planted, index })))('$kind #$index', (planted) => {
    const text = place(planted.text);
    const clean = redact(text);
    expect(clean).toContain(`[redacted:${planted.kind}]`);
    expect(leftOver(planted, clean)).toBe(false);
    expect(redact(clean)).toBe(clean);
  });
});

test('everyday passwords are hidden in the forms they are written in', () => {
  const out = PASSWORD_FORMS.flatMap((form) =>
    EVERYDAY_PASSWORDS.filter((password) => redact(form(password)).includes(password)),
  );
  expect(out).toEqual([]);
});

test('999 of 1,000 secrets are hidden, and 95 of 100 of every kind', () => {
  const random = seededText(20_261_115);
  let missed = 0;
  const bad = Object.entries(SECRET_KINDS).flatMap(([kind, make]) => {
    const leaks = Array.from({ length: 100 }, () => make(random)).filter((one) =>
      leaksIn(one, redact(one.text)),
    );
    missed += leaks.length;
    return leaks.length > 5 ? [`${kind}: ${leaks.length}`] : [];
  });
  expect(bad).toEqual([]);
  expect(missed).toBeLessThanOrEqual(9);
});

test('a password that begins like a version is one', () => {
  expect(redact('password = "3.14hunter!"')).toBe('password = "[redacted:password]"');
});

test.each(PLANTED.map((planted, index) => ({ ...planted, index })))(
  'blanking $kind #$index moves nothing',
  (planted) => {
    const text = `one\n${planted.text}\nthree`;
    const blank = blankSecrets(text);
    expect(leftOver(planted, blank)).toBe(false);
    expect(blank).toHaveLength(text.length);
    expect([...blank].every((char, at) => char === text[at] || char === ' ')).toBe(true);
    expect(blank.split('\n')).toHaveLength(text.split('\n').length);
  },
);

describe('redactDeep', () => {
  const token = PLANTED[0]?.secret ?? '';

  test('gives back the same object when there is nothing to hide', () => {
    const data = { rows: [{ text: 'plain', n: 1, ok: true, none: null }], at: undefined };
    expect(redactDeep(data)).toBe(data);
  });

  test('keeps what did not change', () => {
    const clean = { text: 'plain' };
    const data = { clean, dirty: [`x ${token}`, 7] };
    const result = redactDeep(data);
    expect(result).toEqual({ clean: { text: 'plain' }, dirty: ['x [redacted:github]', 7] });
    expect(result.clean).toBe(clean);
    expect(data.dirty[0]).toBe(`x ${token}`);
  });

  test('knows a value by its field name', () => {
    expect(redactDeep({ user: 'ann', password: 'hunter2', port: 5432 })).toEqual({
      user: 'ann',
      password: '[redacted:password]',
      port: 5432,
    });
    expect(redactDeep([{ name: 'DB_PASSWORD', value: 'hunter2' }])).toEqual([
      { name: 'DB_PASSWORD', value: '[redacted:password]' },
    ]);
    expect(redactDeep({ headers: { 'x-api-key': ['a1b2c3d4e5f6g7h8'] } })).toEqual({
      headers: { 'x-api-key': ['[redacted:api-key]'] },
    });
    const schema = { properties: { password: { type: 'string' }, token: 'string' }, total_tokens: 12 };
    expect(redactDeep(schema)).toBe(schema);
  });

  test('hides a secret that is a field name', () => {
    expect(redactDeep({ [token]: 1 })).toEqual({ '[redacted:github]': 1 });
  });
});

test('a secret is named by what it is, also behind a vague name', () => {
  const token = PLANTED[0]?.secret ?? '';
  expect(redact(`GITHUB_TOKEN=${token}`)).toBe('GITHUB_TOKEN=[redacted:github]');
  expect(redact(`https://x-access-token:${token}@github.com/a/b`)).toBe(
    'https://x-access-token:[redacted:github]@github.com/a/b',
  );
  expect(redact(`Authorization: Bearer ${token}`)).toBe('Authorization: Bearer [redacted:github]');
});

test('the text around a secret stays', () => {
  expect(redact('postgres://app:tr0ub4dor@db:5432/app?x=1')).toBe(
    'postgres://app:[redacted:url-password]@db:5432/app?x=1',
  );
  expect(redact('{"password":"hunter2","user":"ann"}')).toBe(
    '{"password":"[redacted:password]","user":"ann"}',
  );
  expect(redact('{\\"password\\":\\"hun\\\\\\"ter2\\",\\"a\\":1}')).toBe(
    '{\\"password\\":\\"[redacted:password]\\",\\"a\\":1}',
  );
});

test('a private key that is cut off at either end does not get out', () => {
  const key = PLANTED.find(({ text }) => text.startsWith('-----BEGIN RSA'))?.text ?? '';
  const lines = key.split('\n');
  for (const part of [lines.slice(0, 5), lines.slice(4)]) {
    const clean = redact(`before\n${part.join('\n')}\nafter the key`);
    expect(clean).toBe('before\n[redacted:private-key]\nafter the key');
  }
  expect(redact(JSON.stringify(lines.slice(0, 5).join('\n')))).toBe('"[redacted:private-key]"');
});

test('doing it twice changes nothing more, whatever is put together', () => {
  const piece = fc.oneof(
    fc.constantFrom(...PLANTED.map(({ text }) => text)),
    fc.constantFrom(...PLANTED.map(({ text }) => text.slice(0, Math.ceil(text.length / 2)))),
    fc.constantFrom(
      'password',
      'token=',
      '"',
      '\\"',
      ': ',
      '=',
      '://',
      '@',
      '-----',
      '[redacted:jwt]',
      ' ',
      '\n',
      '_',
      '-',
    ),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      const once = redact(text);
      expect(once === text || holds(text)).toBe(true);
      expect(redact(once)).toBe(once);
      expect(redactDeep({ password: once })).toEqual(redactDeep(redactDeep({ password: once })));
    }),
    { numRuns: 1500 },
  );
});

function holds(text: string): boolean {
  const bytes = Buffer.from(`password${text}password`);
  return mayHoldSecret(bytes, 8, bytes.length - 8);
}

test('bytes with a secret are told from most without', () => {
  for (const { text } of PLANTED) expect(holds(text), text).toBe(true);
  expect(holds('static int foo(struct bar *b) { return b->size; }')).toBe(false);
  expect(holds('a PassWord: x')).toBe(true);
});
