import { expect, test } from 'vitest';
import { PROVIDERS } from '../providers/index.ts';
import { resumeCommand } from './resume-command.ts';

test('a session is continued in its folder', () => {
  const session = { provider: 'claude_code', id: 'a1-b2', cwd: undefined, projectPath: "/srv/it's mine" };
  const line = (changes: Partial<typeof session> | { readonly cwd: string }) =>
    resumeCommand({ ...session, ...changes }, PROVIDERS);
  expect(line({})).toBe(`cd '/srv/it'\\''s mine' && claude --resume a1-b2`);
  expect(line({ cwd: '/srv/app' })).toBe('cd /srv/app && claude --resume a1-b2');
  expect(line({ provider: 'codex', id: 'x;rm', projectPath: '/srv' })).toBe(`cd /srv && codex resume 'x;rm'`);
  expect(line({ provider: 'unknown' })).toBeUndefined();
});
