import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readBackgroundRecord, writeBackgroundRecord } from '../src/connect/background-record.ts';
import { holdData } from '../src/connect/data-holder.ts';
import { VERSION } from '../src/contract/version.ts';
import { connectClient, MAIN, onlyText } from './processes.ts';
import { temporaryFolder } from './support.ts';

const children: ChildProcess[] = [];
const places: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const stop of places) await stop();
});

/** Less than the 20 s that a start may take, and some starts of Node, which take their time on a busy machine. */
const soonMs = async (run: ReturnType<typeof makePlace>['run']) =>
  12_000 + 10 * (await run(['--version'])).ms;

function makePlace() {
  const home = temporaryFolder();
  const user = temporaryFolder();
  const project = realpathSync(temporaryFolder());
  writeFileSync(join(project, 'hello.ts'), 'export const greeting = "hello";\n');
  const logs = join(user, '.claude', 'projects', '-tmp-project');
  mkdirSync(logs, { recursive: true });
  const sessionId = '5e55a001-0000-4000-8000-000000000000';
  const message = { role: 'user', content: 'say hello' };
  const line = { type: 'user', uuid: 'u1', sessionId, cwd: '/tmp/project', version: '2.1.300', message };
  writeFileSync(
    join(logs, `${sessionId}.jsonl`),
    `${JSON.stringify({ ...line, timestamp: '2026-11-14T10:00:00Z' })}\n`,
  );
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: user,
    PINHOLE_HOME: home,
    PINHOLE_PORT: '0',
    PINHOLE_IDLE_SECONDS: '120',
    TMPDIR: temporaryFolder(),
  };
  /** Runs a command to its end, inside of `inside` where given. */
  const run = async (args: readonly string[], inside: readonly string[] = [], more = {}) => {
    const [program = '', ...rest] = [...inside, process.execPath, MAIN, ...args];
    const started = performance.now();
    const child = spawn(program, rest, { env: { ...env, ...more }, cwd: project });
    children.push(child);
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, out, err, ms: performance.now() - started };
  };
  places.push(() => run(['stop']));
  return { home, env, project, run };
}

const SANDBOX = ['unshare', '-n'] as const;
/** With a loopback of its own, as bubblewrap makes it. */
const SANDBOX_WITH_LOOPBACK = [...SANDBOX, 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh'] as const;

function whyNoSandbox(): string | undefined {
  try {
    execFileSync('unshare', ['-n', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'unshare -n is not permitted here, so commands without network are not tested';
  }
}
const noSandbox = whyNoSandbox();
if (noSandbox !== undefined) process.stderr.write(`${noSandbox}\n`);

describe.skipIf(noSandbox !== undefined)('in a sandbox without network', () => {
  describe.each([
    ['without loopback', SANDBOX],
    ['with a loopback of its own', SANDBOX_WITH_LOOPBACK],
  ])('%s', (_name, sandbox) => {
    test('commands answer soon and end while a background process runs outside', async () => {
      const { run, project } = makePlace();
      expect((await run(['sessions', 'list'])).out).toContain('5e55a001');
      const list = await run(['sessions', 'list', '--json'], sandbox);
      expect(list.code, list.err).toBe(0);
      expect(JSON.parse(list.out).data.sessions).toMatchObject([{ id: '5e55a001' }]);
      const grep = await run(['grep', 'greeting', project], sandbox);
      expect(grep.out, grep.err).toContain('export const greeting');
      const cd = await run(['disk', 'cd', project, '--json'], sandbox);
      expect(JSON.parse(cd.out).data.cwd).toBe(project);
      const soon = await soonMs(run);
      for (const { ms } of [list, grep, cd]) expect(ms).toBeLessThan(soon);
    });

    test('the first command there locks nobody out', async () => {
      const { run, project } = makePlace();
      const first = await run(['grep', 'greeting', project], sandbox);
      expect(first.code, first.err).toBe(0);
      const soon = await soonMs(run);
      expect(first.ms).toBeLessThan(soon);
      const outside = await run(['disk', 'cd', project, '--json']);
      expect(JSON.parse(outside.out).data.cwd).toBe(project);
      expect(outside.ms).toBeLessThan(soon);
      // A change is made, or refused by name of the process that is in the way.
      const change = await run(['allow', project]);
      expect(change.ms).toBeLessThan(soon);
      if (change.code !== 0) {
        expect(change.err).toMatch(/Only process \d+ can change the data folder/);
        expect(await run(['stop'])).toMatchObject({ code: 0, out: 'Pinhole stopped.\n' });
        expect((await run(['allow', project])).code).toBe(0);
      }
      expect((await run(['allow'])).out.trim()).toBe(project);
    });
  });

  test('stop ends a process that another container started', async () => {
    const { run, home } = makePlace();
    const inside = spawn(
      'unshare',
      [
        '-n',
        '-p',
        '--fork',
        '--kill-child',
        '--mount-proc',
        'sh',
        '-c',
        'ip link set lo up; "$@"; sleep 600',
        'sh',
      ].concat(process.execPath, MAIN, 'health'),
      { env: { PATH: process.env.PATH, HOME: home, PINHOLE_HOME: home, PINHOLE_PORT: '0' } },
    );
    children.push(inside);
    await once(inside.stdout, 'data');
    const { pid } = JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
    // Its number is of its own container: here it belongs to another process, or to none.
    expect(pid).toBeLessThan(1000);
    expect(await run(['stop'])).toMatchObject({ code: 0, out: 'Pinhole stopped.\n' });
    expect((await run(['health'])).code).toBe(0);
  });
});

test('a background process that cannot start: commands say why, answer and end', async () => {
  const { run, project } = makePlace();
  const { code, out, err, ms } = await run(['disk', 'cd', project, '--json'], [], {
    PINHOLE_IDLE_SECONDS: 'abc',
  });
  expect(code, err).toBe(0);
  expect(JSON.parse(out).data.cwd).toBe(project);
  expect(JSON.parse(out).link).toBeUndefined();
  expect(err).toContain('--idle-seconds must be a whole number');
  expect(ms).toBeLessThan(await soonMs(run));
});

test.each([
  ['PINHOLE_PORT', 'abc', 2, "PINHOLE_PORT is 'abc'. Set it to a whole number from 0 to 65535."],
  ['PINHOLE_PORT', '99999', 2, "PINHOLE_PORT is '99999'. Set it to a whole number from 0 to 65535."],
  [
    'PINHOLE_HOME',
    '/proc/pinhole/data',
    1,
    'The data folder /proc/pinhole/data is not writable (ENOENT). Set PINHOLE_HOME to a writable folder.',
  ],
])('a wrong %s (%s) is refused at once', async (name, value, exit, message) => {
  const { run } = makePlace();
  const { code, out, err, ms } = await run(['sessions', 'list'], [], { [name]: value });
  expect({ code, out, err }).toEqual({ code: exit, out: '', err: `pinhole: ${message}\n` });
  expect(ms).toBeLessThan(await soonMs(run));
});

test('--local answers in the command itself, and starts no process', async () => {
  const { run, home, project } = makePlace();
  const local = (...args: string[]) => run([...args, '--local']);
  const list = await local('sessions', 'list', '--json');
  expect([list.code, list.err]).toEqual([0, '']);
  expect(JSON.parse(list.out).data.sessions).toMatchObject([{ id: '5e55a001' }]);
  expect((await local('grep', 'greeting', project)).out).toContain('export const greeting');
  expect((await local('sql', 'select count(*) as n from sessions', '--json')).out).toContain('1');
  expect((await run(['--local', 'disk', 'cd', project, '--json'])).code).toBe(0);
  // Scans first, in this process too.
  const largest = await local('disk', 'largest', project, '--json');
  expect([largest.code, largest.err]).toEqual([0, '']);
  expect((await run(['health'], [], { PINHOLE_LOCAL: '1' })).code).toBe(0);
  expect(existsSync(join(home, 'background.json'))).toBe(false);
  // What is nothing without the process says so.
  expect(await local('token')).toMatchObject({ code: 1, err: expect.stringContaining('--local') });
});

describe('pinhole start', () => {
  const started = async ({ env, home, project }: ReturnType<typeof makePlace>, ...flags: string[]) => {
    const child = spawn(process.execPath, [MAIN, 'start', '--no-index', ...flags], { env, cwd: project });
    children.push(child);
    const [first] = await once(child.stdout, 'data');
    return { pid: readBackgroundRecord(home)?.pid, out: String(first) };
  };

  test('a folder that is not there is refused before anything starts', async () => {
    expect(await makePlace().run(['start', '/nonexistent'])).toMatchObject({
      code: 1,
      out: '',
      err: "pinhole: There is no folder '/nonexistent'. Give one that exists, or none.\n",
    });
  });

  test('takes over from the process in the background, and refuses to replace one in a terminal', async () => {
    const place = makePlace();
    expect((await place.run(['health'])).code).toBe(0);
    const before = JSON.parse((await place.run(['status', '--json'])).out).data.pid;
    const { pid, out } = await started(place);
    expect(out).toContain(`Took over from the background process (pid ${before}), which was stopped.`);
    expect(JSON.parse((await place.run(['status', '--json'])).out).data.pid).toBe(pid);
    const second = await place.run(['start']);
    expect(second.code).toBe(1);
    expect(second.err).toContain(`Pinhole is already running in a terminal, at http://127.0.0.1:`);
    expect(second.err).toContain(`(pid ${pid})`);
  });

  test('says when the port of the environment is taken', async () => {
    const { port } = new URL((await started(makePlace())).out.match(/http:\S+/)?.[0] ?? '');
    const place = makePlace();
    const { out } = await started({ ...place, env: { ...place.env, PINHOLE_PORT: port } });
    expect(out).toMatch(new RegExp(`^Port ${port} is taken; this is port \\d+\\.`));
  });
});

describe('while a process that cannot be reached holds the data', () => {
  /** This process has it, and says that it is where nobody listens. */
  const hold = (home: string) => {
    const lock = holdData(home, 'background');
    if (lock === undefined) throw new Error('another process holds the data');
    onTestFinished(() => lock.release());
    const { token } = JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
    const socket = join(home, 'run', 'background.sock');
    const place = { host: '127.0.0.1', port: 1, socket, version: VERSION, token, started_at: 1 };
    writeBackgroundRecord(home, { pid: process.pid, ...place });
  };
  /** Every file with its content; what SQLite shares between processes may come and go. */
  const filesOf = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((path) => statSync(path).isFile() && !/-(wal|shm)$|background\.(log|lock)$/.test(path))
        .sort()
        .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
    );
  const guests = (folder = '') => readdirSync(folder).filter((name) => name.startsWith('pinhole-guest-'));

  test('commands read everything, change nothing and leave nothing behind', async () => {
    const { run, home, env, project } = makePlace();
    expect((await run(['allow', project])).code).toBe(0);
    expect((await run(['disk', '--under', project])).code).toBe(0);
    expect((await run(['code', 'search', 'greeting'])).out).toContain('hello.ts');
    expect((await run(['sessions', 'list'])).out).toContain('5e55a001');
    expect((await run(['stop'])).out).toBe('Pinhole stopped.\n');
    hold(home);
    const before = filesOf(home);

    const sessions = await run(['sessions', 'list', '--json']);
    expect(JSON.parse(sessions.out).data.sessions, sessions.err).toMatchObject([{ id: '5e55a001' }]);
    expect(sessions.err).toContain(`(pid ${process.pid}) cannot be reached`);
    expect((await run(['code', 'search', 'greeting'])).out).toContain('hello.ts');
    expect((await run(['code', 'find', 'a greeting'])).out).toContain('hello.ts');
    expect((await run(['grep', 'greeting'])).out).toContain('export const greeting');
    expect((await run(['disk', '--under', project])).out).toMatch(/1 file/);
    for (const change of [
      ['allow', '/usr'],
      ['index', project],
      ['sessions', 'archive', 'on'],
    ]) {
      const refused = await run([...change, '--json']);
      expect(refused.code).toBe(1);
      const { error } = JSON.parse(refused.out);
      expect(error.code).toBe('conflict');
      expect(error.message).toContain(`process ${process.pid}`);
    }
    expect(filesOf(home)).toEqual(before);
    expect(guests(env.TMPDIR)).toEqual([]);
  });

  test('an agent gets answers, and errors that say who is in the way', async () => {
    const { run, home, env, project } = makePlace();
    expect((await run(['health'])).code).toBe(0);
    await run(['stop']);
    hold(home);
    const client = await connectClient({ env }, { cwd: project });
    onTestFinished(() => client.close());
    const found = await client.callTool({ name: 'regex_search', arguments: { pattern: 'greeting' } });
    expect(onlyText(found)).toContain('hello.ts');
    const refused = await client.callTool({ name: 'index', arguments: { root: project } });
    expect(onlyText(refused)).toMatch(/^conflict: /);
  });

  test('status says so', async () => {
    const { run, home } = makePlace();
    expect((await run(['health'])).code).toBe(0);
    await run(['stop']);
    hold(home);
    const { code, out } = await run(['status']);
    expect(code).toBe(1);
    expect(out).toContain(`Process ${process.pid} holds the data folder but cannot be reached from here.`);
  });
});

test('where none can be started, a command does the work that it was asked for', async () => {
  const { run, project } = makePlace();
  const nowhere = { PINHOLE_IDLE_SECONDS: 'abc' };
  expect((await run(['allow', project], [], nowhere)).code).toBe(0);
  const started = await run(['index', project, '--json'], [], nowhere);
  const { job_id } = JSON.parse(started.out).data;
  expect(JSON.parse((await run(['job', job_id, '--json'])).out).data.status).toBe('done');
});
