import type { Definition, LineSpan } from '../file-symbols.ts';

const TEST_FOLDER = /(^|\/)(tests?|specs?|__tests__|e2e|testdata|__mocks__)\//i;
const TEST_NAME =
  /(^|\/)(test_[^/]*|conftest)\.py$|[._-](test|spec|tests|specs)\.[^/]+$|_test\.\w+$|(^|\/)test[^/]*\.(c|cc|cpp|zig|lua|sh)$|[a-z\d](Tests?|Spec|Suite|TestCase|IT)\.\w+$/;

/** Whether a whole file is test code, judging by its path. */
export function isTestFile(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path);
}

/** The lines of test code: all of a test file, otherwise its outermost test definitions and tests without a name. */
export function testLines(
  definitions: readonly Definition[],
  nameless: readonly LineSpan[],
  isWhole: boolean,
  lines: number,
): LineSpan[] {
  if (isWhole) return lines === 0 ? [] : [{ from: 1, to: lines }];
  const tests = definitions.filter(({ isTest }) => isTest).map(({ from, to }) => ({ from, to }));
  const spans: LineSpan[] = [];
  for (const span of [...tests, ...nameless].sort((a, b) => a.from - b.from)) {
    if (span.to > (spans.at(-1)?.to ?? 0)) spans.push(span);
  }
  return spans;
}
