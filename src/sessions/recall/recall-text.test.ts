import { expect, test } from 'vitest';
import { recallText } from './recall-text.ts';

const NOTHING = {
  ...{ asked: [], said: [], files: [], ran: [], also_ran: [], open: [], related: [], usual: [] },
};

test('a long folder is written once, and names of programs that begin alike share the beginning', () => {
  const text = recallText({
    ...NOTHING,
    files: [
      { path: 'packages/server/src/a.ts', event_index: 4, edits: 1 },
      { path: 'packages/server/test/a.ts', event_index: 2 },
      { path: 'packages/serverless/b.ts', event_index: 3 },
      { path: 'package.json', event_index: 3 },
    ],
    related: ['packages/server/src/c.ts', 'README.md'],
    also_ran: ['git log', 'ls', 'git diff', 'npm run test', 'npm run lint'],
  });
  expect(text).toBe(`@ is packages/server
changed
 @/src/ a.ts e4
read
 @/test/ a.ts
 packages/serverless/ b.ts
 ./ package.json
mentioned, or often changed with these
 @/src/ c.ts
 README.md
ran
 also git log|diff, ls, npm run test|lint`);
});

test('folders that are written once stay as they are', () => {
  expect(recallText({ ...NOTHING, related: ['src/a.ts'] })).toBe(
    'mentioned, or often changed with these\n src/ a.ts',
  );
});

test('a name that was only mentioned is not said to be in the folder itself', () => {
  expect(recallText({ ...NOTHING, related: ['prices.ts', 'src/a.ts', 'sums.ts'] })).toBe(
    'mentioned, or often changed with these\n prices.ts, sums.ts\n src/ a.ts',
  );
});
