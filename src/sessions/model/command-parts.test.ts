import { expect, test } from 'vitest';
import { commandParts, partOutcomes } from './command-parts.ts';

const texts = (command: string) => commandParts(command).map(({ text, joint }) => [text, joint]);

test('the commands of a command line as they were written', () => {
  expect(texts('cd a && git commit -m "x; y && z" 2>&1 | tail -3; ls || true')).toEqual([
    ['cd a', '&&'],
    ['git commit -m "x; y && z" 2>&1', '|'],
    ['tail -3', ';'],
    ['ls', '||'],
    ['true', ''],
  ]);
  expect(texts("git add .\ngit commit -F - <<'EOF'\none; two\nEOF\ngit push &> log")).toEqual([
    ['git add .', ';'],
    ["git commit -F - <<'EOF'\none; two\nEOF", ';'],
    ['git push &> log', ''],
  ]);
  expect(texts('git commit -m "$(cat <<\'EOF\'\na; b\nEOF\n)"')).toHaveLength(1);
});

test.each([
  ['a && b | c', 'ok', undefined, undefined, ['ok', undefined, 'ok']],
  ['a; b', 'ok', undefined, undefined, [undefined, 'ok']],
  ['cd x && make', 'failed', 'make: *** No rule', undefined, ['ok', 'failed']],
  [
    'cd x && make all && ls',
    'failed',
    'cd: no such file or directory: x',
    undefined,
    ['failed', 'skipped', 'skipped'],
  ],
  [
    'git add . && git commit -m x',
    'failed',
    'fatal: not a git repository',
    undefined,
    [undefined, undefined],
  ],
  ['npm ci && git push', 'failed', 'fatal: no upstream', undefined, ['ok', 'failed']],
  [
    'go build ./... && go test ./... | tail -3; git status',
    'ok',
    undefined,
    'go test',
    [undefined, 'failed', undefined, 'ok'],
  ],
  ['rg x | head; false', 'failed', '', undefined, [undefined, undefined, 'failed']],
  ['a || b', 'ok', undefined, undefined, [undefined, undefined]],
  ['ls', 'failed', '', undefined, ['failed']],
  ['ls', 'rejected', '', undefined, [undefined]],
])('%s, which %s', (command, status, error, failedCheck, expected) => {
  expect(partOutcomes(commandParts(command), { status, error, failedCheck })).toEqual(expected);
});
