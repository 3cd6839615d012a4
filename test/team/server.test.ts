import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLANTED } from '../../src/contract/redact/planted.fixture.ts';
import { type Background, startBackground } from '../../src/daemon/background.ts';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { logFolders } from '../../src/sessions/providers/log-files.ts';
import { openPositions, type Positions } from '../../src/team/collect-positions.ts';
import { createCollector } from '../../src/team/collector.ts';
import { followLogs } from '../../src/team/follow-logs.ts';
import { sendMessage } from '../../src/team/send-message.ts';
import { temporaryFolder } from '../support.ts';
import { messageOf, recordsOf } from './messages.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

let pg: TestPostgres;
let url = '';
const nodes: Background[] = [];
const token: Record<'read' | 'collect' | 'other', string> = { read: '', collect: '', other: '' };

async function startNode(url: string): Promise<Background> {
  process.env.PINHOLE_DATABASE_URL = url;
  try {
    const options = { host: '127.0.0.1', port: 0, strictPort: true, idleMs: undefined };
    const node = await startBackground({ home: temporaryFolder(), ...options });
    if (node === undefined) throw new Error('no node');
    nodes.push(node);
    return node;
  } finally {
    delete process.env.PINHOLE_DATABASE_URL;
  }
}

const addressOf = (at: number) => `http://127.0.0.1:${nodes[at]?.port}`;

beforeAll(async () => {
  pg = await startPostgres();
  url = await pg.database();
  const first = await startNode(url);
  await startNode(url);
  const tokens = first.app.services.team?.tokens;
  if (tokens === undefined) throw new Error('no team');
  token.read = await tokens.create({ name: 'reads', scopes: ['read'], projects: undefined });
  token.collect = await tokens.create({ name: 'collects', scopes: ['collect'], projects: undefined });
  token.other = await tokens.create({
    name: 'elsewhere',
    scopes: ['read'],
    projects: ['example.com/acme/web'],
  });
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await pg?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const json = async (answer: Response): Promise<any> => answer.json();
const get = (at: number, path: string, given: string) =>
  fetch(`${addressOf(at)}${path}`, { headers: { authorization: `Bearer ${given}` } });
const post = (at: number, body: unknown, given: string) =>
  fetch(`${addressOf(at)}/api/collect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${given}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

interface Machine {
  readonly folder: string;
  readonly positions: Positions;
  readonly collector: ReturnType<typeof createCollector>;
  readonly folders: ReturnType<typeof logFolders>;
}

async function machineAt(
  at: number,
  signal = new AbortController().signal,
  patienceMs?: number,
): Promise<Machine> {
  const home = temporaryFolder();
  const folder = join(home, '.claude/projects/-srv-app');
  mkdirSync(folder, { recursive: true });
  const positions = await openPositions(join(home, 'collect.db'), 'server');
  const folders = logFolders(PROVIDERS, { HOME: home });
  const collector = createCollector({
    providers: PROVIDERS,
    folders,
    positions,
    sender: { machine: { id: positions.machine, name: 'laptop' }, person: 'ann', version: '0' },
    send: (message) => sendMessage(message, { to: addressOf(at), token: token.collect, patienceMs, signal }),
    log: () => {},
  });
  return { folder, positions, collector, folders };
}

const line = (id: string, text: string, at = Date.now()) =>
  `${JSON.stringify({ type: 'user', uuid: `${id}-${text}`, sessionId: id, cwd: '/srv/app', timestamp: new Date(at).toISOString(), message: { role: 'user', content: text } })}\n`;

test('a token opens what its scopes say, and nothing once it is revoked', async () => {
  const message = messageOf({ records: recordsOf(3) });
  expect((await post(0, message, token.read)).status).toBe(403);
  expect((await post(0, message, 'pinhole_made-up')).status).toBe(401);
  expect((await get(0, '/api/agent-sessions', token.collect)).status).toBe(403);
  expect((await get(0, '/mcp', token.collect)).status).toBe(403);
  expect(await (await post(0, message, token.collect)).json()).toMatchObject({ added: 3 });
  expect(await (await post(1, { ...message, extra: 1 }, token.collect)).json()).toMatchObject({
    error: { code: 'invalid_parameter' },
  });
  const list = async (given: string) =>
    (await json(await get(1, '/api/agent-sessions', given))).data.sessions;
  expect(await list(token.read)).toMatchObject([{ id: '5e55a001', turn_count: 3 }]);
  const of = async (filter: string) =>
    (await json(await get(0, `/api/agent-sessions?${filter}`, token.read))).data.sessions.length;
  expect(await Promise.all(['machine=laptop&person=ann', 'machine=desk', 'person=bob'].map(of))).toEqual([
    1, 0, 0,
  ]);
  const usage = await json(await get(0, '/api/agent-events?query=prompt&person=bob', token.read));
  expect(usage.data.matches).toEqual([]);
  // It sees another project alone.
  expect(await list(token.other)).toEqual([]);
  expect((await get(1, '/api/agent-sessions/5e55a001', token.other)).status).toBe(404);
  const team = nodes[0]?.app.services.team;
  const turned = (await team?.tokens.rotate('elsewhere')) ?? '';
  expect((await get(1, '/api/agent-sessions', token.other)).status).toBe(401);
  expect((await get(1, '/api/agent-sessions', turned)).status).toBe(200);
  await team?.tokens.revoke('elsewhere');
  expect((await get(1, '/api/agent-sessions', turned)).status).toBe(401);
  const audit = nodes[0]?.app.services.audit;
  await audit?.flush();
  const calls = (await audit?.newest(undefined, 50)) ?? [];
  expect(calls.find(({ operation, outcome }) => operation === 'collect' && outcome === 'ok')?.client).toMatch(
    /^collects: /,
  );
});

test('what is appended is found on another node within 5 seconds', async () => {
  const ending = new AbortController();
  const { folder, collector, folders, positions } = await machineAt(0, ending.signal);
  const id = 'f0110a00-0000-4000-8000-000000000001';
  const log = join(folder, `${id}.jsonl`);
  writeFileSync(log, line(id, 'begin'));
  const following = followLogs(collector, folders, ending.signal, () => {});
  const found = async (text: string) => {
    const answer = await get(1, `/api/agent-events?query=${encodeURIComponent(text)}`, token.read);
    return (await json(answer)).data.matches.length;
  };
  await expect.poll(() => found('begin'), { interval: 100 }).toBe(1);
  const appended = performance.now();
  appendFileSync(log, line(id, 'appended just now'));
  await expect.poll(() => found('appended just now'), { interval: 50 }).toBe(1);
  const took = performance.now() - appended;
  ending.abort();
  await following;
  await positions.close();
  expect(took).toBeLessThan(5_000);
});

test('while the database is away collectors wait, and nothing is lost or doubled', async () => {
  const { folder, collector, positions } = await machineAt(1);
  const id = 'd0440a00-0000-4000-8000-000000000001';
  const log = join(folder, `${id}.jsonl`);
  // The clock of this machine is a day ahead.
  writeFileSync(log, line(id, 'first', Date.now() + 86_400_000));
  expect(await collector.all()).toMatchObject({ records: 1 });
  expect((await get(1, '/readyz', '')).status).toBe(200);
  await pg.kill();
  expect([(await get(1, '/readyz', '')).status, (await get(1, '/healthz', '')).status]).toEqual([503, 200]);
  const refused = await post(1, messageOf({ records: recordsOf(3) }), token.collect);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await refused.json()).toMatchObject({ error: { code: 'unavailable', retryable: true } });
  expect((await get(1, '/api/agent-sessions', token.read)).status).toBe(503);
  appendFileSync(log, line(id, 'second') + line(id, 'third'));
  const sending = collector.all();
  await pg.start();
  expect(await sending).toMatchObject({ records: 2, failed: 0 });
  expect(await collector.all()).toEqual({ logs: 0, records: 0, failed: 0 });
  const summary = await json(await get(0, `/api/agent-sessions/${id}`, token.read));
  expect(summary.data.stats?.total_events ?? summary.data.event_count).toBe(3);
  await positions.close();
});

test('a token that is revoked in the middle stops the collector, which goes on with another', async () => {
  const tokens = nodes[0]?.app.services.team?.tokens;
  const add = (name: string) => tokens?.create({ name, scopes: ['collect'], projects: undefined });
  let given = (await add('first')) ?? '';
  const { folder, folders, positions } = await machineAt(0);
  const id = '4e70ced0-0000-4000-8000-000000000001';
  const lines = Array.from({ length: 2_500 }, (_, at) => line(id, `record ${at}`, 1_790_000_000_000 + at));
  writeFileSync(join(folder, `${id}.jsonl`), lines.join(''));
  let messages = 0;
  const collector = createCollector({
    providers: PROVIDERS,
    folders,
    positions,
    sender: { machine: { id: positions.machine, name: 'laptop' }, person: 'ann', version: '0' },
    send: async (message) => {
      const signal = new AbortController().signal;
      const answer = await sendMessage(message, {
        to: addressOf(0),
        token: given,
        patienceMs: 60_000,
        signal,
      });
      if (++messages === 1) await tokens?.revoke('first');
      return answer;
    },
    log: () => {},
  });
  await expect(collector.all()).rejects.toMatchObject({
    code: 'unauthorized',
    message: expect.stringContaining('revoked'),
  });
  expect(messages).toBe(1);
  given = (await add('second')) ?? '';
  await collector.all();
  expect(messages).toBeGreaterThan(1);
  const summary = await json(await get(0, `/api/agent-sessions/${id}`, token.read));
  expect(summary.data.stats?.total_events ?? summary.data.event_count).toBe(2_500);
  await positions.close();
});

/** `npm run test:team` plants 10,000. */
const SECRETS = Number(process.env.PINHOLE_TEAM_SECRETS ?? 1_000);

test('of thousands of secrets none leaves the machine, and none is in the database', async () => {
  const { folder, folders, positions } = await machineAt(0);
  const id = '5ec4e700-0000-4000-8000-000000000001';
  expect(new Set(PLANTED.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(40);
  const log = join(folder, `${id}.jsonl`);
  let planted = 0;
  const lines: string[] = [];
  while (planted < SECRETS) for (const { text } of PLANTED) lines.push(...placesOf(id, text, planted++));
  writeFileSync(log, lines.join(''));
  const sent: string[] = [];
  const send: typeof fetch = async (to, init) => {
    if (init?.body instanceof Uint8Array) sent.push(gunzipSync(init.body).toString('utf8'));
    return fetch(to, init);
  };
  const collector = createCollector({
    providers: PROVIDERS,
    folders,
    positions,
    sender: { machine: { id: positions.machine, name: 'laptop' }, person: 'ann', version: '0' },
    send: (message) =>
      sendMessage(message, {
        to: addressOf(0),
        token: token.collect,
        patienceMs: 60_000,
        signal: new AbortController().signal,
        fetch: send,
      }),
    log: () => {},
  });
  expect(await collector.all()).toMatchObject({ records: planted, failed: 0 });
  await positions.close();
  const wire = sent.join('\n');
  const stored = await pg.dump(url);
  const leaked = (where: string) =>
    PLANTED.filter(({ secret }) => partsOf(secret).some((part) => where.includes(part))).map(
      ({ kind }) => kind,
    );
  expect(leaked(lines.join('\n')).length).toBe(PLANTED.length);
  expect(wire.length).toBeGreaterThan(200 * SECRETS);
  expect(stored.length).toBeGreaterThan(200 * SECRETS);
  expect([leaked(wire), leaked(stored)]).toEqual([[], []]);
});

/** What must not be anywhere: the secret, or a line of it. */
function partsOf(secret: string): readonly string[] {
  const lines = secret.split('\n').filter((part) => part.length >= 20 && !part.startsWith('-----'));
  return [secret, JSON.stringify(secret).slice(1, -1), ...lines];
}

/** One secret in a prompt, in the output of a tool, in the input of one, or in JSON inside of text. */
function placesOf(id: string, text: string, number: number): readonly string[] {
  const of = (type: string, content: unknown) =>
    `${JSON.stringify({ type, uuid: `${id}-${number}`, sessionId: id, cwd: '/srv/app', timestamp: new Date(1_790_000_000_000 + number).toISOString(), message: { role: type, id: `msg_${number}`, content } })}\n`;
  const forms = [
    () => of('user', `please use\n${text}\nfor this`),
    () => of('user', [{ type: 'tool_result', tool_use_id: `t${number}`, content: `$ cat .env\n${text}\n` }]),
    () =>
      of('assistant', [
        { type: 'tool_use', id: `t${number}`, name: 'Bash', input: { command: `run <<EOF\n${text}\nEOF` } },
      ]),
    () => of('assistant', [{ type: 'text', text: JSON.stringify({ config: text }) }]),
  ];
  return [(forms[number % forms.length] ?? (() => ''))()];
}

test('without its database a node does not start, and says that it may be tried again', async () => {
  await expect(startNode('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
  });
});
