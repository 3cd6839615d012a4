import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mirrorsIn, visibleMirrors } from './mirror-folders.ts';
import { mirrorUrl } from './mirror-url.ts';
import { addMirror, MIRROR_LIMITS, removeMirror, updateMirror } from './update-mirror.ts';

let work = '';
let source = '';
let home = '';

const git = (...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...words], {
    cwd: source,
    stdio: 'pipe',
  });

function commit(name: string, text: string): void {
  writeFileSync(join(source, name), text);
  git('add', '.');
  git('commit', '-q', '-m', name);
}

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'mirror-'));
  source = join(work, 'source');
  home = join(work, 'home');
  execFileSync('git', ['init', '-q', source]);
  commit('add.js', 'export const add = 1;\n');
});

afterEach(() => rmSync(work, { recursive: true, force: true }));

test('a repository is mirrored, updated and removed', async () => {
  const made = await addMirror(home, mirrorUrl(source));
  expect(mirrorsIn(home)).toEqual([{ project: source, path: made.path }]);
  expect(readFileSync(join(made.path, 'add.js'), 'utf8')).toBe('export const add = 1;\n');
  commit('sub.js', 'export const sub = 1;\n');
  git('rm', '-q', 'add.js');
  git('commit', '-q', '-m', 'without add');
  writeFileSync(join(made.path, 'left.js'), '');
  await updateMirror(made);
  expect(['add.js', 'sub.js', 'left.js'].map((name) => existsSync(join(made.path, name)))).toEqual([
    ...[false, true, false],
  ]);
  await expect(addMirror(home, mirrorUrl(source))).rejects.toThrow('There is already a mirror of');
  await removeMirror(made);
  expect(mirrorsIn(home)).toEqual([]);
});

test('only mirrors of projects that a token names are visible with it', async () => {
  const { path } = await addMirror(home, mirrorUrl(source));
  expect(visibleMirrors(home, undefined)).toEqual([path]);
  expect(visibleMirrors(home, 'all')).toEqual([path]);
  expect(visibleMirrors(home, [source])).toEqual([path]);
  expect(visibleMirrors(home, ['github.com/acme/api'])).toEqual([]);
});

test('nothing of a repository is run or followed', async () => {
  const proof = join(work, 'proof');
  writeFileSync(join(source, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
  symlinkSync('/etc/passwd', join(source, 'passwd'));
  writeFileSync(join(source, '.gitattributes'), '*.js filter=evil\n');
  writeFileSync(
    join(source, '.gitmodules'),
    `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${proof}\n`,
  );
  git('add', '.');
  git('commit', '-q', '-m', 'bad things');
  const { path } = await addMirror(home, mirrorUrl(source));
  expect(existsSync(proof)).toBe(false);
  expect(existsSync(join(path, 'x/.git'))).toBe(false);
  // A link is a file with the place it would lead to.
  expect(readFileSync(join(path, 'passwd'), 'utf8')).toBe('/etc/passwd');
});

test('a repository that is too large, and an address without a repository, leave nothing behind', async () => {
  commit('large.bin', Array.from({ length: 40_000 }, (_, at) => Math.sin(at)).join());
  const small = { ...MIRROR_LIMITS, bytes: 50_000 };
  await expect(addMirror(home, mirrorUrl(source), small)).rejects.toThrow('is larger than');
  await expect(addMirror(home, mirrorUrl(join(work, 'nothing')))).rejects.toThrow('git could not read');
  expect(mirrorsIn(home)).toEqual([]);
});

test.each([
  ['https://github.com/acme/api.git', 'github.com/acme/api'],
  ['ssh://git@example.com:2222/acme/api', 'example.com/acme/api'],
  ['git@github.com:acme/api.git', 'github.com/acme/api'],
  ['file:///srv/git/api.git', '/srv/git/api'],
])('%s is the project %s', (url, project) => {
  expect(mirrorUrl(url).project).toBe(project);
});

test.each([
  '--upload-pack=touch /tmp/proof',
  '-oProxyCommand=touch',
  'ext::sh -c "touch /tmp/proof"',
  'fd::17',
  'http://example.com/api',
  'git://example.com/api',
  'ssh://-oProxyCommand=touch/api',
  'ssh://git@-oProxyCommand=touch/api',
  '-host:path',
  'git@-host:path',
  'host:-path',
  'https://example.com/../api',
  'https://example.com/a b',
  'https://example.com/$(touch)',
  'file:///srv/../etc',
  '/srv/api\n--upload-pack=x',
  'relative/path',
  '',
  `https://example.com/${'a'.repeat(3_000)}`,
])('%j is refused', (url) => {
  expect(() => mirrorUrl(url)).toThrow('A mirror is made from');
});

test('a password in an address is refused and not repeated', () => {
  const given = 'https://ann:hunter2-secret@example.com/acme/api';
  expect(() => mirrorUrl(given)).toThrow(/stores no passwords/);
  expect(() => mirrorUrl(given)).not.toThrow(/hunter2/);
});
