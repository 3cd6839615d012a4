import { expect, test } from 'vitest';
import { yamlSettings } from './yaml-settings.ts';

test('a comment stays with the entry below it', () => {
  const before = '# mine\nextensions: # all\n  # keep\n  other:\n    cmd: x\n';
  const after = '# mine\nextensions: # all\n  pinhole:\n    cmd: p\n  # keep\n  other:\n    cmd: x\n';
  const path = ['extensions', 'pinhole'];
  expect(yamlSettings.set(before, path, { cmd: 'p' })).toBe(after);
  expect(yamlSettings.remove(after, path)).toBe(before);
});
