import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { readBackgroundRecord, writeBackgroundRecord } from '../src/connect/background-record.ts';
import { findBackground } from '../src/connect/find-background.ts';
import { findOrStartBackground } from '../src/connect/find-or-start.ts';
import { isAlive } from '../src/connect/process-id.ts';
import { stopBackground } from '../src/connect/stop-background.ts';
import { startBackground } from '../src/daemon/background.ts';
import { scriptHeaders } from './sign-in.ts';
import { temporaryFolder } from './support.ts';

const main = resolve('dist/main.js');
const homes: string[] = [];
const children: ChildProcess[] = [];
const newHome = () => {
  const home = temporaryFolder();
  homes.push(home);
  return home;
};
afterAll(async () => {
  for (const home of homes) await stopBackground(home);
  for (const child of children) child.kill('SIGKILL');
});

function run(home: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, PINHOLE_HOME: home, PINHOLE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Runs a command to its end. */
async function command(
  home: string,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const child = run(home, ...args);
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

describe('the background process', () => {
  test('ends by itself when nobody calls', async () => {
    const home = newHome();
    const background = run(home, 'background', '--idle-seconds', '1');
    const [code] = await once(background, 'exit');
    expect(code).toBe(0);
    expect(readBackgroundRecord(home)?.port).toBe(0);
    expect(await findBackground(home)).toBeUndefined();
  });

  test('does not end while a page is looked at', async () => {
    const home = newHome();
    const options = { home, host: '127.0.0.1', port: 0, strictPort: true, idleMs: 1_000 };
    const background = await startBackground(options);
    if (background === undefined) throw new Error('no background process');
    const stop = new AbortController();
    const headers = scriptHeaders(background);
    await fetch(`http://127.0.0.1:${background.port}/api/live`, { headers, signal: stop.signal });
    expect(await Promise.race([background.ended, sleep(2_000, 'runs')])).toBe('runs');
    stop.abort();
    await background.ended;
  });

  test('killed with SIGKILL: the next command starts another, and what was stored is there', async () => {
    const home = newHome();
    const folder = temporaryFolder();
    expect((await command(home, 'allow', folder)).code).toBe(0);
    const pid = readBackgroundRecord(home)?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    const { code, out } = await command(home, 'allow');
    expect(code).toBe(0);
    expect(out.trim()).toBe(folder);
    expect(readBackgroundRecord(home)?.pid).not.toBe(pid);
  });

  test('an idle background of another version is replaced, a busy one is used', async () => {
    for (const idle of [true, false]) {
      const home = newHome();
      const script = `const http = require('node:http');
        const server = http.createServer((req, res) => {
          if (req.url === '/internal/stop') { res.end('{}', () => process.exit(0)); return; }
          res.end(JSON.stringify({ version: '0.0.1', idle: ${idle} }));
        }).listen(process.argv[1], () => console.log('listens'));`;
      const run = join(home, 'run');
      mkdirSync(run, { mode: 0o700 });
      const socket = join(run, 'background.sock');
      const old = spawn(process.execPath, ['-e', script, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(old);
      await once(old.stdout, 'data');
      writeBackgroundRecord(home, {
        host: '127.0.0.1',
        pid: old.pid ?? 0,
        port: 1,
        socket,
        version: '0.0.1',
        token: 't',
        started_at: 1,
      });
      process.argv[1] = main;
      process.env.PINHOLE_PORT = '0';
      const background = await findOrStartBackground(home);
      expect(background.pid === old.pid).toBe(!idle);
      expect(isAlive(old.pid ?? 0)).toBe(!idle);
      old.kill('SIGKILL');
    }
  });

  test('a record of a process that is gone, or nonsense in its place, does no harm', async () => {
    const home = newHome();
    const socket = join(home, 'run', 'background.sock');
    writeBackgroundRecord(home, {
      pid: 1,
      host: '127.0.0.1',
      port: 1,
      socket,
      version: '0.1.0',
      token: 'x',
      started_at: 0,
    });
    expect((await command(home, 'health')).code).toBe(0);
    await stopBackground(home);
    writeFileSync(join(home, 'background.json'), '{"pid":');
    expect((await command(home, 'health')).code).toBe(0);
  });

  test('a data folder that is not writable says so', async () => {
    const file = join(newHome(), 'file');
    writeFileSync(file, '');
    const { code, err } = await command(join(file, 'home'), 'health');
    expect(code).toBe(1);
    expect(err).toBe(
      `pinhole: The data folder ${join(file, 'home')} is not writable (ENOTDIR). Set PINHOLE_HOME to a writable folder.\n`,
    );
  });
});

test('pinhole start serves until it is stopped', async () => {
  const home = newHome();
  const child = run(home, 'start', '--port', '0', '--no-index');
  const [chunk] = await once(child.stdout ?? child, 'data');
  expect(String(chunk)).toMatch(/Pinhole is running at http:\/\/127\.0\.0\.1:\d+/);
  const [, base, proof] = /(http:\/\/127\.0\.0\.1:\d+)\/#sign-in=([\w-]{24})\n/.exec(String(chunk)) ?? [];
  const signIn = await fetch(`${base}/api/sign-in`, {
    method: 'POST',
    headers: { origin: base ?? '' },
    body: JSON.stringify({ code: proof }),
  });
  expect(signIn.status).toBe(200);
  expect(await command(home, 'token')).toMatchObject({
    code: 0,
    out: `${readBackgroundRecord(home)?.token}\n`,
    err: '',
  });
  const again = await command(home, 'start');
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toContain('Pinhole is already running in a terminal, at http://127.0.0.1:');
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

test('a process that has just replaced a crashed one is not taken for it, with its token', async () => {
  const home = newHome();
  const background = await startBackground({
    ...{ home, host: '127.0.0.1', port: 0, strictPort: false, idleMs: 60_000 },
  });
  const record = readBackgroundRecord(home);
  if (background === undefined || record === undefined) throw new Error('no background process');
  expect((await findBackground(home))?.token).toBe(record.token);
  // As the crashed one left it: the new one listens at the same place, and has not written its own record yet.
  writeBackgroundRecord(home, { ...record, pid: record.pid + 1, token: 'of-the-crashed-process' });
  expect(await findBackground(home)).toBeUndefined();
  writeBackgroundRecord(home, record);
  await background.stop();
});

test.runIf(process.platform === 'linux')(
  'pinhole start keeps few memory arenas, and nothing is left when it is killed',
  async () => {
    const home = newHome();
    const child = run(home, 'start', '--port', '0', '--no-index');
    await once(child.stdout ?? child, 'data');
    const pid = readBackgroundRecord(home)?.pid ?? 0;
    const settings = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    expect(settings).toContain('MALLOC_ARENA_MAX=2');
    expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toContain('--max-semi-space-size');
    child.kill('SIGKILL');
    await once(child, 'close');
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  },
);

test('pinhole start says which folder it allows', async () => {
  const home = newHome();
  const folder = realpathSync(temporaryFolder());
  const child = run(home, 'start', folder, '--port', '0');
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    if (said.includes('may now read')) break;
  }
  expect(said).toContain(`Every agent and script may now read ${folder}. Undo: `);
  child.kill('SIGTERM');
  await once(child, 'exit');
});
