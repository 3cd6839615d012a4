import { expect, test } from 'vitest';
import { changedTogether, mentionsIn, merged } from './related-files.ts';

test('paths in texts: below the folder, without touched files, patterns and marks of diffs', () => {
  const texts = new Map([
    [1, 'see /srv/app/src/cart.ts and old.ts, run *_test.ts, import "node.js"'],
    [9, 'diff a/src/cart.ts b/src/cart.ts\\nsrc/menu.ts cart.ts .../store/cart.ts'],
  ]);
  expect(mentionsIn(texts, 10, '/srv/app', ['/srv/app/src/store/cart.ts', '/srv/app/src/x.ts'])).toEqual([
    'src/cart.ts',
    'src/menu.ts',
    'old.ts',
  ]);
});

test('files that share rare files with a session come before popular ones', () => {
  const changed = [
    [1, 'parser.ts'],
    [1, 'lexer.ts'],
    ...[2, 3, 4].flatMap((session) => [
      [session, 'README.md'],
      [session, 'news.md'],
    ]),
  ].map(([session, path]) => ({ session: Number(session), path: String(path) }));
  expect(changedTogether(new Set(['parser.ts', 'README.md']), changed)).toEqual(['news.md', 'lexer.ts']);
  expect(changedTogether(new Set(['parser.ts']), changed)[0]).toBe('lexer.ts');
  expect(changedTogether(new Set(), [])).toEqual([]);
});

test('what is in both lists comes first, by its longest name', () => {
  expect(
    merged([
      ['one.ts', 'b.ts'],
      ['two.ts', 'src/b.ts'],
    ]),
  ).toEqual(['src/b.ts', 'one.ts', 'two.ts']);
});
