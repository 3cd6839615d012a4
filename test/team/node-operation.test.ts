import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Background } from '../../src/daemon/background.ts';
import { claude } from '../fixtures/sessions/logs.ts';
import { temporaryFolder } from '../support.ts';
import { addressOf, logMessage, startNode } from './nodes.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

/* How a node of a team server is run: where it listens, what it limits, what it shows to monitoring. */

let pg: TestPostgres;
let url = '';
let node: Background;
const tokens = { read: '', collect: '' };

beforeAll(async () => {
  pg = await startPostgres();
  url = await pg.database();
});
afterAll(async () => {
  await node?.stop();
  await pg?.stop();
});

const settingsFile = (content: unknown) => {
  const file = join(temporaryFolder(), 'team.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { PINHOLE_TEAM_SETTINGS: file };
};

const get = (path: string, token?: string) =>
  fetch(
    `${addressOf(node)}${path}`,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );

test('a node does not listen beyond this machine before there is a token or a provider', async () => {
  await expect(startNode(url, { host: '0.0.0.0' })).rejects.toMatchObject({
    code: 'conflict',
    message:
      'This team server has no token and no provider yet, so it does not listen on 0.0.0.0. Make a token first: pinhole team token create NAME',
  });
  const first = await startNode(url);
  const team = first.app.services.team?.tokens;
  tokens.read = (await team?.create({ name: 'reads', scopes: ['read'], projects: undefined })) ?? '';
  tokens.collect = (await team?.create({ name: 'collects', scopes: ['collect'], projects: undefined })) ?? '';
  await first.stop();
  node = await startNode(url, {
    host: '0.0.0.0',
    env: settingsFile({ address: 'https://pinhole.example.com', requests_per_minute: 120 }),
  });
  expect((await get('/healthz')).status).toBe(200);
  expect((await get('/api/agent-sessions')).status).toBe(401);
});

test.each([
  ['rubbish', /is not JSON/],
  [{}, /address: Invalid input/],
  [{ address: 'https://pinhole.example.com/team' }, /address: must be without path/],
  [{ address: 'https://pinhole.example.com', adress: 1 }, /settings: Unrecognized key: "adress"/],
  [
    { address: 'http://pinhole.example.com', provider: provider({}) },
    /address: must begin with https:\/\/ unless it is on this machine/,
  ],
  [
    { address: 'https://pinhole.example.com', provider: provider({ issuer: 'http://login.example.com' }) },
    /provider\.issuer: must begin with https/,
  ],
  [
    { address: 'https://pinhole.example.com', provider: provider({ people: [{ projects: 'all' }] }) },
    /provider\.people\.0: needs either email or claim/,
  ],
  [
    {
      address: 'https://pinhole.example.com',
      provider: provider({ people: [{ email: '*', projects: 'all' }] }),
    },
    /provider\.people\.0\.email: must look like/,
  ],
])('settings %j are refused with their place', async (content, message) => {
  await expect(startNode(url, { env: settingsFile(content) })).rejects.toThrow(message);
});

function provider(changes: Readonly<Record<string, unknown>>) {
  return {
    issuer: 'https://login.example.com',
    client_id: 'pinhole',
    people: [{ email: '*@example.com', projects: 'all' }],
    ...changes,
  };
}

test('links in answers lead to the address for the outside, whatever the headers of a request say', async () => {
  await node.app.services.team?.receive(
    logMessage({
      id: 'aaaaaaaa-1111-4111-8111-111111111111',
      project: 'example.com/acme/api',
      root: '/srv',
      records: [claude({ id: 'aaaaaaaa-1111-4111-8111-111111111111' }).prompt('hello')],
    }),
  );
  const answer = await fetch(`${addressOf(node)}/api/agent-sessions`, {
    headers: {
      authorization: `Bearer ${tokens.read}`,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    },
  });
  const text = await answer.text();
  expect(text).toContain('https://pinhole.example.com/');
  expect(text).not.toContain('evil.example');
});

test('monitoring sees calls, collectors, events and the database, without names', async () => {
  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/metrics', tokens.collect)).status).toBe(403);
  await get('/api/agent-sessions/made-up', tokens.read);
  const answer = await get('/metrics', tokens.read);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(value('pinhole_events_received_total')).toBe(1);
  expect(value('pinhole_collectors')).toBe(1);
  expect(value('pinhole_collectors_seen')).toBe(1);
  expect(value('pinhole_collect_lag_seconds')).toBeLessThan(60);
  expect(value('pinhole_database_up')).toBe(1);
  expect(value('pinhole_database_errors_total')).toBe(0);
  expect(value('pinhole_messages_waiting')).toBe(0);
  expect(value('pinhole_jobs\\{status="queued"\\}')).toBe(0);
  expect(value('pinhole_calls_total\\{operation="list_sessions",code="ok",door="rest"\\}')).toBe(1);
  expect(
    value('pinhole_calls_total\\{operation="get_session_summary",code="session_not_found",door="rest"\\}'),
  ).toBe(1);
  // Each line is a comment, or a name with labels and a number.
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[\w.+]*",?)+\})? -?[\d.]+(?:e[+-]?\d+)?)$/,
    );
  for (const name of ['laptop', 'ann', 'acme', 'reads', 'made-up']) expect(text).not.toContain(name);
});

test('a token that asks too often gets a Retry-After; others do not', async () => {
  const other = await node.app.services.team?.tokens.create({
    name: 'other',
    scopes: ['read'],
    projects: undefined,
  });
  let refused: Response | undefined;
  for (let i = 0; i < 200 && refused === undefined; i++) {
    const answer = await get('/api/health', tokens.read);
    await answer.arrayBuffer();
    if (answer.status === 429) refused = answer;
  }
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await get('/api/health', other)).status).toBe(200);
});

test('a node is ready while its database answers and has the schema that it knows', async () => {
  const ready = async () => {
    const answer = await get('/readyz');
    return [answer.status, await answer.text()];
  };
  expect(await ready()).toEqual([200, 'ok\n']);
  const { default: driver } = await import('pg');
  const client = new driver.Client({ connectionString: url });
  await client.connect();
  await client.query("INSERT INTO pinhole.schema_steps (id, name) VALUES (999, 'of a newer version')");
  expect(await ready()).toEqual([503, expect.stringContaining('the schema of another version of Pinhole')]);
  await client.query('DELETE FROM pinhole.schema_steps WHERE id = 999');
  await client.end();
  expect(await ready()).toEqual([200, 'ok\n']);
  await pg.kill();
  expect((await ready())[0]).toBe(503);
  expect((await get('/healthz')).status).toBe(200);
  await pg.start();
  await expect.poll(ready).toEqual([200, 'ok\n']);
});
