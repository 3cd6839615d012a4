import { expect, test } from 'vitest';
import { Lru } from './lru.ts';

test('drops what was not used for longest', () => {
  const dropped: string[] = [];
  const lru = new Lru<string, number>({ most: 2, dropped: (value, key) => dropped.push(`${key}${value}`) });
  lru.set('a', 1);
  lru.set('b', 2);
  expect(lru.get('a')).toBe(1);
  lru.set('c', 3);
  expect([...lru]).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
  expect(lru.peek('a')).toBe(1);
  lru.set('d', 4);
  expect([...lru.keys()]).toEqual(['c', 'd']);
  expect(dropped).toEqual(['b2', 'a1']);
});

test('what is replaced is not dropped; what is deleted is, once', () => {
  const dropped: number[] = [];
  const lru = new Lru<string, number>({ most: 2, dropped: (value) => dropped.push(value) });
  lru.set('a', 1);
  lru.set('a', 2);
  expect(dropped).toEqual([]);
  lru.delete('a');
  lru.delete('a');
  expect([dropped, lru.size]).toEqual([[2], 0]);
});

test('weight counts, but the latest stays whatever it weighs', () => {
  const lru = new Lru<string, number>({ weight: { of: (value) => value, most: 10 } });
  for (const weight of [4, 4, 4]) lru.set(`${weight}${lru.size}`, weight);
  expect([...lru.values()]).toEqual([4, 4]);
  lru.set('heavy', 50);
  expect([...lru.keys()]).toEqual(['heavy']);
});
