import { expect, test } from 'vitest';
import { countSecrets, redact, redactDeep } from './redact.ts';

const github = `gh${'p_'}${'a1B2'.repeat(9)}`;

test('a token is replaced by its kind', () => {
  expect(redact(`push with ${github} now`)).toBe('push with [redacted:github] now');
  expect(countSecrets(`${github}\n${github}`)).toEqual({ github: 2 });
});

test('data without a secret comes back as the same object', () => {
  const data = { rows: [{ text: 'plain' }], n: 1 };
  expect(redactDeep(data)).toBe(data);
  expect(redactDeep({ rows: [github] })).toEqual({ rows: ['[redacted:github]'] });
});
