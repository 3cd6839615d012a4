import { expect, test } from 'vitest';
import { PathTable } from '../files/path-table.ts';
import { KnownFiles } from './known-files.ts';

/** What the search thread reports of files, each with its content. */
function columns(files: Readonly<Record<string, string>>) {
  const texts = (list: readonly string[]) => Buffer.from(list.map((text) => `${text}\0`).join(''));
  const stamps = new Float64Array(Object.keys(files).flatMap(() => [1, 2]));
  return { paths: texts(Object.keys(files)), stamps, hashes: texts(Object.values(files)) };
}

test('segments that are joined leave the files of the others known', () => {
  const known = new KnownFiles(new PathTable());
  known.take(['large', 'edit1', 'edit2'], columns({ a: 'old', b: 'b', c: 'c' }), []);
  // Two are joined into one, in which c is gone.
  const segments = ['large', 'joined'];
  expect(known.among(segments)).toEqual(['large']);
  known.take(segments, columns({ a: 'new' }), ['c']);
  expect(['a', 'b', 'c'].map((path) => known.hashOf(path))).toEqual(['new', 'b', undefined]);
  expect(known.among(segments)).toEqual(segments);
});

test('nothing is known once all segments are others', () => {
  const known = new KnownFiles(new PathTable());
  known.take(['one'], columns({ a: 'a', b: 'b' }), []);
  expect(known.among(['other'])).toEqual([]);
  known.take(['other'], columns({ a: 'a' }), []);
  expect(['a', 'b'].map((path) => known.has(path))).toEqual([true, false]);
});
