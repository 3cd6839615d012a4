import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadDriver } from '../../src/store/sqlite.ts';
import { claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';
import { processHome } from '../processes.ts';
import { countOne, tries } from '../reliability/counted.ts';
import { temporaryFolder } from '../support.ts';
import { createVictim } from './victim.ts';

/* SIGKILL at random moments of every kind of work. What was answered before a kill must be there after it. */

// PINHOLE_KILLS kills in all; at each of them two kinds of work continue, over and over until the process is dead.

const KILLS = tries('PINHOLE_KILLS', 20);
const LOGS = 5;
const PLAN_FILES = 25;
const place = processHome();
const root = realpathSync(temporaryFolder());
const victim = createVictim(place, root);
afterAll(() => victim.kill());
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const database = join(place.home, 'pinhole.db');
/** What was answered with success. */
const kept = { allowed: new Set<string>(), queries: new Set<string>(), sets: new Set<string>() };
let archive: { wanted: boolean; sure: boolean } = { wanted: false, sure: true };
let records = 0;

for (let n = 0; n < 400; n++) {
  mkdirSync(join(root, `d${n % 20}`), { recursive: true });
  writeFileSync(join(root, `d${n % 20}`, `f${n}.ts`), `export const needle${n} = ${n};\n`.repeat(20));
}
const logs = Array.from({ length: LOGS }, (_, n) => {
  const id = `aaaaaaa${n}-1111-4111-8111-111111111111`;
  const log = claude({ id, cwd: root });
  const path = writeLog(join(place.home, '.claude/projects/p', `${id}.jsonl`), lines([log.prompt('start')]));
  records++;
  return {
    append() {
      appendFileSync(path, lines([log.answer(`msg_${records}`, text(`record ${records++}`))]));
    },
  };
});

const random = (below: number) => Math.floor(Math.random() * below);

/** Work of every kind; each notes what must be kept. It is repeated until the process is dead. */
const WORK: Readonly<Record<string, (round: string) => Promise<void>>> = {
  async 'code index'() {
    writeFileSync(
      join(root, `d${random(20)}`, `f${random(400)}.ts`),
      `export const needle = ${Math.random()};\n`,
    );
    await victim.run('index', { root, what: 'code' });
    await victim.run('regex_search', { pattern: 'needle', path: root, output: 'count' });
  },
  async 'disk index'() {
    await victim.run('index', { root, what: 'disk', full: random(2) === 0 });
  },
  async 'reading logs'() {
    for (const log of logs) log.append();
    await victim.run('search_event_previews', { query: 'record' });
  },
  async 'asking only'() {
    await victim.run('sql', { query: 'select count(*), max(text) from messages' });
    await victim.run('hybrid_search', { query: 'what needle is', path: root });
    await victim.run('list_sessions', {});
  },
  async settings() {
    const path = join(root, `d${random(20)}`);
    for (const folder of [path, join(path, '..')]) {
      const answer = await victim.run('allow', { path: folder });
      if (answer?.ok === true) kept.allowed.add(realpathSync(folder));
    }
    const wanted = !archive.wanted;
    archive = { wanted, sure: false };
    if ((await victim.run('sessions_archive', { keep: wanted ? 'on' : 'off' }))?.ok === true)
      archive = { wanted, sure: true };
  },
  async 'queries and selections'(round) {
    const name = `query ${round}`;
    const answer = await victim.run('query_run', { filter: { ext: 'ts' }, root, save_as: name });
    if (answer?.ok === true) kept.queries.add(name);
    const index = answer?.envelope?.data?.index_id;
    const nodes = await victim.run('disk_find', { ext: 'ts', index_id: index, limit: 3 });
    const ids = JSON.stringify(nodes?.envelope ?? '').match(/\bn[0-9a-z]+(?=")/g) ?? [];
    if (ids.length === 0) return;
    const set = await victim.run('resource_set_create', {
      name: `set ${round}`,
      index_id: index,
      node_ids: ids,
    });
    if (set?.ok === true) kept.sets.add(`set ${round}`);
  },
};

/** A folder is planned to be moved to the trash, and the process dies while it is. */
async function killedPlan(round: number): Promise<void> {
  const folder = join(root, `old${round}`);
  mkdirSync(folder);
  for (let n = 0; n < PLAN_FILES; n++) writeFileSync(join(folder, `f${n}.log`), `${round} ${n}`);
  const index = await victim.run('index', { root: folder, what: 'disk' });
  const job = index?.envelope?.data?.job_id;
  for (let status = 'queued'; status === 'queued' || status === 'running'; await pause(20))
    status = (await victim.run('job_progress', { job_id: job }))?.envelope?.data.status;
  const { index_id } = index?.envelope?.data ?? {};
  const query = await victim.run('query_run', { filter: { ext: 'log' }, index_id, save_as: `old ${round}` });
  const plan = await victim.run('disk_plan_create', { selection_id: query?.envelope?.data.selection_id });
  const plan_id = plan?.envelope?.data.plan_id;
  expect(plan_id, JSON.stringify([query, plan])).toBeDefined();
  const moving = victim.run('disk_plan_run', { plan_id, confirm: PLAN_FILES });
  await pause(random(60));
  await victim.kill();
  await moving;
  await victim.start();
  await victim.run('disk_plan_undo', { plan_id });
  const back = readdirSync(folder).filter((name) =>
    readFileSync(join(folder, name), 'utf8').startsWith(`${round} `),
  );
  expect(back, `plan ${plan_id}`).toHaveLength(PLAN_FILES);
}

/** What was answered before is in the database, which is whole. */
function checkDatabase(): void {
  const connection = new (loadDriver())(database);
  try {
    const column = (sql: string) =>
      new Set(
        connection
          .prepare(sql)
          .all()
          .map((row) => Object.values(row)[0]),
      );
    expect(column('PRAGMA quick_check')).toEqual(new Set(['ok']));
    const has = (sql: string, wanted: ReadonlySet<string>) => {
      const found = column(sql);
      expect([...wanted].filter((one) => !found.has(one))).toEqual([]);
    };
    has('SELECT path FROM allowed', kept.allowed);
    has('SELECT name FROM disk_queries', kept.queries);
    has('SELECT name FROM disk_sets', kept.sets);
  } finally {
    connection.close();
  }
  if (archive.sure) {
    const file = join(place.home, 'sessions.json');
    const archived = existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).archive === true;
    expect(archived).toBe(archive.wanted);
  }
}

/** The database as an earlier version left it, so that the next start has to change its tables. */
function ageDatabase(): void {
  const connection = new (loadDriver())(database);
  connection.exec('ALTER TABLE jobs DROP COLUMN deaths; DELETE FROM migrations WHERE id = 3;');
  connection.close();
}

/** One kind of work again and again, until nobody answers. */
async function untilDead(work: (round: string) => Promise<void>, round: number): Promise<void> {
  for (let n = 0; victim.isAlive(); n++) await work(`${round}.${n}`);
}

test('kills at random moments lose nothing', { timeout: KILLS * 20_000 + 120_000 }, async ({ task }) => {
  await victim.start();
  const works = Object.entries(WORK);
  let kills = 0;
  const survived = (kind: string) => {
    checkDatabase();
    countOne(task, kind, true);
    if (++kills % 50 === 0) process.stderr.write(`${kills} kills\n`);
  };
  for (let round = 0; kills < KILLS; round++) {
    if (round % 10 === 9) {
      await killedPlan(round);
      survived('during a clean-up');
      continue;
    }
    // Two kinds at once: they share the database.
    const [kind, first] = works[round % works.length] ?? [];
    const [, second] = works[(round + 1 + random(works.length - 1)) % works.length] ?? [];
    const doing = [first, second].map((work) => work && untilDead(work, round));
    await pause(random(500));
    await victim.kill();
    await Promise.all(doing);
    survived(`during ${kind}, and another work`);
    if (round % 6 === 5 && kills < KILLS) {
      ageDatabase();
      await victim.start(false);
      await pause(150 + random(400));
      await victim.kill();
      survived('at the start, while tables are changed');
    }
    await victim.start();
    checkDatabase();
  }
  for (const [path, what] of [
    [root, 'code'],
    [root, 'disk'],
  ]) {
    const job = (await victim.run('index', { root: path, what }))?.envelope?.data.job_id;
    await expect
      .poll(async () => (await victim.run('job_progress', { job_id: job }))?.envelope?.data.status, {
        timeout: 60_000,
      })
      .toBe('done');
  }
  const found = await victim.run('regex_search', {
    pattern: 'export const needle',
    path: root,
    output: 'count',
  });
  const lineCount = readdirSync(root, { recursive: true })
    .filter((name) => String(name).endsWith('.ts'))
    .reduce(
      (sum, name) =>
        sum +
        readFileSync(join(root, String(name)), 'utf8')
          .trim()
          .split('\n').length,
      0,
    );
  expect(JSON.stringify(found?.envelope?.data)).toContain(String(lineCount));
  await expect
    .poll(async () => (await victim.run('sessions_doctor', {}))?.envelope?.data.events, { timeout: 60_000 })
    .toBe(records);
});
