import { expect, test } from 'vitest';
import { withCommands } from './as-command.ts';

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
