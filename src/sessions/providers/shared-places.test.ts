import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLIENT_LOGS, placeLog } from '../../../test/fixtures/client-logs/fixtures.ts';
import { type Desk, type DeskOptions, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { loadDriver } from '../../store/sqlite.ts';
import { PROVIDERS } from './index.ts';

function place(home: string, ...names: readonly string[]): void {
  for (const log of CLIENT_LOGS.filter(({ name }) => names.includes(name))) placeLog(log, home);
}

async function open(home: string, options: DeskOptions = {}): Promise<Desk> {
  const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS], ...options });
  onTestFinished(() => desk.close(true));
  return desk;
}

const agents = async ({ sessions }: Desk) =>
  (await sessions.list.page({}, undefined, 50)).map(({ provider }) => provider).sort();

test.each(['DELETE', 'WAL'])('a database that its program has locked (%s) is read', async (journal) => {
  const home = temporaryFolder();
  place(home, 'opencode', 'pi');
  const held = new (loadDriver())(join(home, '.local/share/opencode/opencode.db'));
  onTestFinished(() => held.close());
  held.exec(`PRAGMA journal_mode = ${journal}; BEGIN EXCLUSIVE; UPDATE session SET title = 'not yet'`);
  const desk = await open(home);
  expect(desk.sessions.reading.unreadable()).toEqual([]);
  expect(await agents(desk)).toEqual(['opencode', 'pi']);
  held.exec('COMMIT');
});

test('a folder that two agents share: each log is read once', async () => {
  const home = temporaryFolder();
  place(home, 'pi');
  const path = join(home, '.pi/agent/sessions');
  const desk = await open(home, {
    folders: [
      { provider: 'pi', path },
      { provider: 'omp', path },
    ],
  });
  expect(await agents(desk)).toEqual(['pi']);
});

test('a home without any agent has no sessions and nothing to report', async () => {
  const desk = await open(temporaryFolder());
  expect(await agents(desk)).toEqual([]);
  expect(await desk.sessions.reading.health()).toMatchObject({ files: 0, unknown: [], badLines: 0 });
  expect(await desk.text('usage', {})).toContain('No usage.');
});
