import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { logFile } from '../src/connect/background-log.ts';
import { connectClient, JSON_ANSWERS, MAIN, onlyText, type ProcessHome, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

const root = realpathSync(temporaryFolder());
writeFileSync(join(root, 'a.txt'), 'a');
const crowd = processHome();
const orphaned = processHome();
const killed = processHome();

async function connect(place: ProcessHome) {
  const client = await connectClient(place, { cwd: root, args: JSON_ANSWERS });
  onTestFinished(() => client.close());
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, input: Record<string, unknown>) =>
      JSON.parse(onlyText(await client.callTool({ name, arguments: input }))),
  };
}

test('twenty clients that start at once on an empty folder share one background process', async () => {
  const clients = await Promise.all(Array.from({ length: 20 }, () => connect(crowd)));
  const lists = await Promise.all(clients.map((client) => client.tools()));
  expect(lists[0]).toContain('regex_search');
  for (const list of lists) expect(list).toEqual(lists[0]);

  const answers = await Promise.all(clients.map((client) => client.call('cd', { path: root })));
  for (const answer of answers)
    expect(answer.data).toMatchObject({ cwd: root, entries: [{ name: 'a.txt' }] });
  // Each has a shell of its own, so one agent's cd does not move another.
  expect(new Set(answers.map((answer) => answer.data.shell)).size).toBe(20);

  const started = readFileSync(logFile(crowd.home), 'utf8').match(/ runs on port .* \(pid \d+\)/g);
  expect(started).toEqual([expect.stringContaining(`(pid ${crowd.background().pid})`)]);

  // The lock is held: one more that wants to own the folder gives way at once.
  const { pid } = crowd.background();
  const late = spawn(process.execPath, [MAIN, 'background'], { env: crowd.env, stdio: 'ignore' });
  expect(await once(late, 'exit')).toEqual([0, null]);
  expect(crowd.background().pid).toBe(pid);
});

test('a client that died while it started the background holds nobody up', async () => {
  const dead = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(dead, 'exit');
  const turn = join(orphaned.home, 'background.starting');
  writeFileSync(turn, String(dead.pid));
  // It never grows old: only a look whether the process lives helps.
  utimesSync(turn, new Date(), new Date(Date.now() + 3_600_000));
  const client = await connect(orphaned);
  expect(await client.call('cd', { path: root })).toHaveProperty('data');
});

test('a background process killed between two calls is replaced, and the caller does not notice', async () => {
  const client = await connect(killed);
  const before = await client.call('cd', { path: root });
  const pids = [killed.background().pid];

  for (const [name, input] of [
    ['cd', { path: '.', shell: before.data.shell }],
    ['session_preferences', { shell: before.data.shell, units: 'si' }],
  ] as const) {
    process.kill(killed.background().pid, 'SIGKILL');
    expect(await client.call(name, input)).toHaveProperty('data');
    pids.push(killed.background().pid);
  }
  expect(new Set(pids).size).toBe(3);
  const after = await client.call('cd', { path: '.', shell: before.data.shell });
  expect(after.data.cwd).toBe(root);
});
