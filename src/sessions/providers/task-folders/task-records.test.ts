import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support.ts';
import { taskRecords } from './task-records.ts';

const read = (messages: readonly unknown[]) =>
  taskRecords(messages, join(temporaryFolder(), '1769000000000', 'api_conversation_history.json')).slice(1);

test('results that are texts belong to the call with their name', () => {
  const [answer, results] = read([
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'list_files', input: { path: '.' } },
        { type: 'tool_use', id: 'b', name: 'execute_command', input: { command: 'npm test' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: "[execute_command for 'npm test'] Result:\nCommand failed with exit code 1" },
        { type: 'text', text: "[list_files for '.'] Result:" },
        { type: 'text', text: 'a.ts' },
        { type: 'text', text: '<environment_details>\nnothing new\n</environment_details>' },
      ],
    },
  ]);
  expect(answer).toMatchObject({ type: 'assistant', blocks: [{ id: 'a' }, { id: 'b' }] });
  expect(results).toEqual({
    type: 'results',
    at: undefined,
    results: [
      { id: 'b', output: 'Command failed with exit code 1', failed: true },
      { id: 'a', output: 'a.ts', failed: false },
    ],
  });
});

test('calls that are tags in the text, with what was said and thought before them', () => {
  const [answer, results] = read([
    {
      role: 'assistant',
      content:
        '<thinking>\nLook first.\n</thinking>\nI will read it.\n<read_file>\n<path>a.ts</path>\n</read_file>',
    },
    { role: 'user', content: "[read_file for 'a.ts'] Result:\nThe user denied this operation." },
  ]);
  expect(answer).toMatchObject({
    blocks: [
      { type: 'thinking', text: 'Look first.' },
      { type: 'text', text: 'I will read it.' },
      { type: 'call', id: '1769000000000:0:2', name: 'read_file', args: { path: 'a.ts' } },
    ],
  });
  expect(results).toMatchObject({ results: [{ id: '1769000000000:0:2', failed: true }] });
});

test('a diff of several blocks, with line numbers or without', () => {
  const diff = [
    ...['<<<<<<< SEARCH', ':start_line:3', '-------', 'one', '=======', 'two', '>>>>>>> REPLACE'],
    ...['------- SEARCH', 'three', '=======', 'four', '+++++++ REPLACE'],
  ].join('\n');
  const input = { path: 'a.ts', diff };
  expect(
    read([{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'apply_diff', input }] }]),
  ).toMatchObject([
    {
      blocks: [
        {
          args: {
            edits: [
              { old_string: 'one', new_string: 'two' },
              { old_string: 'three', new_string: 'four' },
            ],
          },
        },
      ],
    },
  ]);
});

test('the model is in the surroundings that Roo Code and Kilo Code send, until they name another one', () => {
  const details = (model: string) =>
    `<environment_details>\n# Current Mode\n<model>${model}</model>\n</environment_details>`;
  const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] });
  const records = read([
    said('user', `<task>\nUse <model>none</model>\n</task>\n${details('one-1')}`),
    said('assistant', 'First.'),
    said('user', '<feedback>\nGo on\n</feedback>'),
    said('assistant', 'Second.'),
    said('user', details('two-2')),
    said('assistant', 'Third.'),
  ]).filter(({ type }) => type === 'assistant');
  expect(records).toMatchObject([{ model: 'one-1' }, { model: 'one-1' }, { model: 'two-2' }]);
});
