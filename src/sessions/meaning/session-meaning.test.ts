import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claude, lines, resetClock, text, tick, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';
import type { Caller } from '../../contract/caller.ts';

const CACHE = '5e55a001-0000-4000-8000-000000000001';
const LOGIN = '5e55a002-0000-4000-8000-000000000002';
const CHART = '5e55a003-0000-4000-8000-000000000003';

let app: OpenApp;
let logs: string;

beforeEach(async () => {
  resetClock();
  const home = temporaryFolder();
  logs = join(home, '.claude/projects/p');
  app = await temporaryApp({ env: { HOME: home } });
  talk(CACHE, '/home/dev/shop', [
    [
      'how should we store cached pages on disk?',
      'We choose a binary format with checksums for cached pages.',
    ],
  ]);
  talk(LOGIN, '/home/dev/shop', [
    ['people are logged out too early', 'The cookie of the login expires after an hour.'],
  ]);
  talk(CHART, '/home/dev/charts', [['draw bars instead of lines', 'The chart draws bars now.']]);
});
afterEach(() => app.close());

function talk(id: string, cwd: string, said: readonly (readonly [prompt: string, answer: string])[]): void {
  const main = claude({ id, cwd });
  writeLog(
    join(logs, `${id}.jsonl`),
    lines(
      said.flatMap(([prompt, answer], at) => [
        main.prompt(prompt),
        main.answer(`msg_${id}_${at}`, text(answer)),
      ]),
    ),
  );
  tick(3600);
}

const search = async (query: string, more = {}, who: Partial<Caller> = {}) => {
  await app.services.sessions.reading.refresh();
  const { body } = await ask(app, 'search_event_previews', { query, meaning: true, ...more }, who);
  return body;
};
const found = async (query: string, more = {}, who: Partial<Caller> = {}): Promise<string[]> => {
  const { data } = await search(query, more, who);
  return [...new Set<string>(data.matches.map((match: { session_id: string }) => match.session_id))];
};

test('the session where something was decided comes first, with what was said', async () => {
  const { data } = await search('where did we decide how the cache is stored');
  expect(data.order).toBe('meaning');
  expect(data.matches[0]).toMatchObject({ session_id: '5e55a001', turn_index: 0 });
  expect(data.matches.slice(0, 2).map((match: { preview: string }) => match.preview)).toContain(
    'We choose a binary format with checksums for cached pages.',
  );
  expect((await found('user sign in ends too soon'))[0]).toBe('5e55a002');
});

test('filters by project and time; callers see only their own projects', async () => {
  expect(await found('cache format', { project: '/home/dev/charts' })).toEqual(['5e55a003']);
  const [first] = (await search('login cookie')).data.matches;
  expect(await found('cache format', { until: first.timestamp, session_id: LOGIN })).toEqual(['5e55a002']);
  expect(await found('cache format', {}, { sessions: 'project', roots: ['/home/dev/charts'] })).toEqual([
    '5e55a003',
  ]);
});

test('what is said later is found later', async () => {
  await found('cache');
  const again = [
    ['draw bars instead of lines', 'The chart draws bars now.'],
    ['which colours suit people who are colour-blind?', 'Blue and orange, from the Okabe palette.'],
  ] as const;
  resetClock();
  talk(CHART, '/home/dev/charts', again);
  const { data } = await search('palette for the colour blind');
  expect(data.matches[0]).toMatchObject({ session_id: '5e55a003', turn_index: 1 });
});

test('a regex or a filter on calls is refused', async () => {
  expect((await search('cache', { regex: true })).error).toMatchObject({ code: 'invalid_parameter' });
  expect((await search('cache', { status: 'failed' })).error).toMatchObject({ code: 'invalid_parameter' });
});
