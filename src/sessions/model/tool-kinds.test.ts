import { expect, test } from 'vitest';
import { redact } from '../../contract/redact.ts';
import { claudeCode } from '../providers/claude-code/index.ts';
import { codex } from '../providers/codex/index.ts';
import { gemini } from '../providers/gemini/index.ts';
import {
  absolutePath,
  actionOf,
  commandOf,
  displayArguments,
  toolsNamed,
  withoutBinary,
} from './tool-kinds.ts';

const tools = toolsNamed({
  read: ['read'],
  list: ['ls'],
  edit: ['edit'],
  patch: ['apply_patch'],
  execute: ['bash'],
  search: ['grep'],
});

test('tools have a kind, however they are capitalised', () => {
  expect(['Bash', 'Read', 'LS', 'Edit', 'apply_patch'].map(tools.kindOf)).toEqual([
    'execute',
    'read',
    'read',
    'edit',
    'edit',
  ]);
  expect(tools.kindOf('mcp__everything__echo')).toBe('mcp');
  expect(tools.kindOf('constructor')).toBe('other');
});

test.each([
  [claudeCode, { Bash: 'execute', MultiEdit: 'edit', Write: 'write', Task: 'agent', TodoWrite: 'plan' }],
  [codex, { exec_command: 'execute', apply_patch: 'edit', view_image: 'read', spawn_agent: 'agent' }],
  [gemini, { run_shell_command: 'execute', replace: 'edit', read_many_files: 'read', glob: 'search' }],
])('each agent has its own names', (provider, kinds) => {
  expect(Object.fromEntries(Object.keys(kinds).map((name) => [name, provider.tools.kindOf(name)]))).toEqual(
    kinds,
  );
});

test('a command without the shell around it', () => {
  expect(commandOf({ command: ['bash', '-lc', 'npm test'] })).toBe('npm test');
  expect(commandOf({ command: ['ls', '-la'] })).toBe('ls -la');
  expect(commandOf({ cmd: 'pwd' })).toBe('pwd');
});

test('files that a call touches', () => {
  expect(tools.touchesOf('Edit', { file_path: '/a.ts' })).toEqual([{ path: '/a.ts', action: 'edit' }]);
  expect(tools.touchesOf('Read', { paths: ['a.ts', '*.md'] })).toEqual([{ path: 'a.ts', action: 'read' }]);
  const heredoc =
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: x.js\n@@\n-1\n+2\n*** End Patch\nEOF";
  expect(tools.touchesOf('Bash', { command: ['bash', '-lc', heredoc] })).toEqual([
    { path: 'x.js', action: 'edit', lines: { added: 1, removed: 1 } },
  ]);
  expect(tools.touchesOf('ls', { path: 'src' })).toEqual([]);
  expect(tools.touchesOf('Grep', { pattern: 'x', path: 'src' })).toEqual([]);
});

test('paths become absolute', () => {
  expect(absolutePath('src/../a.ts', '/srv/app')).toBe('/srv/app/a.ts');
  expect(absolutePath('file:///srv/a%20b.ts', undefined)).toBe('/srv/a b.ts');
  expect(absolutePath('C:\\x\\y.ts', '/srv')).toBe('C:\\x\\y.ts');
});

test('the same thing done has the same short name', () => {
  const run = (command: string) =>
    actionOf({ name: 'Bash', kind: 'execute', touched: undefined, command }, { command }, '/srv', redact);
  expect(run('cd /srv && CI=1 npm test 2>&1 | tail')).toBe('npm test');
  expect(run('npm test')).toBe('npm test');
  // A chain is known by what it checks, not by what only prepares that.
  expect(run('mise run fmt && mise run lint 2>&1 | tail -20')).toBe('mise run lint');
  expect(run('git add . && npm test')).toBe('npm test');
  expect(run('git add . && git commit -m x')).toBe('git add .');
  const touched = { path: '/srv/src/a.ts', action: 'edit' } as const;
  const edit = actionOf({ name: 'Edit', kind: 'edit', touched, command: undefined }, {}, '/srv', redact);
  expect(edit).toBe('edit src/a.ts');
});

test('arguments are shown as one types them', () => {
  expect(displayArguments({ command: 'echo "hi"\nls', n: 1, list: ['a'] })).toBe(
    '{"command":"echo "hi"\nls","n":1,"list":["a"]}',
  );
});

test('pictures are named with their size, hashes stay', () => {
  const picture = `data:image/png;base64,${'A'.repeat(500)}`;
  expect(withoutBinary(`see ${picture} here`)).toBe('see [image/png, 522 characters] here');
  const hash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect(withoutBinary(hash)).toBe(hash);
});
