import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { claude, lines, resetClock, writeLog } from '../../test/fixtures/sessions/logs.ts';
import { temporaryApp, temporaryFolder } from '../../test/support.ts';
import type { OpenApp } from '../app/open-app.ts';
import type { Caller } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { waitForJob } from '../jobs/wait-for-job.ts';
import { checkIndexes } from './check-indexes.ts';

let app: OpenApp;
afterEach(() => app.close());

/** The engine as it is while logs are being read. */
const whileReading = (engine: Engine): Engine => ({
  ...engine,
  async run(name, ...rest) {
    const answer = await engine.run(name, ...rest);
    if (!answer.ok || name !== 'sessions_doctor') return answer;
    const meta = { ...answer.envelope.meta, indexing: { done: 1, total: 10 } };
    return { ...answer, envelope: { ...answer.envelope, meta } };
  },
});

const callerIn = (root: string): Caller => ({
  ...{ id: 'test', client: 'test', door: 'cli', format: 'json', budget: 100_000, roots: [root], cwd: root },
});

test('names a log that became shorter, with both sizes', async () => {
  resetClock();
  const home = temporaryFolder();
  const id = '5e55a001-0000-4000-8000-000000000003';
  const main = claude({ id, cwd: '/w' });
  const path = join(home, '.claude/projects/p', `${id}.jsonl`);
  const first = lines([main.prompt('hello')]);
  writeLog(path, first + lines([main.prompt('a'.repeat(8_000))]));
  app = await temporaryApp({ env: { HOME: home } });
  const { reading } = app.services.sessions;
  await reading.refresh();
  // The end of what is left is half a line.
  writeFileSync(path, `${first}${'{'.padEnd(3_000 - first.length)}`);
  await reading.refresh();
  const findings = await checkIndexes(app.engine, callerIn(home), { now: Date.now(), env: { HOME: home } });
  expect(findings.slice(-1)).toEqual([
    {
      check: 'indexes',
      state: 'warn',
      text: expect.stringMatching(/became shorter, from 8\.\d kB to 3\.0 kB; it was read again$/),
    },
  ]);
  expect(findings.at(-1)?.text).toContain(`sessions: ${path} `);
});

test('says that logs are still being read, and names the code indexes', async () => {
  resetClock();
  const log = (home: string, id: string) => {
    const main = claude({ id, cwd: '/w' });
    writeLog(join(home, '.claude/projects/p', `${id}.jsonl`), lines([main.prompt('hello')]));
  };
  // The app has read one of the two logs, and sees no other.
  const [read, all] = [temporaryFolder(), temporaryFolder()];
  for (const home of [read, all]) log(home, '5e55a001-0000-4000-8000-000000000001');
  log(all, '5e55a001-0000-4000-8000-000000000002');
  app = await temporaryApp({ env: { HOME: read } });
  await app.services.sessions.reading.refresh();
  const env = { HOME: all };
  const root = temporaryFolder();
  const caller = callerIn(root);
  const texts = async (engine: Engine) =>
    (await checkIndexes(engine, caller, { now: Date.now(), env })).map(({ text }) => text);
  expect(await texts(whileReading(app.engine))).toEqual([
    expect.stringMatching(/^disk: none yet/),
    'code: none yet; the first search in a folder makes one',
    expect.stringMatching(/^sessions: still reading, 1 of 2 logs so far \(1 session, \d+ events?\)$/),
  ]);
  writeFileSync(join(root, 'a.ts'), 'export const a = 1;\n');
  const { job } = await app.services.code.indexer.startIndex({
    ...{ root, allowed: [root], followSymlinks: false, oneFileSystem: true, exclude: [], full: false },
  });
  await waitForJob(app.services.jobs, job, 20_000, new AbortController().signal);
  expect((await texts(app.engine))[1]).toMatch(/^code .*: 1 file, ready, built /);
});
