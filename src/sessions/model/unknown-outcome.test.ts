import { afterAll, expect, test } from 'vitest';
import { CLIENT_LOGS, placeLog } from '../../../test/fixtures/client-logs/fixtures.ts';
import { openTables } from '../../../test/fixtures/sessions/ask-tables.ts';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { PROVIDERS } from '../providers/index.ts';

const home = temporaryFolder();
for (const log of CLIENT_LOGS) if (log.name === 'aider') placeLog(log, home);
const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS] });
const { file } = await desk.sessions.database(new AbortController().signal);
const tables = openTables(file ?? '');
afterAll(async () => {
  tables.close();
  await desk.close(true);
});

/* Aider logs the commands that it ran, but not how they ended. */

test('a command whose outcome is not in the log is neither pending nor fine', () => {
  expect(
    tables.ask("SELECT status, exit_code, check_failed, error FROM calls WHERE kind = 'execute'"),
  ).toEqual([{ status: 'unknown', exit_code: null, check_failed: null, error: null }]);
  expect(tables.ask("SELECT count(*) AS n FROM calls WHERE status = 'pending'")).toEqual([{ n: 0 }]);
});

test.each(['cli', 'rest', 'mcp', 'page'] as const)('over %s, its step says unknown', async (door) => {
  const [{ session, turn } = {}] = tables.ask("SELECT session, turn FROM calls WHERE kind = 'execute'");
  const input = { session_id: String(session), turn_index: Number(turn) };
  const { data } = await desk.ask('get_turn_steps', input, { door });
  const calls = data.steps.flatMap(({ tools }: { tools: readonly object[] }) => tools);
  expect(calls).toContainEqual(expect.objectContaining({ name: 'run', status: 'unknown' }));
  expect(await desk.text('get_turn_steps', input, { door: 'cli' })).toMatch(/^.*run .* {2}unknown$/m);
});
