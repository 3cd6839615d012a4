import { expect, test } from 'vitest';
import { facetsOf } from './facet-counts.ts';

test('matches are counted by repository, folder and language, most first', () => {
  const facets = facetsOf([
    { folder: '/w/api', file: '/w/api/src/pool.ts', count: 3 },
    { folder: '/w/api', file: '/w/api/src/deep/retry.ts', count: 1 },
    { folder: '/w/api', file: '/w/api/README.md', count: 1 },
    { folder: '/w/ui', file: '/w/ui/web/app.py', count: 9 },
  ]);
  expect(facets).toEqual({
    repositories: [
      { name: 'ui', value: '/w/ui', count: 9 },
      { name: 'api', value: '/w/api', count: 5 },
    ],
    folders: [
      { name: 'web', value: '/w/ui/web', count: 9 },
      { name: 'src', value: '/w/api/src', count: 4 },
    ],
    languages: [
      { name: 'python', value: 'python', count: 9 },
      { name: 'typescript', value: 'typescript', count: 4 },
      { name: 'markdown', value: 'markdown', count: 1 },
    ],
  });
});
