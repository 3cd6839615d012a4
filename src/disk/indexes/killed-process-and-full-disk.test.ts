import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, caller } from '../../../test/support.ts';
import { type OpenApp, openApp } from '../../app/open-app.ts';
import { readBackgroundRecord } from '../../connect/background-record.ts';
import { callBackground } from '../../connect/call-background.ts';
import { loadTree } from '../tree/load-tree.ts';

const FOLDERS = 200;
const FILES = 40;
/** Long names make a large index of few files. */
const NAME = 'a file with a very long name, '.repeat(6);
const root = emptyFolder();
const who = { roots: [root] };
const processes: ChildProcess[] = [];

beforeAll(() => {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(root, `folder${folder}`));
    for (let file = 0; file < FILES; file++)
      closeSync(openSync(join(root, `folder${folder}`, NAME + file), 'w'));
  }
});
afterAll(() => {
  for (const background of processes) background.kill('SIGKILL');
});

/** Calls back for every change in a folder until it says that it has seen what it waits for. */
function seen(folder: string, look: (name: string) => boolean): Promise<void> {
  return new Promise((done) => {
    const watcher = watch(folder, (_event, name) => {
      if (!look(String(name))) return;
      watcher.close();
      done();
    });
    if (look('')) {
      watcher.close();
      done();
    }
  });
}

/** Starts a process that owns the folder; no file of it may grow beyond `most` blocks of 512 bytes. */
async function startProcess(home: string, most = 'unlimited'): Promise<ChildProcess> {
  const command = `ulimit -f ${most}; exec "$0" "$@"`;
  const background = spawn('sh', ['-c', command, process.execPath, resolve('dist/main.js'), 'background'], {
    env: { ...process.env, PINHOLE_HOME: home, PINHOLE_PORT: '0', HOME: home },
    stdio: 'ignore',
  });
  processes.push(background);
  await seen(home, () => readBackgroundRecord(home)?.pid === background.pid);
  return background;
}

async function askBackground(home: string, operation: string, input: object) {
  const record = readBackgroundRecord(home);
  if (record === undefined) throw new Error('no background process');
  const body = { operation, input, caller: caller(who) };
  return JSON.parse(
    JSON.parse((await callBackground(record, 'POST', '/internal/run', body)).body).rendered.text,
  );
}

/** The end of a job in another process, asked for until it comes. */
async function jobIn(home: string, id: string): Promise<{ status: string; error?: string }> {
  for (;;) {
    const { data } = await askBackground(home, 'job_progress', { job_id: id });
    if (!['queued', 'running'].includes(data.status)) return data;
    await new Promise(setImmediate);
  }
}

const open = (home: string) =>
  openApp({ home, log: () => undefined, baseUrl: () => 'http://127.0.0.1:4747', env: { HOME: home } });

/** Waits for everything that an earlier process has left to be done. */
async function jobsEnd({ services: { jobs } }: OpenApp): Promise<string[]> {
  for (const { id } of await jobs.list(undefined, 20)) {
    await new Promise<void>((done) => {
      const look = (job: { status: string } | undefined) => {
        if (job === undefined || !['queued', 'running'].includes(job.status)) done();
      };
      jobs.watch(id, look);
      void jobs.get(id).then(look);
    });
  }
  return (await jobs.list(undefined, 20)).map(({ status }) => status);
}

/** An index with a selection that a person made. */
async function indexed(home: string): Promise<void> {
  const { data } = await askBackground(home, 'index', { root });
  expect((await jobIn(home, data.job_id)).status).toBe('done');
  const { entries } = (await askBackground(home, 'cd', { path: root })).data;
  const made = await askBackground(home, 'resource_set_create', {
    name: 'mine',
    node_ids: [entries[0].node_id],
  });
  expect(made.data.counts).toMatchObject({ files: FILES, dirs: 1 });
}

async function expectWhole(house: OpenApp, home: string, drafts = false): Promise<void> {
  const listed = await ask(house, 'resource_set_list', {}, who);
  expect(listed.body.data.selections).toMatchObject([{ name: 'mine', counts: { files: FILES, dirs: 1 } }]);
  const { data } = (await ask(house, 'cd', { path: root }, who)).body;
  expect(data).toMatchObject({ indexed: true, total: { files: FOLDERS * FILES, dirs: FOLDERS } });
  const folder = join(home, 'disk/i1');
  expect((await loadTree(join(folder, 'tree.idx'))).meta.nodes).toBe(FOLDERS * (FILES + 1) + 1);
  if (!drafts) expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
}

describe('a process that is killed', () => {
  const draft = (home: string) => seen(join(home, 'disk/i1'), (name) => name.endsWith('.tmp'));
  test.each([
    ['as the scan begins', async () => undefined],
    ['some time into the scan', () => new Promise((done) => setTimeout(done, 40))],
    ['later in the scan', () => new Promise((done) => setTimeout(done, 90))],
    ['while it saves', draft],
    ['a moment later', (home: string) => draft(home).then(() => new Promise(setImmediate))],
  ])('%s leaves the generation before; the next start finishes the work', async (_when, moment) => {
    const home = emptyFolder();
    const background = await startProcess(home);
    await indexed(home);
    await Promise.all([moment(home), askBackground(home, 'index', { root, full: true })]);
    background.kill('SIGKILL');
    const house = await open(home);
    // What was half written may remain until the work starts again.
    await expectWhole(house, home, true);
    expect(await jobsEnd(house)).not.toContain('failed');
    await expectWhole(house, home);
    await house.close();
  });
});

test('a full disk: the index before is kept, the job says what to do, and doing it helps', async () => {
  const home = emptyFolder();
  const background = await startProcess(home);
  await indexed(home);
  background.kill('SIGKILL');
  // Enough for everything but the columns of the index.
  const cramped = await startProcess(home, '2600');
  const { data } = await askBackground(home, 'index', { root, full: true });
  const job = await jobIn(home, data.job_id);
  expect(job).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(job)).toMatch(/no space left in '.*' to save the index; the previous one is kept/);
  expect((await askBackground(home, 'cd', { path: root })).data.total.files).toBe(FOLDERS * FILES);
  cramped.kill('SIGKILL');
  await startProcess(home);
  const again = await askBackground(home, 'index', { root, full: true });
  expect((await jobIn(home, again.data.job_id)).status).toBe('done');
  expect((await askBackground(home, 'cd', { path: root })).data.total.files).toBe(FOLDERS * FILES);
});
