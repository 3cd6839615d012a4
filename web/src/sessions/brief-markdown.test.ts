import { expect, test } from 'vitest';
import { briefMarkdown } from './brief-markdown.ts';

test('a brief names what is open, what was done, and where', () => {
  const text = briefMarkdown('5e55a001', 'load tiles once', {
    asked: [{ event_index: 3, text: 'and add a test' }],
    said: [],
    files: [
      { path: 'src/tile.ts', event_index: 7, edits: 2 },
      { path: 'src/map.ts', event_index: 5 },
    ],
    ran: [{ event_index: 9, command: 'npm test', status: 'failed', exit_code: 1 }],
    also_ran: [],
    open: [{ event_index: 9, text: 'npm test fails' }],
    related: [],
  });
  expect(text).toBe(`# Session 5e55a001

## Task
load tiles once

## Left open
- npm test fails (e9)

## Asked
- and add a test (e3)

## Files
- src/tile.ts: edited 2x (e7)
- src/map.ts: read (e5)

## Last runs
- \`npm test\`: failed (e9)`);
});
