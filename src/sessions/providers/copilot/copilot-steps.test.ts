import { afterAll, expect, test } from 'vitest';
import { CLIENT_LOGS, placeLog } from '../../../../test/fixtures/client-logs/fixtures.ts';
import { openDesk } from '../../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../../test/support.ts';
import { copilot } from './index.ts';

const home = temporaryFolder();
for (const log of CLIENT_LOGS) if (log.name === 'copilot') placeLog(log, home);
const desk = await openDesk({ home, folders: undefined, providers: [copilot] });
afterAll(() => desk.close(true));

test('the tokens of a response belong to its step, although they are written before it', async () => {
  const [session] = await desk.sessions.list.page({}, undefined, 1);
  const tokensOf = async (turn: number) => {
    const { data } = await desk.ask('get_turn_steps', { session_id: session?.id, turn_index: turn });
    return data.steps.map(({ tokens }: { tokens?: number }) => tokens);
  };
  expect(await tokensOf(0)).toEqual([1_090, 1_101, 1_112]);
  // The second and third are those of a subagent.
  expect(await tokensOf(1)).toEqual([1_090, 1_090, 1_101, 1_101]);
});
