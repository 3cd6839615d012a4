import { expect, test } from 'vitest';
import { PLANTED } from '../../contract/redact/planted.fixture.ts';
import { redactDeep } from '../../contract/redact.ts';
import { redactedCopy } from './redact-copy.ts';

const copy = (text: string) => Buffer.from(redactedCopy(Buffer.from(text))).toString();
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

test('a record keeps its length and its shape, without the secret', () => {
  const line = JSON.stringify({
    type: 'user',
    text: `ü use ${TOKEN}\n"now"`,
    env: { DB_PASSWORD: 'hunter2!' },
  });
  const clean = copy(`${line}\n{"type":"other"}\n`);
  expect(Buffer.byteLength(clean)).toBe(Buffer.byteLength(line) + 18);
  expect(clean).not.toContain(TOKEN);
  expect(clean).not.toContain('hunter2');
  const [first = '', second] = clean.split('\n');
  expect(JSON.parse(first)).toMatchObject({
    type: 'user',
    text: expect.stringMatching(/^ü use \[redacted:/),
  });
  expect(second).toBe('{"type":"other"}');
});

test('what has no secret is the same', () => {
  const text = '{"type":"user","token_count":12}\nnot json\n';
  expect(copy(text)).toBe(text);
  const bytes = Buffer.from([0x66, 0xff, 0xfe, ...Buffer.from(`password=${TOKEN}`)]);
  expect(redactedCopy(bytes).length).toBe(bytes.length);
});

test.each(PLANTED.map((one) => [one.kind, one] as const))(
  '%s: every planted secret is out',
  (_kind, { text, secret }) => {
    const line = JSON.stringify({ type: 'user', message: { content: [{ type: 'text', text }] } });
    const clean = copy(`${line}\n`);
    expect(Buffer.byteLength(clean)).toBe(Buffer.byteLength(line) + 1);
    const parsed: unknown = JSON.parse(clean);
    expect(redactDeep(parsed)).toEqual(parsed);
    expect(JSON.stringify(parsed)).not.toContain(JSON.stringify(secret).slice(1, -1));
  },
);
