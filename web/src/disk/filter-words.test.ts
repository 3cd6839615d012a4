import { describe, expect, test } from 'vitest';
import { filterOf, filterText, toggleWord } from './filter-words.ts';

describe('filterOf', () => {
  test('without words there is no filter', () => {
    expect(filterOf('')).toBeUndefined();
    expect(filterOf('   ')).toBeUndefined();
  });

  test('all words must match', () => {
    expect(filterOf('*.log >100MB older:30d')).toEqual({
      all: [{ name: { glob: '*.log', ignore_case: true } }, { size: '>100MB' }, { modified: '>30d' }],
    });
  });

  test('one word needs no list', () => {
    expect(filterOf('cache')).toEqual({ name: { glob: '*cache*', ignore_case: true } });
    expect(filterOf('ext:mp4,mov')).toEqual({ ext: ['mp4', 'mov'] });
    expect(filterOf('newer:7d')).toEqual({ modified: '<7d' });
    expect(filterOf('is:duplicate')).toEqual({ duplicates: true });
    expect(filterOf('is:image')).toEqual({ ext: expect.arrayContaining(['jpg', 'png']) });
    expect(filterOf('is:touched')).toEqual({ touched_by_agent: true });
    expect(filterOf('kind:dir')).toEqual({ kind: 'dir' });
  });

  test('a minus excludes', () => {
    expect(filterOf('-ext:js')).toEqual({ not: { ext: ['js'] } });
    expect(filterOf('-')).toEqual({ name: { glob: '*-*', ignore_case: true } });
  });
});

test('toggleWord adds a word once and removes it again', () => {
  expect(toggleWord('', 'ext:mp4')).toBe('ext:mp4');
  expect(toggleWord('a  b', 'ext:mp4')).toBe('a b ext:mp4');
  expect(toggleWord('a ext:mp4 b', 'ext:mp4')).toBe('a b');
});

test('a stored filter reads as words', () => {
  expect(filterText('{"all":[{"ext":"log"},{"modified":">30d"}]}')).toBe('ext log, modified >30d');
  expect(filterText('{"regenerable":true}')).toBe('regenerable true');
});
