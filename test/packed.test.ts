import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandWords } from '../src/cli/command-specs.ts';
import { temporaryFolder } from './support.ts';

// What npm would publish, unpacked beside the packages it depends on. A whole install is in test/package.
const folder = temporaryFolder();
const home = temporaryFolder();
let background: ChildProcess | undefined;

beforeAll(() => {
  // Without scripts: the files were built before the tests, and other tests are using them.
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
  const [{ filename }] = JSON.parse(packed.toString());
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(() => void background?.kill('SIGKILL'));

test('the packed program serves the page and everything the page loads', async () => {
  const main = join(folder, 'package/dist/main.js');
  const env = { PATH: process.env.PATH ?? '', HOME: home, PINHOLE_HOME: home };
  background = spawn(process.execPath, [main, 'start', '--port', '0', '--no-index'], { env, cwd: home });
  await once(background.stdout ?? background, 'data');
  const { port, token } = JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });

  const page = await get('/');
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('<title>Pinhole');
  const loaded = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(loaded.some((path) => path.endsWith('.js'))).toBe(true);
  expect(loaded.some((path) => path.endsWith('.css'))).toBe(true);
  for (const path of loaded) expect((await get(path)).status, path).toBe(200);
});

test('the manual is packed, and has every command', () => {
  const { man } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
  const page = readFileSync(join(folder, 'package', man), 'utf8');
  expect(page).toMatch(/^\.TH PINHOLE 1 /);
  for (const words of commandWords()) expect(page).toContain(`.SS pinhole ${words.replaceAll('-', '\\-')}\n`);
  // No line is taken for a command of roff that it has not.
  expect(page.split('\n').filter((line) => /^[.'](?!TH|SH|SS|TP|PP|B|I|br|nf|fi)/.test(line))).toEqual([]);
});
