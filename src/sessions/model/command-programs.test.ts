import { expect, test } from 'vitest';
import { programOf } from './command-programs.ts';

test.each([
  ['go test ./... 2>&1 | tail -3', 'go test'],
  ['cd /srv/app && go test ./...', 'go test'],
  ['cd "/srv/my app"; FOO=1 BAR="a b" sudo time mise run test:ci', 'mise run test:ci'],
  ["# look at the comments, don't answer\ngh api repos/a/b/pulls/1/comments", 'gh api'],
  ['gh pr view 12 --json title', 'gh pr view'],
  ['npm run build', 'npm run build'],
  ['npm --prefix web run build -- --watch', 'npm run build'],
  ['npm test', 'npm test'],
  ['git -C /srv/app commit -m "go test"', 'git commit'],
  ['git --no-pager log -3', 'git log'],
  ["git commit -m \"$(cat <<'EOF'\nfix: don't\nEOF\n)\"", 'git commit'],
  ['python3 scripts/a.py run', 'python3'],
  ["python3 - <<'EOF'\nprint(1)\nEOF", 'python3'],
  ['python3 -m pytest -q', 'pytest'],
  ['\\ls -la', 'ls'],
  ['/usr/bin/grep -rn test src', 'grep'],
  ['HEAD=$(git rev-parse HEAD) && echo $HEAD', 'echo'],
  ['(cd web && npx vitest run)', 'vitest'],
  ['for f in *.go; do gofmt -l $f; done', 'gofmt'],
  ['if ! make test; then echo no; fi', 'make test'],
  ["bash -lc 'cd x && cargo build --release'", 'cargo build'],
  ['docker compose up -d', 'docker compose up'],
  ['timeout 60 go vet ./...', 'go vet'],
  ['export A=1\ngo build ./...', 'go build'],
  ['git add -A && git commit -m x', 'git add'],
  ['gofmt -w . && mise run lint', 'mise run lint'],
  ['git', 'git'],
  ['cd /srv/app', 'cd'],
  ['A=1', undefined],
  ['# only words', undefined],
  ['', undefined],
])('%s', (command, program) => {
  expect(programOf(command)).toBe(program);
});
