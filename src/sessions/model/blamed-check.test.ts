import { expect, test } from 'vitest';
import { blamedCheck } from './blamed-check.ts';

test.each([
  [
    'the error that is named',
    '  3:5  error  x is not used  no-unused-vars',
    [{ runner: 'lint', kind: 'error' }],
    'lint',
  ],
  ['the test that is named', '--- FAIL: TestA', [{ runner: 'go test', kind: 'test' }], 'test'],
  [
    'the task that began last',
    '> app@1.0.0 test\n> vitest\n\n> app@1.0.0 lint\n> eslint .\n\noh no',
    [],
    'lint',
  ],
  ['the task that began', '> app@1.0.0 test\n> vitest\n\noh no', [], 'test'],
  ['the command that began last', '$ vitest run\n$ eslint .\noh no', [], 'lint'],
  ['what follows tests that passed', ' Tests  10 passed (10)\noh no', [], 'lint'],
  ['nothing if tests failed', ' Tests  1 failed | 9 passed (10)', [], undefined],
  ['nothing if nothing tells', 'oh no', [], undefined],
] as const)('in `test && lint`, %s is blamed', (_, output, failures, blamed) => {
  expect(blamedCheck(['test', 'lint'], output, failures)).toBe(blamed);
});

test('a single check is the one that failed', () => {
  expect(blamedCheck(['build'], 'oh no', [])).toBe('build');
});
