import { describe, expect, test } from 'vitest';
import { briefOf, diffOfCall, isEdit, placeOf } from './tool-arguments.ts';

describe('briefOf', () => {
  test('takes the most telling argument', () => {
    expect(briefOf('{"description":"Run it","command":"npm   test"}')).toBe('npm test');
    expect(briefOf('{"pattern":"retry","path":"src"}')).toBe('retry');
    expect(briefOf('{"cmd":["bash","-lc","ls"]}')).toBe('bash -lc ls');
  });

  test('reads arguments that were cut', () => {
    expect(briefOf('{"file_path":"/srv/app/a.ts","old_string":"x…[+900 bytes]')).toBe('/srv/app/a.ts');
    expect(briefOf('no JSON at all')).toBe('no JSON at all');
  });

  test('reads arguments without escapes', () => {
    expect(briefOf('{"command":"echo "a"\nls","description":"List"}')).toBe('echo "a" ls');
    expect(briefOf('{"file_path":"a.ts","old_string":"x\ny"}')).toBe('a.ts');
    expect(briefOf('{"command":"printf "%s" x"}')).toBe('printf "%s" x');
  });
});

describe('arguments in any order', () => {
  const cut = '{"replace_all":false,"file_path":"/srv/app/a.ts","old_string":"x "y" z…[+900 bytes]';

  test('the path of an edit is found wherever it is', () => {
    expect(briefOf(cut)).toBe('/srv/app/a.ts');
    expect(placeOf(cut)).toEqual({ path: '/srv/app/a.ts', line: undefined });
  });

  test('a read begins at its offset; a folder is not a file', () => {
    expect(placeOf('{"file_path":"src/a.ts","offset":120,"limit":40}')).toEqual({
      path: 'src/a.ts',
      line: 120,
    });
    expect(placeOf('{"pattern":"x","path":"src"}')).toBeUndefined();
    expect(placeOf('*** Begin Patch\n*** Update File: lib/b.py\n@@')).toEqual({
      path: 'lib/b.py',
      line: undefined,
    });
  });

  test('a list of objects is not a brief', () => {
    expect(briefOf('{"todos":[{"content":"a"}],"description":"Plan"}')).toBe('Plan');
  });
});

describe('diffOfCall', () => {
  test('an edit, several edits, a new file, a patch', () => {
    expect(diffOfCall('{"old_string":"a\\nb","new_string":"a\\nc"}')).toBe(' a\n-b\n+c');
    expect(
      diffOfCall('{"edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}'),
    ).toBe('-a\n+b\n @@\n-c');
    expect(diffOfCall('{"file_path":"x","content":"one\\ntwo"}')).toBe('+one\n+two');
    expect(diffOfCall('*** Begin Patch\n*** End Patch')).toBe('*** Begin Patch\n*** End Patch');
  });

  test('undefined for a call that is not an edit', () => {
    expect(diffOfCall('{"command":"ls"}')).toBeUndefined();
    expect(diffOfCall('{"old_string":"cut…')).toBeUndefined();
  });
});

test('isEdit knows the edit tools of the three agents', () => {
  expect(['Edit', 'MultiEdit', 'Write', 'apply_patch', 'replace'].every(isEdit)).toBe(true);
  expect(isEdit('Bash')).toBe(false);
});
