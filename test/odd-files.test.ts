import { execFile, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, test } from 'vitest';
import { connectClient, MAIN, onlyText, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

/* A pipe waits for a writer and a device has no end: neither may hold up the process that all clients share. */

const home = processHome();
const PATIENCE_MS = 60_000;

function pinhole(cwd: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [MAIN, ...args],
      { cwd, env: home.env, timeout: PATIENCE_MS },
      (_error, out, err) => resolve(out + err),
    );
  });
}

const odd: Record<string, (path: string) => void> = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
  'a link to a rule that hides all': (path) => {
    writeFileSync(`${path}.target`, '*\n');
    symlinkSync(`${path}.target`, path);
  },
  'a file of 2 MB': (path) => writeFileSync(path, '*.txt\n'.repeat(350_000)),
};

const places = ['.gitignore', 'src/.gitignore', '.ignore', '.pinholeignore', '../.gitignore'];
const gitPlaces = ['.git/info/exclude', '.git'];

test.each([
  ...Object.keys(odd).flatMap((kind) => places.map((place) => [kind, place] as const)),
  ...['a pipe', 'a link to /dev/zero'].flatMap((kind) => gitPlaces.map((place) => [kind, place] as const)),
])('%s as %s is taken for missing', async (kind, place) => {
  const root = join(realpathSync(temporaryFolder()), 'project');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src/a.txt'), 'a needle\n');
  if (place !== '.git') mkdirSync(join(root, '.git/info'), { recursive: true });
  odd[kind]?.(join(root, place));
  expect(await pinhole(root, 'code', 'search', 'needle')).toContain('a needle');
  // Too short for the index: ripgrep searches.
  expect(await pinhole(root, 'code', 'search', 'e', '--output', 'files')).toContain('src/a.txt');
  rmSync(dirname(root), { recursive: true });
});

it('a file that is swapped for a pipe holds up no search', async () => {
  const root = realpathSync(temporaryFolder());
  const aside = realpathSync(temporaryFolder());
  for (let number = 0; number < 20; number++) writeFileSync(join(root, `f${number}.txt`), 'a marker\n');
  execFileSync('mkfifo', [join(aside, 'pipe')]);
  const client = await connectClient(home, { cwd: root });
  const attacker = fork(
    fileURLToPath(new URL('fixtures/swapper.mjs', import.meta.url)),
    [join(root, 'f7.txt'), join(aside, 'pipe')],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  if (attacker.stdout !== null) await once(attacker.stdout, 'data');
  try {
    for (let time = 0; time < 300; time++) {
      const found = await client.callTool(
        { name: 'regex_search', arguments: { pattern: 'marker', output: time % 2 === 0 ? 'count' : 'hits' } },
        { timeout: PATIENCE_MS },
      );
      expect(onlyText(found)).toMatch(/f0\.txt|^(19|20) matches/m);
    }
  } finally {
    attacker.kill();
    await client.close();
  }
});
