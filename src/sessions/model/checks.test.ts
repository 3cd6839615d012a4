import { expect, test } from 'vitest';
import { isSilent, verdictOf } from './check-results.ts';
import { checkOf } from './checks.ts';

test.each([
  ['npm test', 'test'],
  ['npm run test:unit -- --watch=false', 'test'],
  ['pnpm vitest run src', 'test'],
  ['yarn jest', 'test'],
  ['npx -y vitest run a.test.ts', 'test'],
  ['cd web && CI=1 npx tsc --noEmit', 'typecheck'],
  ['timeout 300 go test ./... -run TestX', 'test'],
  ['go build ./...', 'build'],
  ['go vet ./...', 'lint'],
  ['cargo clippy --all', 'lint'],
  ['cargo build --release', 'build'],
  ['python3 -m pytest -q', 'test'],
  ['uv run mypy src', 'typecheck'],
  ['ruff check .', 'lint'],
  ['biome check --write src', 'lint'],
  ['make', 'build'],
  ['make -j4 check', 'test'],
  ['mvn -q verify', 'test'],
  ['./gradlew :app:assembleDebug', 'build'],
  ['dotnet test Api.Tests', 'test'],
  ['bundle exec rspec', 'test'],
  ['mise run test:integration', 'test'],
  ['mise run lint && mise run test', 'test'],
  ['just build', 'build'],
  ['bash scripts/run-tests.sh', 'test'],
  ['bash -lc "npm run typecheck"', 'typecheck'],
  ['node --test', 'test'],
])('%s is a %s', (command, check) => {
  expect(checkOf(command)?.check).toBe(check);
});

test.each([
  ['git commit -m "fix: npm test; go build"'],
  ['grep -rn vitest package.json'],
  ['npm install'],
  ['npm ci'],
  ['go run ./cmd/server'],
  ['which pytest'],
  ['vitest --version'],
  ['test -f package.json'],
  ['cat test/build.ts'],
  ["cat > run.sh <<'EOF'\nnpm test\nEOF"],
  ['ls build'],
])('%s is no check', (command) => {
  expect(checkOf(command)).toBeUndefined();
});

test.each([
  ['go test ./...', false],
  ['go test ./... 2>&1 | tail -20', true],
  ['set -o pipefail; go test ./... | tail', false],
  ['go test ./... && git log | head', false],
  ['npm test; echo $?', true],
  ['npm test || true', true],
  ['npm test 2>&1; echo done', true],
  ['npm test > out.txt 2>&1', false],
  ['mise run fmt && mise run lint 2>&1 | tail -5', true],
  ['go test ./... && golangci-lint run | tail', true],
  ['mise run lint && mise run test | grep FAIL', true],
])('%s hides its exit code: %s', (command, hidden) => {
  expect(checkOf(command)?.exitHidden).toBe(hidden);
});

test.each([
  ['go test ./... 2>&1 | tail -20', true],
  ['cd app && go test ./... | grep FAIL', true],
  ['go vet ./... && go test ./... | grep FAIL', true],
  // The exit code of `tail` says nothing, so it is that of the check in front of `&&`.
  ['mise run lint && mise run test 2>&1 | tail -20', false],
  ['go test ./... && golangci-lint run | head', false],
])('the exit code of %s is that of another command: %s', (command, piped) => {
  expect(checkOf(command)?.piped).toBe(piped);
});

test.each([
  ['--- FAIL: TestX (0.00s)\nFAIL'],
  ['ok  \ta\t0.1s\nFAIL\tb\t0.2s'],
  ['FAIL\tb [build failed]'],
  ['[test:integration] ERROR task failed'],
  [' Tests  1 failed | 4 passed (5)'],
  ['==== 2 failed, 3 passed in 0.1s ===='],
  ["src/a.ts(3,1): error TS2304: Cannot find name 'x'."],
  ['npm ERR! Test failed.'],
  ['FAILED (failures=1)'],
  ['test result: FAILED. 1 passed; 1 failed; 0 ignored'],
  ['\u001b[31m✖ 3 problems (3 errors, 0 warnings)\u001b[0m'],
  ['cmd/a.go:3:5: undefined: y'],
  ['3 examples, 1 failure'],
  ['# fail 2'],
])('%j says that a check failed', (output) => {
  expect(verdictOf(output)).toBe('failed');
});

test.each([
  ['0 failed'],
  ['Tests  10 passed (10)\nfailed_branches=0'],
  ['# pass 4\n# fail 0'],
  ['test result: ok. 12 passed; 0 failed; 0 ignored'],
  ['Found 0 errors.'],
  ['ok  \tpkg/failover\t0.10s'],
  ['=== RUN   TestFails\n--- PASS: TestFails (0.00s)\nPASS'],
  ['✖ 2 problems (0 errors, 2 warnings)'.replace('2 problems', 'some')],
  ['3 examples, 0 failures'],
  ['0 issues.'],
])('%j does not', (output) => {
  expect(verdictOf(output)).not.toBe('failed');
});

test.each([
  ['ok  \tpkg\t0.10s'],
  [' Tests  10 passed (10)'],
  ['==== 3 passed in 0.1s ===='],
  ['test result: ok. 12 passed; 0 failed; 0 ignored'],
  ['# pass 4\n# fail 0'],
  ['3 examples, 0 failures'],
  ['OK (12 tests, 40 assertions)'],
  ['All checks passed!'],
  ['Success: no issues found in 4 source files'],
  ['Checked 12 files in 30ms. No fixes applied.'],
  ['BUILD SUCCESSFUL in 3s'],
  ['✓ built in 2.31s'],
  ['    Finished `dev` profile [unoptimized] target(s) in 0.5s'],
])('%j says that a check passed', (output) => {
  expect(verdictOf(output)).toBe('passed');
});

test.each([['   Duration  3.2s'], ['0'], ['12'], ['> app@1.0.0 test\n> vitest run'], ['']])(
  '%j says neither',
  (output) => {
    expect(verdictOf(output)).toBeUndefined();
  },
);

test('a runner that only names its task is silent', () => {
  expect(isSilent('\n> app@1.0.0 lint\n> eslint .\n\n')).toBe(true);
  expect(isSilent('> app@1.0.0 lint\nwarning: slow')).toBe(false);
});

test.each([
  ['npm test 2>&1 | tail -3', 'cut'],
  ['npx tsc | tee log | head -5; ls', 'cut'],
  ['npx tsc | grep error | head -5', 'hidden'],
  ['npm test > out.txt 2>&1; echo done', 'hidden'],
  ['npm test &> out.txt; echo done', 'hidden'],
  ['npm test 2>/dev/null; echo done', undefined],
  ['npm test 2>&1; echo "a > b"', undefined],
])('what %s prints is %s', (command, filtered) => {
  expect(checkOf(command)?.filtered).toBe(filtered);
});
