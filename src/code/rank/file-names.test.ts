import { expect, it } from 'vitest';
import { joinSegments } from '../semantic/search-index.ts';
import { segmentOf } from '../semantic/semantic-segment.fixture.ts';
import { fileNames } from './file-names.ts';

it('counts mentions of a file in the segments that an index grew by', async () => {
  const first = await segmentOf({ 'src/ledger.ts': 'export const ledger = 1;\n' });
  const second = await segmentOf({ 'src/use.ts': "import { ledger } from './ledger';\n" });
  const small = joinSegments([first]);
  expect(fileNames(small, 0).mentions).toBe(1);
  const grown = joinSegments([first, second], new Set(), small);
  expect(fileNames(grown, 0).mentions).toBe(2);
  expect(fileNames(grown, 0).mentions).toBe(2);
  expect(fileNames(joinSegments([first, second]), 0)).toEqual(fileNames(grown, 0));
});
