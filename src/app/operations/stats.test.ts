import { expect, test } from 'vitest';
import { ask, temporaryApp } from '../../../test/support.ts';
import type { AuditEntry } from '../../contract/audit-log.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 15);

test('stats counts calls, errors and pages of the days asked for', async () => {
  const app = await temporaryApp({ now: () => NOW });
  const call = (operation: string, more: Partial<AuditEntry> = {}) =>
    app.services.audit.record({
      ...{ at: NOW - 1000, client: 'agent 1', door: 'mcp', outcome: 'ok', paged: false },
      ...{ bytes_in: 10, bytes_out: 100, tokens: 30, ms: 2, operation, ...more },
    });
  call('get_session_turns');
  call('get_session_turns', { paged: true });
  call('get_session_turns', { door: 'cli', ms: 5 });
  call('get_session_summary', { outcome: 'session_not_found' });
  call('get_session_summary', { outcome: 'cancelled' });
  // Too long ago.
  call('get_turn_steps', { at: NOW - 8 * DAY });

  const { body } = await ask(app, 'stats', {}, { door: 'cli' });
  expect(body.data).toEqual({
    ...{ days: 7, calls: 5, errors: 1, bytes_out: 500, tokens: 150 },
    operations: [
      {
        ...{ operation: 'get_session_turns', calls: 3, errors: 0, paged: 1 },
        ...{ bytes_out: 300, tokens: 90, ms_average: 3, ms_max: 5 },
      },
      {
        ...{ operation: 'get_session_summary', calls: 2, errors: 1, paged: 0 },
        ...{ bytes_out: 200, tokens: 60, ms_average: 2, ms_max: 2 },
      },
    ],
  });
});

test('agents and people are counted separately', async () => {
  const app = await temporaryApp();
  await ask(app, 'health', {});
  await ask(app, 'health', {}, { door: 'rest' });
  await ask(app, 'health', {}, { door: 'page' });
  const calls = async (who: string) =>
    (await ask(app, 'stats', { who }, { door: 'cli' })).body.data.operations[0].calls;
  expect(await calls('agents')).toBe(2);
  const { body } = await ask(app, 'audit', { who: 'people' }, { door: 'cli' });
  expect(body.data.calls.map((call: { door: string }) => call.door)).toEqual(['cli', 'page']);
  const wrong = await ask(app, 'stats', { who: 'everybody' });
  expect(wrong.body.error.code).toBe('invalid_parameter');
});
