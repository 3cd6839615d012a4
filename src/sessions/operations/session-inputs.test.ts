import { expect, test } from 'vitest';
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

test.each(['cursor', '', 'code', 'claudette'])('%j is no agent', (given) => {
  expect(() => providerOf({ providers: PROVIDERS }, given)).toThrow(
    'provider must be one of claude_code, codex, gemini.',
  );
});
