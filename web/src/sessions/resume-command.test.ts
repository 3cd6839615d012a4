import { expect, test } from 'vitest';
import { resumeCommand } from './resume-command.ts';

test('a session is continued in its folder', () => {
  const session = { provider: 'claude_code', session_id: 'a1-b2', project: { path: "/srv/it's mine" } };
  expect(resumeCommand(session)).toBe(`cd '/srv/it'\\''s mine' && claude --resume a1-b2`);
  expect(resumeCommand({ ...session, cwd: '/srv/app' })).toBe('cd /srv/app && claude --resume a1-b2');
  expect(resumeCommand({ provider: 'codex', session_id: 'x;rm' })).toBe(`codex resume 'x;rm'`);
  expect(resumeCommand({ ...session, provider: 'unknown' })).toBeUndefined();
});
