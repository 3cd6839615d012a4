import { expect, test } from 'vitest';
import { outcomeOfText } from './codex-outcome.ts';

test.each([
  ['{"output":"ok","metadata":{"exit_code":0,"duration_seconds":0.1}}', 'ok', 0],
  ['{"output":"no","metadata":{"exit_code":127,"duration_seconds":0.1}}', 'failed', 127],
  ['Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno such file', 'failed', 2],
  ['Chunk ID: 3a31c8\nWall time: 0.0 seconds\nProcess exited with code 1\nOutput:\n', 'failed', 1],
  ['Chunk ID: 3a31c8\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\nExit code: 9', 'ok', 0],
  ['Output: boom\nExit Code: 1\nProcess Group PGID: 12', 'failed', 1],
  ['Wall time: 0.01 seconds\nOutput:\n{"a":1}', 'ok', undefined],
  ['Wall time: 0.01 seconds\nOutput:\nExit code: 3 is what the page says', 'ok', undefined],
  ['unsupported call: no_such_tool', 'failed', undefined],
  ['unsupported custom tool call: apply_patch', 'failed', undefined],
  ['aborted by user after 3.2s', 'cancelled', undefined],
  ['Chunk ID: 1\nWall time: 10 s\nProcess running with session ID 4\nOutput:\n', 'pending', undefined],
  ['all fine', 'ok', undefined],
] as const)('%s', (output, status, exitCode) => {
  expect(outcomeOfText(output)).toEqual(exitCode === undefined ? { status } : { status, exitCode });
});
