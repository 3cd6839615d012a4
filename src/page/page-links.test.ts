import { expect, test } from 'vitest';
import { link, pageLinks, shortLink } from './page-links.ts';

test('values that say nothing are left out of a query, others are encoded', () => {
  expect(link('/code', { q: 'a b&c', word: false, case: undefined, glob: '' })).toBe('/code?q=a+b%26c');
  expect(link('/code', { line: 0, word: true })).toBe('/code?line=0&word=true');
  expect(link('/code')).toBe('/code');
});

test('ids cannot change the path', () => {
  expect(pageLinks.session('../x?y', { turn: 2 })).toBe('/sessions/..%2Fx%3Fy?turn=2');
  expect(pageLinks.node('i3', 'n4f2')).toBe('/disk/i3/n4f2');
});

test('a long query is dropped from the link of an answer', () => {
  expect(shortLink(pageLinks.code({ q: 'retry', mode: 'regex' }))).toBe('/code?q=retry&mode=regex');
  expect(shortLink(pageLinks.code({ q: 'x'.repeat(198) }))).toBe(`/code?q=${'x'.repeat(198)}`);
  expect(shortLink(pageLinks.code({ q: 'x'.repeat(199) }))).toBe('/code');
});
