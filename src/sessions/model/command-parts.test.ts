import { expect, test } from 'vitest';
import { commandParts, failedCheckOf, partOutcomes } from './command-parts.ts';

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
  ['git add . && git commit -m x | tail -3', 'failed', '', undefined, ['failed', 'skipped', 'skipped']],
  ['make && ./run *.txt', 'failed', "(eval):1: parse error near `('", undefined, [undefined, undefined]],
  [
    'echo 1 > /tmp/a/env && bash run.sh | head -3',
    'failed',
    '(eval):1: no such file or directory: /tmp/a/env',
    undefined,
    ['failed', 'skipped', 'skipped'],
  ],
  [
    'git fetch && git merge main',
    'failed',
    'CONFLICT (content): Merge conflict in a.go',
    undefined,
    ['ok', 'failed'],
  ],
])('%s, which %s', (command, status, error, failedCheck, expected) => {
  expect(partOutcomes(commandParts(command), { status, error, failedCheck })).toEqual(expected);
});

test.each([
  ['npm run lint && npm test | tail', 'lint', 'npm run lint'],
  ['npx tsc --noEmit && npx vitest run | tail', 'typecheck', 'tsc'],
  ['npm run lint && npm test | tail', 'test', 'npm test'],
  ['npm run lint && npm test | tail', undefined, 'npm test'],
] as const)('the program of the check that failed in %s, if that is %s', (command, failed, program) => {
  expect(failedCheckOf(commandParts(command), failed)).toBe(program);
});

test.each([
  ['for f in *.ts; do\n  wc -l $f\ndone', ['wc -l $f']],
  ['for f in a b; do cat $f; done | sort > out', ['cat $f', 'sort > out']],
  ['if ! grep -q x f; then echo no; else { ls; }; fi', ['grep -q x f', 'echo no', 'ls']],
  ['while read -r l; do\n{\necho "$l"\n}\ndone < list.txt', ['read -r l', 'echo "$l"']],
  ['case $x in\n  a) ls ;;\nesac', ['a) ls']],
  ['run() {\n  make\n}\nrun', ['make', 'run']],
  ['( cd a && make )', ['cd a', 'make )']],
])('words of the shell are not commands: %j', (command, expected) => {
  expect(commandParts(command).map(({ text }) => text)).toEqual(expected);
});

test('what a condition runs has no outcome', () => {
  const parts = commandParts('if test -f a; then make; else make all; fi && git push');
  expect(partOutcomes(parts, { status: 'ok', error: undefined, failedCheck: undefined })).toEqual([
    undefined,
    undefined,
    undefined,
    'ok',
  ]);
});
