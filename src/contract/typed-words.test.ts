import { expect, test } from 'vitest';
import { z } from 'zod';
import { inTypedWords } from './typed-words.ts';

test('an error at the command line names what is typed', () => {
  const input = z.strictObject({ index_id: z.string(), session_id: z.string(), path: z.string() });
  const operation = { input, command: { words: 'x', positional: ['session_id'] } };
  const said = (text: string) => inTypedWords(text, operation);
  expect(said('There are several indexes (i1, i2). Choose one with index_id.')).toBe(
    'There are several indexes (i1, i2). Choose one with --index-id.',
  );
  expect(said('No session has grown. Give session_id.')).toBe('No session has grown. Give SESSION_ID.');
  expect(said("No file 'index_id' in /tmp/index_id of node_ids; path is a folder.")).toBe(
    "No file 'index_id' in /tmp/index_id of node_ids; path is a folder.",
  );
});
