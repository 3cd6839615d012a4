import { expect, test } from 'vitest';
import { ROLE, rolesOf } from './file-roles.ts';

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
