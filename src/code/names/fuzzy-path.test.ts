import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzyQuery, fuzzyScore, nameLikeness } from './fuzzy-path.ts';

const PATHS = [
  'src/user/user-controller.ts',
  'src/user/user-controller.test.ts',
  'src/usr/ctl.ts',
  'src/http/HttpServer.java',
  'src/http/hot-tubs-public-server.md',
  'docs/pool.md',
  'src/pool/pool.ts',
  'src/pool/index.ts',
  'src/whirlpool/a.ts',
  'README.md',
];

function order(text: string): string[] {
  const query = fuzzyQuery(text);
  return PATHS.map((path) => ({ path, score: fuzzyScore(query, path) ?? -1 }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}

describe('the best path comes first', () => {
  test.each([
    ['pool.ts', 'src/pool/pool.ts'],
    ['pool.ts:40', 'src/pool/pool.ts'],
    ['./src/pool/pool.ts:40:7', 'src/pool/pool.ts'],
    ['pool.md', 'docs/pool.md'],
    ['pool index', 'src/pool/index.ts'],
    ['index pool', 'src/pool/index.ts'],
    ['HtSrv', 'src/http/HttpServer.java'],
    ['httpserver', 'src/http/HttpServer.java'],
    ['usrctltest', 'src/user/user-controller.test.ts'],
    ['user-controller', 'src/user/user-controller.ts'],
    ['usr/ctl', 'src/usr/ctl.ts'],
    ['readme', 'README.md'],
  ])('%s', (text, first) => {
    expect(order(text)[0]).toBe(first);
  });
});

test('every term has to fit', () => {
  expect(order('pool zebra')).toEqual([]);
  expect(order('xyz')).toEqual([]);
});

test('any letters of a path in their order find it, and no others do', () => {
  const path = fc.stringMatching(/^[a-z]{1,8}(\/[a-zA-Z._-]{1,8}){0,3}$/);
  const picked = path.chain((text) =>
    fc.record({
      text: fc.constant(text),
      query: fc.subarray([...text], { minLength: 1 }).map((letters) => letters.join('')),
    }),
  );
  fc.assert(
    fc.property(picked, ({ text, query }) => {
      fc.pre(!query.startsWith('./'));
      expect(fuzzyScore(fuzzyQuery(query), text)).toBeTypeOf('number');
      expect(fuzzyScore(fuzzyQuery(`${query}0`), text)).toBeUndefined();
    }),
  );
});

test('names with a typing error are alike', () => {
  expect(nameLikeness(fuzzyQuery('user-contorller.ts'), 'src/user/user-controller.ts')).toBeGreaterThan(0.7);
  expect(nameLikeness(fuzzyQuery('user-contorller.ts'), 'src/pool/pool.ts')).toBeLessThan(0.3);
});
