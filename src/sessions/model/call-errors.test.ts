import { expect, test } from 'vitest';
import { errorClass, errorLine } from './call-errors.ts';

const line = (output: string) => errorLine(output, (text) => text);

test('the line that says why', () => {
  expect(line('Exit code 1\n\n=== RUN   TestA\n--- FAIL: TestA (0.01s)\n    a_test.go:3: no')).toBe(
    '--- FAIL: TestA (0.01s)',
  );
  expect(line('<tool_use_error>File has not been read yet. Read it first.</tool_use_error>')).toBe(
    'File has not been read yet. Read it first.',
  );
  expect(line('Chunk ID: 1\nWall time: 2\nProcess exited with code 2\nOutput:\nls: cannot access x')).toBe(
    'ls: cannot access x',
  );
  expect(line('Exit code 1')).toBe('');
  expect(line('Exit code 1\n\u001b[31mnothing to do\u001b[0m')).toBe('nothing to do');
  expect(line(`no: ${'x'.repeat(1000)}`)).toHaveLength(300);
});

test('the same error in two sessions has one class', () => {
  const pairs = [
    [
      "ENOENT: no such file or directory, open '/home/a/x.ts'",
      "ENOENT: no such file or directory, open '/srv/y.ts'",
    ],
    [
      'src/a.ts(3,14): error TS2304: Cannot find name "x".',
      'src/lib/b.ts(33,1): error TS2304: Cannot find name "yy".',
    ],
    [
      'File content (26,482 tokens) exceeds maximum (25,000)',
      'File content (31,002 tokens) exceeds maximum (25,000)',
    ],
    ['--- FAIL: TestA (0.01s)', '--- FAIL: TestA (12.5s)'],
    ['fatal: bad object 3f2a9c81b2', 'fatal: bad object 9c81b20f1e'],
    ['cmd/x/a.go:3:5: undefined', './b.go:13:15: undefined'],
    ['timed out after 2026-01-02 10:11:12', 'timed out after 2026-03-04 11:12:13'],
  ] as const;
  for (const [one, other] of pairs) expect(errorClass(one)).toBe(errorClass(other));
  expect(errorClass('--- FAIL: TestA (1s)')).not.toBe(errorClass('--- FAIL: TestB (1s)'));
  expect(errorClass('error TS2304: x')).not.toBe(errorClass('error TS2305: x'));
});

test('a line on what passed is not why it failed', () => {
  expect(line('--- PASS: TestErrorText (0.00s)\nok  \texample.org/errors\t0.1s\nPASS')).toBe('');
  expect(line('ok  \texample.org/a\t0.1s\nexit status 2')).toBe('exit status 2');
});

test('a tool other than a command says first why it failed', () => {
  const output =
    'String to replace not found in file.\nString: return fmt.Errorf("failed to set up: %w", err)';
  expect(errorLine(output, (text) => text, true)).toBe('String to replace not found in file.');
});
