import { expect, test } from 'vitest';
import { alignCalls, isSame, type SideCall } from './aligned-calls.ts';

const call = (what: string, event: number): SideCall => ({
  turn: 0,
  event,
  tool: 'Read',
  what,
  status: 'ok',
});
const shown = (a: string, b: string) =>
  alignCalls(
    [...a].map((what, i) => call(what, i)),
    [...b].map((what, i) => call(what, i)),
  ).map((pair) => `${pair.a?.what ?? '-'}${pair.b?.what ?? '-'}${isSame(pair) ? '' : '!'}`);

test('the same calls are on one line', () => {
  expect(shown('abc', 'abc')).toEqual(['aa', 'bb', 'cc']);
});

test('what one did instead of the other is beside it, what only one did is alone', () => {
  expect(shown('abxd', 'abyzd')).toEqual(['aa', 'bb', 'xy!', '-z!', 'dd']);
  expect(shown('ab', 'b')).toEqual(['a-!', 'bb']);
  expect(shown('', 'ab')).toEqual(['-a!', '-b!']);
});
