import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isHeld } from '../src/connect/data-holder.ts';
import { CLIENT_LOGS, placeLog } from './fixtures/client-logs/fixtures.ts';
import { MAIN, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

const user = temporaryFolder();
const [first, second, third] = [processHome(), processHome(), processHome()];
for (const log of CLIENT_LOGS) placeLog(log, user);

interface Usage {
  readonly data: { readonly usage: readonly { readonly group: string; readonly total: number }[] };
  readonly pagination: { readonly next_cursor?: string };
}

function asker(env: NodeJS.ProcessEnv) {
  return (...args: string[]): Promise<Usage> =>
    new Promise((done, failed) =>
      execFile(process.execPath, [MAIN, 'sessions', 'usage', ...args, '--json'], { env }, (error, out) =>
        error ? failed(error) : done(JSON.parse(out)),
      ),
    );
}

test('a machine where nothing is read: the command answers by itself, as the background process does later', async () => {
  const { home } = first;
  const env = { ...first.env, HOME: user };
  const usage = asker({ ...env, PINHOLE_LOCAL: '1' });
  const cold = await usage('agent');
  expect(existsSync(join(home, 'sessions.db'))).toBe(false);
  expect(isHeld(home)).toBe(false);
  expect(cold.data.usage.length).toBeGreaterThan(10);
  const later = asker(env);
  // A list that goes on has a cursor, which only the background process can continue.
  const [largest, ...others] = cold.data.usage;
  const page = await later('agent', '--limit', '1');
  expect(page.data.usage).toEqual([largest]);
  const rest = await later('--cursor', page.pagination.next_cursor ?? '', '--limit', '50');
  expect(rest.data.usage).toEqual(others);
  expect(existsSync(join(home, 'sessions.db'))).toBe(true);
  expect((await later('agent')).data).toEqual(cold.data);
});

test('the background process is started for the next question', async () => {
  const { home } = second;
  const usage = asker({ ...second.env, HOME: user });
  const cold = await usage('model');
  await expect.poll(() => existsSync(join(home, 'sessions.db')), { timeout: 30_000 }).toBe(true);
  expect((await usage('model')).data).toEqual(cold.data);
});

test('a stop right after the first answer also stops what that answer started', async () => {
  const env = { ...third.env, HOME: user };
  await asker(env)('day');
  const said = await new Promise((done) =>
    execFile(process.execPath, [MAIN, 'stop'], { env }, (_error, out) => done(out)),
  );
  expect(said).toBe('Pinhole stopped.\n');
  expect(isHeld(third.home)).toBe(false);
});
