import { expect, test } from 'vitest';
import { redact } from '../../contract/redact.ts';
import {
  absolutePath,
  actionOf,
  commandOf,
  displayArguments,
  toolKind,
  touchesOf,
  withoutBinary,
} from './tool-kinds.ts';

test('tools of all clients have a kind', () => {
  expect(['Bash', 'exec_command', 'run_shell_command', 'shell'].map(toolKind)).toEqual(
    Array(4).fill('execute'),
  );
  expect(['Edit', 'replace', 'apply_patch'].map(toolKind)).toEqual(Array(3).fill('edit'));
  expect(toolKind('mcp__everything__echo')).toBe('mcp');
  expect(toolKind('constructor')).toBe('other');
});

test('a command without the shell around it', () => {
  expect(commandOf({ command: ['bash', '-lc', 'npm test'] })).toBe('npm test');
  expect(commandOf({ command: ['ls', '-la'] })).toBe('ls -la');
  expect(commandOf({ cmd: 'pwd' })).toBe('pwd');
});

test('files that a call touches', () => {
  expect(touchesOf('Edit', { file_path: '/a.ts' })).toEqual([{ path: '/a.ts', action: 'edit' }]);
  expect(touchesOf('read_many_files', { paths: ['a.ts', '*.md'] })).toEqual([
    { path: 'a.ts', action: 'read' },
  ]);
  const heredoc =
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: x.js\n@@\n-1\n+2\n*** End Patch\nEOF";
  expect(touchesOf('shell', { command: ['bash', '-lc', heredoc] })).toEqual([
    { path: 'x.js', action: 'edit' },
  ]);
  expect(touchesOf('Grep', { pattern: 'x', path: 'src' })).toEqual([]);
});

test('paths become absolute', () => {
  expect(absolutePath('src/../a.ts', '/srv/app')).toBe('/srv/app/a.ts');
  expect(absolutePath('file:///srv/a%20b.ts', undefined)).toBe('/srv/a b.ts');
  expect(absolutePath('C:\\x\\y.ts', '/srv')).toBe('C:\\x\\y.ts');
});

test('the same thing done has the same short name', () => {
  const run = (command: string) => actionOf('Bash', { command }, '/srv', redact);
  expect(run('cd /srv && CI=1 npm test 2>&1 | tail')).toBe('npm test');
  expect(run('npm test')).toBe('npm test');
  expect(actionOf('Edit', { file_path: '/srv/src/a.ts' }, '/srv', redact)).toBe('edit src/a.ts');
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
