import { expect, test } from 'vitest';
import { stem } from '../words/stem.ts';
import { forOtherSystem, ROLE, rolesOf } from './file-roles.ts';

test.each([
  ['src/pool.ts', 0],
  // Django's own applications, for one, are in such a folder.
  ['django/contrib/auth/models.py', 0],
  ['vendor/pool.go', ROLE.aside],
  ['lib/legacy/pool.rb', ROLE.aside],
  ['tests/pool_test.go', ROLE.test],
])('the role of %s', (path, role) => {
  expect(rolesOf(path, 'python', '')).toBe(role);
});

test.each([
  ['src/win/udp.c', 'udp send', 'linux', true],
  ['src/unix/udp.c', 'udp send', 'linux', false],
  ['src/unix/udp.c', 'udp send', 'win32', true],
  ['os/exec_windows.go', 'start a process', 'darwin', true],
  ['os/exec_windows.go', 'start a process windows', 'darwin', false],
  ['ui/window.ts', 'open', 'linux', false],
] as const)('whether %s is for another system: "%s" on %s', (path, question, system, other) => {
  const asked = new Set(question.split(' ').map(stem));
  expect(forOtherSystem(path, asked, system)).toBe(other);
});
