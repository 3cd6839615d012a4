import { expect, test } from 'vitest';
import type { AuditEntry } from '../src/contract/audit.ts';
import { ask, temporaryHouse } from './support.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 15);

test('stats counts errors, repeats and pages, and shows how far agents go down', async () => {
  const house = await temporaryHouse({ now: () => NOW });
  const call = (caller: string, operation: string, more: Partial<AuditEntry> = {}) =>
    house.services.audit.record({
      ...{ at: NOW - 1000, client: 'agent 1', door: 'mcp', outcome: 'ok', paged: false, repeated: false },
      ...{ bytes_in: 10, bytes_out: 100, tokens: 30, ms: 2, caller, operation, ...more },
    });
  call('a', 'list_sessions');
  call('a', 'get_session_summary');
  call('a', 'get_session_turns');
  call('a', 'get_session_turns', { paged: true });
  call('a', 'get_turn_steps');
  call('b', 'get_session_turns', { repeated: true });
  call('b', 'list_sessions');
  call('b', 'get_session_summary');
  call('c', 'search_event_previews');
  // Not counted: failed, by a person, long ago.
  call('c', 'get_session_summary', { outcome: 'session_not_found' });
  call('p', 'get_session_turns', { door: 'cli' });
  call('o', 'get_turn_steps', { at: NOW - 8 * DAY });

  const { body } = await ask(house, 'stats', {}, { door: 'cli' });
  expect(
    body.data.operations.find((o: { operation: string }) => o.operation === 'get_session_turns'),
  ).toEqual({
    ...{ operation: 'get_session_turns', calls: 4, errors: 0, paged: 1, repeated: 1 },
    ...{ bytes_out: 400, tokens: 120, ms_average: 2, ms_max: 2 },
  });
  expect(body.data.errors).toBe(1);
  expect(body.data.sessions_funnel).toEqual([
    { level: 'find', calls: 3, callers: 3 },
    { level: 'summary', calls: 2, callers: 2, from_above: 2 },
    { level: 'turns', calls: 3, callers: 2, from_above: 1 },
    { level: 'steps', calls: 1, callers: 1, from_above: 1 },
    { level: 'events', calls: 0, callers: 0, from_above: 0 },
  ]);
  const text = await house.engine.run(
    'stats',
    {},
    {
      caller: { door: 'cli', client: 'cli', id: 'x', roots: [], budget: 8000, format: 'text' },
    },
  );
  expect(text.rendered.text).toContain(
    'Sessions, calls by connections of agents: find 3 by 3 → summary 2 by 2 (2 of 3 went on) → turns 3 by 2 (1 of 2 went on) → steps 1 by 1 (1 of 2 went on) → events 0 by 0 (0 of 1 went on)',
  );
});

test('a repeated call is marked in the audit', async () => {
  const house = await temporaryHouse();
  await ask(house, 'health', {});
  await ask(house, 'health', {});
  const { body } = await ask(house, 'audit', {}, { door: 'cli' });
  expect(
    body.data.calls.map((c: { operation: string; repeated?: true }) => [c.operation, c.repeated]),
  ).toEqual([
    ['health', true],
    ['health', undefined],
  ]);
});

test('agents and people are told apart', async () => {
  const house = await temporaryHouse();
  await ask(house, 'health', {});
  await ask(house, 'health', {}, { door: 'rest' });
  await ask(house, 'health', {}, { door: 'page' });
  const calls = async (who: string) =>
    (await ask(house, 'stats', { who }, { door: 'cli' })).body.data.operations[0].calls;
  expect(await calls('agents')).toBe(2);
  const { body } = await ask(house, 'audit', { who: 'people' }, { door: 'cli' });
  expect(body.data.calls.map((call: { door: string }) => call.door)).toEqual(['cli', 'page']);
  const wrong = await ask(house, 'stats', { who: 'everybody' });
  expect(wrong.body.error.code).toBe('invalid_parameter');
});
