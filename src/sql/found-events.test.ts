import { expect, test } from 'vitest';
import { queryOf } from './found-events.ts';

test.each([
  ['two words', { text: 'two words', regex: false }],
  ['"two words"', { text: 'two words', regex: false }],
  ['/a|b/', { text: 'a|b', regex: true }],
  ['redact OR "a secret" OR key.pem', { text: 'redact|a secret|key\\.pem', regex: true }],
  ['"this OR that" OR other', { text: 'this OR that|other', regex: true }],
  ['FOR ORDER or ORB', { text: 'FOR ORDER or ORB', regex: false }],
  [' OR ', { text: ' OR ', regex: false }],
  ['an "odd quote', { text: 'an "odd quote', regex: false }],
])('find %j', (find, query) => {
  expect(queryOf(find)).toEqual(query);
});
