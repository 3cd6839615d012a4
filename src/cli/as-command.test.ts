import { expect, test } from 'vitest';
import { messageWithCommands, withCommands } from './as-command.ts';

test.each([
  ['... next: list_sessions cursor=k2m9', '... next: pinhole sessions list --cursor k2m9'],
  [
    '... 10 of 41; next: list_sessions cursor=k2m9',
    '... 10 of 41; next: pinhole sessions list --cursor k2m9',
  ],
  ['-> get_session_summary session_id=fb3cff44', '-> pinhole sessions show fb3cff44'],
  ['-> get_turn_steps session_id=fb3cff44 turn_index=2', '-> pinhole sessions steps fb3cff44 2'],
  ['-> no_such_operation id=1', '-> no_such_operation id=1'],
])('%s', (line, command) => {
  expect(withCommands(`a row\n${line}\nhttp://127.0.0.1:4747/sessions`)).toBe(
    `a row\n${command}\nhttp://127.0.0.1:4747/sessions`,
  );
});

test('rows that look like a hint stay as they are', () => {
  const rows = ['-> list_sessions limit=1', 'b', 'c', 'd', 'e'].join('\n');
  expect(withCommands(rows)).toBe(rows);
});

test.each([
  [
    "No session 'list_sessions'; list_sessions shows the recent ones.",
    "No session 'list_sessions'; pinhole sessions list shows the recent ones.",
  ],
  [
    'This cursor has expired. Call get_session_full again without it.',
    'This cursor has expired. Call pinhole sessions full again without it.',
  ],
  ["There is no index 'i9'; index root=… makes one.", "There is no index 'i9'; pinhole index … makes one."],
  [
    "No index covers '/a b'; index root='/a b' makes one.",
    "No index covers '/a b'; pinhole index '/a b' makes one.",
  ],
  [
    'Index i2 is still being made; job_progress job_id=j5 tells when it is ready.',
    'Index i2 is still being made; pinhole job j5 tells when it is ready.',
  ],
  ['turn_index is required: a number.', 'turn_index is required: a number.'],
])('%s', (message, told) => {
  expect(messageWithCommands(message)).toBe(told);
});
