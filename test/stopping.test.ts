import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { MAIN } from './processes.ts';
import { temporaryFolder } from './support.ts';

const children: ChildProcess[] = [];
const pids: number[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

/** Looks at the system itself; one that ended and was not collected by its parent does not run. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A data folder of its own, in a home of its own. */
function place(home = temporaryFolder()) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: temporaryFolder(),
    PINHOLE_HOME: home,
    PINHOLE_PORT: '0',
    PINHOLE_IDLE_SECONDS: '120',
  };
  const command = async (...args: string[]) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env });
    children.push(child);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        out += chunk;
      });
    }
    const [code] = await once(child, 'close');
    return { code, out };
  };
  /** Starts the background process as a command does, and returns its number. */
  const begin = async (): Promise<number> => {
    const { code, out } = await command('health');
    expect(code, out).toBe(0);
    const { pid } = JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
    pids.push(pid);
    expect(isRunning(pid)).toBe(true);
    return pid;
  };
  /** Runs in the foreground, as in a terminal or a container. */
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [MAIN, 'start', '--port', '0', '--no-index'], { env });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  };
  return { home, env, command, begin, start };
}

/** Logs that take a while to read. */
function writeLogs(home: string, files: number, prompts: number): string {
  const logs = join(home, '.claude', 'projects', '-tmp-project');
  mkdirSync(logs, { recursive: true });
  for (let i = 0; i < files; i++) {
    const sessionId = `${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const lines = Array.from({ length: prompts }, (_, n) =>
      JSON.stringify({
        type: 'user',
        uuid: `${sessionId}-${n}`,
        sessionId,
        cwd: '/tmp/project',
        version: '2.1.300',
        timestamp: '2026-11-14T10:00:00Z',
        message: { role: 'user', content: `${n} ${'a long prompt about many things '.repeat(60)}` },
      }),
    );
    writeFileSync(join(logs, `${sessionId}.jsonl`), `${lines.join('\n')}\n`);
  }
  return logs;
}

/** A log with a file beside it that cannot be read to its end. */
function writeStuckLog(home: string): void {
  const logs = writeLogs(home, 1, 1);
  const subagents = join(logs, '00000000-0000-4000-8000-000000000000', 'subagents');
  mkdirSync(subagents, { recursive: true });
  copyFileSync(join(logs, '00000000-0000-4000-8000-000000000000.jsonl'), join(subagents, 'agent-x.jsonl'));
  execFileSync('mkfifo', [join(subagents, 'agent-x.meta.json')]);
}

/** Waits until a thread waits for the other end of a pipe; not for ever, since nothing should. */
async function hanging(pid: number): Promise<void> {
  const waits = () =>
    readdirSync(`/proc/${pid}/task`).some((task) =>
      readFileSync(`/proc/${pid}/task/${task}/wchan`, 'utf8').includes('partner'),
    );
  for (const end = Date.now() + 3_000; Date.now() < end && !waits(); ) await sleep(50);
}

const ended = (pid: number) => expect.poll(() => isRunning(pid)).toBe(false);

describe('pinhole stop ends the process', () => {
  test('while logs are being read', async () => {
    const { env, command, begin } = place();
    writeLogs(env.HOME, 12, 1_500);
    const pid = await begin();
    expect(await command('stop')).toEqual({ code: 0, out: 'Pinhole stopped.\n' });
    expect(isRunning(pid)).toBe(false);
  });

  test('while a log that never ends is being read', async () => {
    const { env, command, begin } = place();
    writeStuckLog(env.HOME);
    const pid = await begin();
    expect(await command('stop')).toEqual({ code: 0, out: 'Pinhole stopped.\n' });
    expect(isRunning(pid)).toBe(false);
  });

  test('while it indexes', async () => {
    const { command, begin } = place();
    const pid = await begin();
    expect((await command('index', '/usr')).code).toBe(0);
    expect(await command('stop')).toEqual({ code: 0, out: 'Pinhole stopped.\n' });
    expect(isRunning(pid)).toBe(false);
  });

  test('while its main thread answers nothing', async () => {
    const { command, begin } = place();
    const pid = await begin();
    process.kill(pid, 'SIGSTOP');
    expect(await command('stop')).toEqual({ code: 0, out: 'Pinhole stopped.\n' });
    expect(isRunning(pid)).toBe(false);
    expect(await command('stop')).toEqual({ code: 0, out: 'Pinhole was not running.\n' });
  });

  test('that nobody can find, because its record is gone', async () => {
    const { home, command, begin } = place();
    const pid = await begin();
    rmSync(join(home, 'background.json'));
    expect(await command('stop')).toEqual({ code: 0, out: 'Pinhole stopped.\n' });
    expect(isRunning(pid)).toBe(false);
  });

  test('on a full disk', async (context) => {
    const disk = temporaryFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      context.skip('a small file system cannot be mounted here (needs root)');
    }
    onTestFinished(() => void execFileSync('umount', ['-l', disk]));
    const { command, begin } = place(disk);
    const pid = await begin();
    for (let size = 3 << 20; size > 0; size >>= 1) {
      try {
        writeFileSync(join(disk, `filler-${size}`), Buffer.alloc(size));
      } catch {
        // Full; what is left is filled by a smaller one.
      }
    }
    await command('allow', '/usr');
    expect(await command('stop')).toEqual({ code: 0, out: 'Pinhole stopped.\n' });
    expect(isRunning(pid)).toBe(false);
  });

  test('and restart starts another one', async () => {
    const { home, env, command, begin } = place();
    writeLogs(env.HOME, 12, 1_500);
    const pid = await begin();
    const { code, out } = await command('restart');
    expect(code, out).toBe(0);
    expect(isRunning(pid)).toBe(false);
    const again = JSON.parse(readFileSync(join(home, 'background.json'), 'utf8')).pid;
    pids.push(again);
    expect(again).not.toBe(pid);
    expect(isRunning(again)).toBe(true);
    await command('stop');
  });

  test('and no other that has its number by now', async () => {
    const { home, command, begin } = place();
    await begin();
    await command('stop');
    const other = spawn('sleep', ['600']);
    children.push(other);
    const record = JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
    writeFileSync(join(home, 'background.json'), JSON.stringify({ ...record, pid: other.pid, port: 1 }));
    expect(await command('stop')).toEqual({ code: 0, out: 'Pinhole was not running.\n' });
    expect(isRunning(other.pid ?? 0)).toBe(true);
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('ends the background process, also while its main thread hangs', async () => {
    const { command, begin } = place();
    const pid = await begin();
    const tree = temporaryFolder();
    execFileSync('mkfifo', [join(tree, '.gitignore')]);
    const search = command('code', 'search', 'x', tree);
    await hanging(pid);
    process.kill(pid, signal);
    await ended(pid);
    // It is repeated with another background process.
    execFileSync('rm', [join(tree, '.gitignore')]);
    await search;
    await command('stop');
  });

  test('ends pinhole start, also while a log that never ends is being read', async () => {
    const { env, start } = place();
    writeStuckLog(env.HOME);
    const child = await start();
    await hanging(child.pid ?? 0);
    child.kill(signal);
    await ended(child.pid ?? 0);
  });

  test('ends pinhole start at once when it is sent twice', async () => {
    const { env, start } = place();
    const child = await start();
    const record = () => readFileSync(join(env.PINHOLE_HOME, 'background.json'), 'utf8');
    const { port, token } = JSON.parse(record());
    // An orderly end waits a moment for this stream.
    const headers = { authorization: `Bearer ${token}` };
    const stream = await fetch(`http://127.0.0.1:${port}/api/live`, { headers });
    child.kill(signal);
    // The first signal has arrived when the process takes no more calls.
    await expect.poll(record, { interval: 5 }).toContain('"port":0');
    child.kill(signal);
    const [code, by] = await once(child, 'exit');
    expect([code, by]).toEqual([null, signal]);
    await stream.body?.cancel().catch(() => {});
  });
});

test('ends in order while start indexes code, and leaves the index to the next process', async () => {
  const { home, env } = place();
  const folder = temporaryFolder();
  const text = Array.from({ length: 300 }, (_, n) => `export function f${n}(a: number) { return a + ${n}; }`);
  for (let i = 0; i < 300; i++) writeFileSync(join(folder, `m${i}.ts`), text.join('\n'));
  const child = spawn(process.execPath, [MAIN, 'start', folder, '--port', '0'], { env });
  children.push(child);
  let out = '';
  let sent = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
      if (!sent && out.includes('disk index of')) sent = child.kill('SIGTERM');
    });
  await once(child, 'close');
  // The index may just have been finished.
  expect(out).toMatch(/disk index of .*\n(?:code index of .*: (?:stopped; it goes on when|done).*\n)?$/);
  expect(readFileSync(join(home, 'background.log'), 'utf8')).not.toContain('internal error');
});
