import { expect, test } from 'vitest';
import { codex } from '../providers/codex/index.ts';
import { PROVIDERS } from '../providers/index.ts';
import { providerOf } from './session-inputs.ts';

test.each([
  ['claude_code', 'claude_code'],
  ['claude', 'claude_code'],
  ['ClaudeCode', 'claude_code'],
  ['claude-code', 'claude_code'],
  ['codex', 'codex'],
  ['Codex CLI', 'codex'],
  ['gemini-cli', 'gemini'],
  ['Gemini', 'gemini'],
])('%s is a name of %s', (given, provider) => {
  expect(providerOf({ providers: PROVIDERS }, given)).toBe(provider);
});

test.each(['notepad', '', 'code', 'claudette'])('%j is nobody', (given) => {
  expect(() => providerOf({ providers: PROVIDERS }, given)).toThrow(
    `provider must be one of ${PROVIDERS.map(({ id }) => id).join(', ')}.`,
  );
});

test('an agent whose name ends in code keeps its name', () => {
  const acode = { ...codex, id: 'acode', title: 'acode', aliases: [] };
  expect(providerOf({ providers: [codex, acode] }, 'ACode')).toBe('acode');
  expect(() => providerOf({ providers: [codex, acode] }, 'a')).toThrow(
    'provider must be one of codex, acode.',
  );
});
