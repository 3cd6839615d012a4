import { expect, test } from 'vitest';
import { checkError } from './check-errors.ts';

const found = (output: string) => checkError(output, (text) => text);
const of = (output: string) => {
  const known = found(output);
  return known && { error: known.error, kind: known.kind };
};
const failures = (output: string) =>
  found(output)?.failures.map(({ runner, kind, name, path, line, message }) => [
    ...[runner, kind, name, path, line, message],
  ]);

test('Go: every failed test, subtests instead of their parents, then packages', () => {
  const output = [
    'Exit code 1',
    '[test] $ go test ./...',
    'Error: context deadline exceeded',
    '--- FAIL: TestReset (0.01s)',
    '    reset_test.go:229: Error: not a git repository',
    '--- FAIL: TestEnable (0.00s)',
    '    --- FAIL: TestEnable/auto-commit (0.11s)',
    '    --- FAIL: TestEnable/manual (0.11s)',
    '--- FAIL: TestReset (0.01s)',
    'FAIL',
    'FAIL\texample.org/cli/cmd\t2.952s',
    'ok  \texample.org/cli/log\t0.1s',
    'FAIL',
    '[test] ERROR task failed',
  ].join('\n');
  expect(of(output)).toEqual({
    error: 'TestReset; TestEnable/auto-commit; TestEnable/manual; example.org/cli/cmd',
    kind: 'go test: FAIL',
  });
});

test('Go: what does not compile', () => {
  const output =
    '# example.org/cli [example.org/cli.test]\n./a_test.go:275:9: undefined: runClean\nFAIL\texample.org/cli [build failed]\nFAIL';
  expect(of(output)).toEqual({
    error: './a_test.go:275:9: undefined: runClean; example.org/cli [build failed]',
    kind: 'go: undefined',
  });
  expect(of('a.go:7:2: "io" imported and not used')?.kind).toBe('go: imported and not used');
  expect(of('a.go:3:1: not enough arguments in call to store.New')?.kind).toBe(
    of('b.go:9:12: not enough arguments in call to clean.All')?.kind,
  );
  expect(of('FAIL\tp [build failed]')).toEqual({ error: 'p [build failed]', kind: 'go test: build failed' });
});

test('a linter is named by its rule', () => {
  const output =
    '[lint] ERROR task failed\n\ncmd/a.go:186:2: Error return value is not checked (errcheck)\n\t_ = Clean()\n\t^\ncmd/b.go:3:4: error is not nil (line 2) but it returns nil (nilerr)\n2 issues:\n* errcheck: 1';
  expect(of(output)).toEqual({
    error:
      'cmd/a.go:186:2: Error return value is not checked (errcheck); cmd/b.go:3:4: error is not nil (line 2) but it returns nil (nilerr)',
    kind: 'lint: errcheck',
  });
  expect(of("/srv/a.ts\n  3:14  error  'x' is never used  no-unused-vars")).toEqual({
    error: "3:14 error 'x' is never used no-unused-vars",
    kind: 'lint: no-unused-vars',
  });
  expect(of('a.py:3: error: Incompatible types  [assignment]')?.kind).toBe('mypy: assignment');
  expect(of('2026/01/22 12:09:47 INFO started (fast)')).toBeUndefined();
  expect(of('a.py:1:8: F401 [*] `os` imported but unused')?.kind).toBe('lint: F401');
});

test.each([
  [
    'pytest',
    'E   assert 1 == 2\nFAILED tests/test_a.py::test_one[3] - assert 1 == 2\nFAILED tests/test_b.py::test_two\nERROR tests/test_c.py - ImportError: x\n2 failed, 1 error in 0.2s',
    'tests/test_a.py::test_one[3]; tests/test_b.py::test_two; tests/test_c.py',
    'pytest: FAILED',
  ],
  [
    'vitest',
    ' ❯ src/a.test.ts (2 tests | 1 failed)\n   × adds 3ms\n FAIL  src/a.test.ts > sums > adds\nAssertionError: expected 1 to be 2\n Tests  1 failed | 1 passed (2)',
    'src/a.test.ts > sums > adds',
    'vitest: FAIL',
  ],
  [
    'jest',
    'FAIL src/a.test.js\n  ✕ adds (3 ms)\n  ● sums › adds\n\n    expect(received)\n\nTests: 1 failed, 1 total',
    'src/a.test.js; sums › adds',
    'jest: FAIL',
  ],
  ['marks', ' ✓ one\n ✗ two 4ms\n × three (2 ms)', 'two; three', 'tests: FAIL'],
  ['TAP', 'ok 1 - a\nnot ok 2 - b c\n# fail 1', 'b c', 'tests: FAIL'],
  [
    'cargo',
    'test a::one ... ok\ntest a::two ... FAILED\n\nfailures:\n    a::two\n\ntest result: FAILED. 1 passed; 1 failed',
    'a::two',
    'cargo test: FAILED',
  ],
  [
    'rustc',
    'error[E0425]: cannot find value `x` in this scope\n --> src/a.rs:1:2\nerror: could not compile `a` (lib) due to 1 previous error',
    'error[E0425]: cannot find value `x` in this scope',
    'rustc: E0425',
  ],
  [
    'tsc',
    'src/a.ts(3,14): error TS2304: Cannot find name "x".\nsrc/b.ts:1:2 - error TS2322: No.\nFound 2 errors.',
    'src/a.ts(3,14): error TS2304: Cannot find name "x".; src/b.ts:1:2 - error TS2322: No.',
    'tsc: TS2304',
  ],
])('%s', (_, output, error, kind) => {
  expect(of(output)).toEqual({ error, kind });
});

test('at most 300 characters, of whole names', () => {
  const many = Array.from({ length: 40 }, (_, n) => `--- FAIL: TestNumber${n} (0.1s)`).join('\n');
  const error = of(many)?.error ?? '';
  expect(error.length).toBeLessThanOrEqual(300);
  expect(error).toMatch(/^TestNumber0; .*; TestNumber\d+; … \+\d+$/);
});

test('nothing that names a failed check', () => {
  expect(of('Tests  1 failed | 3 passed')).toBeUndefined();
  expect(of("(eval):1: parse error near `time'")).toBeUndefined();
});

test('a row for each failed test and package, with its place and message', () => {
  const output = [
    '--- FAIL: TestReset (0.01s)',
    '    reset_test.go:229: not a git repository',
    '--- FAIL: TestEnable (0.00s)',
    '    --- FAIL: TestEnable/manual (0.11s)',
    '        enable_test.go:31: ',
    '            \tError Trace:\t/srv/enable_test.go:31',
    '            \tError:      \tNot equal: 1 2',
    '=== RUN   TestLoud',
    '    loud_test.go:7: too loud',
    '--- FAIL: TestLoud (0.00s)',
    '--- PASS: TestFine (0.00s)',
    'FAIL\texample.org/cli/cmd\t2.952s',
    'FAIL    example.org/cli/x  0.1s',
    'FAIL\texample.org/cli/b [build failed]',
    './a_test.go:275:9: undefined: runClean',
  ].join('\n');
  expect(failures(output)).toEqual([
    ['go test', 'test', 'TestReset', 'reset_test.go', 229, 'not a git repository'],
    ['go test', 'test', 'TestEnable/manual', 'enable_test.go', 31, 'Not equal: 1 2'],
    ['go test', 'test', 'TestLoud', 'loud_test.go', 7, 'too loud'],
    ['go', 'error', 'undefined', './a_test.go', 275, 'undefined: runClean'],
    ['go test', 'package', 'example.org/cli/cmd', undefined, undefined, undefined],
    ['go test', 'package', 'example.org/cli/x', undefined, undefined, undefined],
    ['go test', 'package', 'example.org/cli/b', undefined, undefined, '[build failed]'],
  ]);
});

test.each([
  [
    '____ test_one[3] ____\n    assert x == 2\nE   assert 1 == 2\n\ntests/test_a.py:12: AssertionError\n==== short test summary info ====\nFAILED tests/test_a.py::test_one[3] - assert 1 == 2',
    ['pytest', 'test', 'tests/test_a.py::test_one[3]', 'tests/test_a.py', 12, 'assert 1 == 2'],
  ],
  [
    "test a::two ... FAILED\n\n---- a::two stdout ----\nthread 'a::two' panicked at src/a.rs:10:5:\nleft is not right\n",
    ['cargo test', 'test', 'a::two', 'src/a.rs', 10, 'left is not right'],
  ],
  [
    ' FAIL  src/a.test.ts > sums > adds\nAssertionError: expected 1 to be 2\n ❯ src/a.test.ts:12:20\n',
    [
      'vitest',
      'test',
      'src/a.test.ts > sums > adds',
      'src/a.test.ts',
      12,
      'AssertionError: expected 1 to be 2',
    ],
  ],
  [
    '  ● sums › adds\n\n    expect(received)\n\n      at Object.<anonymous> (src/a.test.js:12:3)',
    ['jest', 'test', 'sums › adds', 'src/a.test.js', 12, 'expect(received)'],
  ],
  [
    'src/a.ts(3,14): error TS2304: Cannot find name.',
    ['tsc', 'error', 'TS2304', 'src/a.ts', 3, 'error TS2304: Cannot find name.'],
  ],
  [
    'error[E0425]: cannot find value\n --> src/a.rs:1:2',
    ['rustc', 'error', 'E0425', 'src/a.rs', 1, 'error[E0425]: cannot find value'],
  ],
  [
    "/srv/a.ts\n  3:14  error  'x' is never used  no-unused-vars",
    ['lint', 'error', 'no-unused-vars', '/srv/a.ts', 3, "'x' is never used no-unused-vars"],
  ],
  ['FAIL: test_x (m.Case)', ['unittest', 'test', 'test_x (m.Case)', undefined, undefined, undefined]],
])('what failed: %j', (output, expected) => {
  expect(failures(output)).toEqual([expected]);
});
