import { expect, test } from 'vitest';
import { typedInput } from './typed-input.ts';

test('an input is named as it is typed', () => {
  const properties = { index_id: {}, session_id: {}, path: {}, format: {} };
  const command = { words: 'x', positional: ['session_id'] };
  const aliases = { look: 'format', sort: 'path' };
  const word = typedInput({ properties, command, aliases }, ['x', '--look=md', '--path', 'y']);
  expect(['index_id', 'session_id', 'path', 'format', 'node_id'].map(word)).toEqual([
    ...['--index-id', 'SESSION_ID', '--path'],
    ...['--look', 'node_id'],
  ]);
});
