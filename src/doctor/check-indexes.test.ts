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
  const caller: Caller = {
    ...{ id: 'test', client: 'test', door: 'cli', format: 'json', budget: 100_000, roots: [root], cwd: root },
  };
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
