import { expect, test } from 'vitest';
import { openStaticEmbedder } from '../embed/static-embedder.ts';
import { joinSegments } from '../semantic/search-index.ts';
import { segmentOf } from '../semantic/semantic-segment.fixture.ts';
import { rank } from './rank.ts';
import { readQuery } from './read-query.ts';

const filler = Array.from({ length: 12 }, (_none, at) => `  total += row${at}.width;`).join('\n');
const index = joinSegments([
  await segmentOf({
    'one.ts': `export function openSocket() {\n${filler}\n}\n`,
    'two.ts': `export function drawTable() {\n${filler}\n}\n`,
  }),
]);
const model = await openStaticEmbedder();
const vector = await model.question('open socket');

test('by meaning, the nearest symbol of a file counts', () => {
  const [first] = rank(index, readQuery('open socket'), {
    mode: 'semantic',
    vector,
    embed: (text) => model.phrase?.(text) ?? new Float32Array(model.dimensions),
  });
  expect(index.files.path(first?.file ?? -1)).toBe('one.ts');
  expect(first?.parts().semanticSymbol).toBeGreaterThan(0.1);
});

test('where words count, or names cannot be embedded, it does not', () => {
  const embed = (): Float32Array => {
    throw new Error('not needed');
  };
  const [hybrid] = rank(index, readQuery('open socket'), { mode: 'hybrid', vector, embed });
  expect(hybrid?.parts().semanticSymbol).toBeUndefined();
  const [plain] = rank(index, readQuery('open socket'), { mode: 'semantic', vector });
  expect(plain?.parts().semanticSymbol).toBeUndefined();
});
