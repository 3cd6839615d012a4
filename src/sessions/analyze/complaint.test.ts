import { expect, test } from 'vitest';
import { complains } from './complaint.ts';

test.each([
  'it somehow always lists these under each branch',
  'This is still not working perfectly, see the log',
  'why is this one considered active?',
  'you are not correct: hooks receive the prompt field',
  'not as a comment, but as a document attached to the issue',
  'sorry, my point is that logs are not in there',
  "I don't quite like this commit, it gets rid of the output",
  'I just had an error when doing resume',
  "why can't we just use real booleans?",
  'The page doesn’t really work on a phone',
  'no, revert that',
  'you forgot the tests',
])('a complaint: %s', (prompt) => {
  expect(complains(prompt)).toBe(true);
});

test.each([
  'yeah, let us give it a try',
  'create a branch and commit',
  'can you add a table for duplicates',
  'looks good, please push',
  'we still need to document the flag',
  '/github-pr-review',
  'Implement the following plan: fix the broken parser',
  '<command-name>/wrong</command-name>',
  `Add these:\n${'x '.repeat(200)} and then it was wrong`,
  'add notes about nothing in particular',
])('no complaint: %s', (prompt) => {
  expect(complains(prompt)).toBe(false);
});
