import { expect, test } from 'vitest';
import { inTypedWords } from './typed-words.ts';

test('an error at the command line names what is typed', () => {
  const properties = { index_id: {}, session_id: {}, path: {}, format: {} };
  const operation = { properties, command: { words: 'x', positional: ['session_id'] } };
  const said = (text: string) => inTypedWords(text, operation);
  expect(said('There are several indexes (i1, i2). Choose one with index_id.')).toBe(
    'There are several indexes (i1, i2). Choose one with --index-id.',
  );
  expect(said('No session has grown. Give session_id.')).toBe('No session has grown. Give SESSION_ID.');
  expect(said("No file 'index_id' in /tmp/index_id of node_ids; path is a folder.")).toBe(
    "No file 'index_id' in /tmp/index_id of node_ids; path is a folder.",
  );
  expect(said('format must be one of html, markdown. path is required: a string. The format is odd.')).toBe(
    '--format must be one of html, markdown. --path is required: a string. The format is odd.',
  );
  const renamed = { ...operation, aliases: { look: 'format', sort: 'path' } };
  const given = ['x', '--look=md', '--path', 'y'];
  expect(inTypedWords('format must be one of html. path must be a string.', renamed, given)).toBe(
    '--look must be one of html. --path must be a string.',
  );
});
