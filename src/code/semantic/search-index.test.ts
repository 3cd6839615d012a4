import { expect, test } from 'vitest';
import { definers, joinSegments } from './search-index.ts';
import { segmentOf } from './semantic-segment.fixture.ts';

test('an index that grew by a segment equals one joined from all segments', async () => {
  const first = await segmentOf({
    'a.ts': 'export function alpha() {\n  return beta();\n}\n',
    'b.ts': 'export function beta() {\n  return 1;\n}\n',
    'c.ts': 'export const gamma = 3;\n',
  });
  const second = await segmentOf({ 'a.ts': 'export function delta() {}\n', 'd.ts': 'let epsilon = 5;\n' });
  const gone = new Set(['c.ts']);
  const joined = joinSegments([first, second], gone);
  const grown = joinSegments([first, second], gone, joinSegments([first]));
  expect({ ...grown, parts: undefined }).toEqual({ ...joined, parts: undefined });
  expect(grown.parts.map(({ firstChunk, firstFile }) => [firstChunk, firstFile])).toEqual(
    joined.parts.map(({ firstChunk, firstFile }) => [firstChunk, firstFile]),
  );
  // The first a.ts is hidden by the second, and c.ts is gone.
  expect([...grown.fileLength].map((length) => length > 0)).toEqual([false, true, false, true, true]);
  expect(definers(grown, 'delta')).toEqual(definers(joined, 'delta'));
});
