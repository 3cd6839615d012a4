import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Background } from '../../src/daemon/background.ts';
import { formatsOf } from '../../src/http/formats.ts';
import { routesOf } from '../../src/http/routes.ts';
import { TOOLS } from '../../src/mcp/tools.data.ts';
import { call, claude, text, thinking } from '../fixtures/sessions/logs.ts';
import { temporaryRepository } from '../git.ts';
import { addressOf, logMessage, startNode } from './nodes.ts';
import { type SharedPostgres, sharedPostgres } from './postgres.ts';

/*
 * Two projects on one team server. Everything about one of them contains a word; every operation is asked about it,
 * through REST in every format and through MCP, with a token that sees only the other project.
 */

const WORD = 'xylophonequartz';
/** Finds the word without naming it: an error may repeat what was asked. */
const PART = 'xylophoneq';
const OWN = 'aaaaaaaa-1111-4111-8111-111111111111';
const HIDDEN = 'bbbbbbbb-2222-4222-8222-222222222222';
const AGENT = 'cccccccc-3333-4333-8333-333333333333';
const OWN_PROJECT = 'example.com/acme/api';

let pg: SharedPostgres;
let node: Background;
let url = '';
let repository = '';
const tokens = { all: '', one: '', admin: '' };

beforeAll(async () => {
  pg = await sharedPostgres();
  url = await pg.database();
  node = await startNode(url);
  const { root, write, commit } = await temporaryRepository();
  repository = root;
  for (const [id, project, word] of [
    [OWN, OWN_PROJECT, 'harmless'],
    [HIDDEN, `example.com/acme/${WORD}`, WORD],
    [AGENT, `example.com/acme/${WORD}`, WORD],
  ] as const)
    await node.app.services.team?.receive(
      logMessage({
        id,
        project,
        root: repository,
        machine: `machine-${word}`,
        person: `person-${word}`,
        records: recordsOf(id, word, repository),
        ...(id === AGENT && { parent: HIDDEN }),
      }),
    );
  write('harmless.ts', `export const harmless = 1;\n`);
  write('hidden.ts', `export const one = '${PART}';\nexport const two = 'written by an agent';\n`);
  commit('two files', '2026-03-01T12:00:00Z');
  await node.app.services.allowed.add(repository);
  const team = node.app.services.team?.tokens;
  if (team === undefined) throw new Error('no team');
  tokens.all = await team.create({ name: 'all', scopes: ['read'], projects: undefined });
  tokens.one = await team.create({ name: 'one', scopes: ['read'], projects: [OWN_PROJECT] });
  tokens.admin = await team.create({ name: 'admin', scopes: ['admin'], projects: [OWN_PROJECT] });
});

afterAll(async () => {
  await node?.stop();
});

/** Prompts, reasoning, answers, an edit, a failure and its repair; the word is in each of them. */
function recordsOf(id: string, word: string, root: string): readonly unknown[] {
  const log = claude({
    id,
    cwd: join(root, word === WORD ? word : '.'),
    ...(id === AGENT && { extra: { isSidechain: true } }),
  });
  const edited = join(root, word === WORD ? 'hidden.ts' : 'harmless.ts');
  const content = `export const one = '${PART}';\nexport const two = 'written by an agent';\n`;
  return [
    log.prompt(`please look at ${word}`),
    log.answer(`msg_${id}_1`, thinking(`I think of ${word}.`)),
    log.answer(`msg_${id}_1`, call('t1', 'Read', { file_path: `/elsewhere/${word}.ts` })),
    log.result('t1', word),
    log.answer(`msg_${id}_2`, call('t2', 'Bash', { command: `go test ./... -run ${word}` })),
    log.result('t2', '# shop\n./cart.go:12:4: undefined: parseCartFlags\nFAIL\tshop', { error: true }),
    log.answer(`msg_${id}_3`, call('t3', 'Write', { file_path: edited, content })),
    log.result('t3', `wrote ${word}`, { beside: { type: 'create', filePath: edited, content } }),
    log.answer(`msg_${id}_4`, call('t4', 'Bash', { command: `go test ./... -run ${word}` })),
    log.result('t4', 'ok  shop 0.1s'),
    log.answer(`msg_${id}_5`, text(`Done with ${word}.`)),
  ];
}

type Input = Readonly<Record<string, unknown>>;

const sessions = [OWN, HIDDEN, AGENT];
const ofEach = (more: Input = {}) => sessions.map((session_id) => ({ session_id, ...more }));
const inRepository = (input: Input = {}) => ({ path: repository, ...input });

/** What is asked of the operations that answer about sessions. Others are asked without input, and with paths. */
const ASKED: Readonly<Record<string, () => readonly Input[]>> = {
  list_sessions: () => [
    {},
    { project: PART },
    { machine: `machine-${WORD}` },
    { person: `person-${WORD}` },
    { per_project: true },
    { sort: 'cost' },
  ],
  get_project_info: () => [{}],
  get_session_summary: () => ofEach(),
  get_session_details: () => ofEach({ detail_level: 'full' }),
  get_session_by_id: () => ofEach(),
  get_session_full: () => ofEach({ cursor: 'start' }),
  get_session_turns: () => ofEach({ include_reasoning: true }),
  get_turn_steps: () => ofEach({ turn_index: 0 }),
  get_event_details: () => ofEach({ event_index: 0 }),
  get_reasoning_chain: () => ofEach(),
  analyze_session: () => [{}, ...ofEach(), { kind: 'failures' }, { project: PART }],
  compare_sessions: () => [
    { a: OWN, b: HIDDEN },
    { a: HIDDEN, b: AGENT },
  ],
  session_timeline: () => ofEach(),
  session_files: () => ofEach(),
  session_subagents: () => ofEach(),
  session_export: () => [...ofEach(), ...ofEach({ as: 'html' })],
  current_session: () => [{}, ...ofEach()],
  recall: () => [...ofEach(), { session_id: OWN, query: PART }],
  brief: () => [...ofEach(), { path: join(repository, 'hidden.ts') }],
  file_history: () => [{}, { path: 'hidden.ts' }, { path: join(repository, 'hidden.ts') }, { project: PART }],
  search_event_previews: () => [
    { query: PART },
    { query: `${PART}\\w+`, regex: true },
    { status: 'failed' },
    { query: 'look at the instrument', meaning: true },
    { query: PART, meaning: true },
  ],
  search_events: () => [{ pattern: PART, include_full_payload: true }],
  usage: () => ['day', 'project', 'model', 'session', 'person', 'machine'].map((by) => ({ by })),
  sessions_doctor: () => [{}],
  sessions_archive: () => [{}],
  usage_prices: () => [{}],
  mark_session: () => ofEach(),
  session_forget: () => ofEach(),
  commit_sessions: () => [inRepository(), inRepository({ of: 'HEAD' }), inRepository({ of: HIDDEN })],
  commit_trace: () => [inRepository({ of: 'HEAD' })],
  blame: () => [{ path: join(repository, 'hidden.ts') }, { path: `${join(repository, 'hidden.ts')}:1` }],
  how_fixed: () => [{ error: 'undefined: parseCartFlags' }],
  sql: () => [
    { query: 'SELECT * FROM sessions' },
    { query: 'SELECT * FROM events' },
    { query: 'SELECT * FROM calls' },
    { query: `SELECT count(*) AS n FROM events WHERE text LIKE '%${PART}%'` },
    { query: 'SELECT * FROM commits' },
    { query: 'SELECT * FROM found', find: PART },
  ],
  inspect: () => [{ path: join(repository, 'hidden.ts') }],
  query_run: () => [{ filter: { touched_by_agent: true } }],
};

/** Whether an answer shows something of the hidden project: the word, or a session that the question did not name. */
const tells = (input: Input, answer: string) =>
  answer.includes(WORD) ||
  (!/bbbbbbbb|cccccccc/.test(JSON.stringify(input)) && /bbbbbbbb|cccccccc/.test(answer));

/** Answers that do not name a session even to somebody who sees everything, or that are not for readers. */
const NEVER_TELL = new Set([
  'sessions_doctor',
  'sessions_archive',
  'usage_prices',
  'mark_session',
  'session_forget',
  'session_subagents',
  'session_timeline',
  'query_run',
  'inspect',
  'commit_trace',
]);

const inputsOf = ({ name }: Pick<Operation<never>, 'name'>) => ASKED[name]?.() ?? [{}, { path: repository }];

const ask = (path: string, token: string, init: RequestInit = {}) =>
  fetch(`${addressOf(node)}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });

/** What REST answers to a question, in every format that the operation has. */
async function restAnswers(
  operation: Operation<never>,
  input: Input,
  token: string,
  formats: readonly string[] = formatsOf(operation),
): Promise<string[]> {
  const texts: string[] = [];
  for (const { method, path, when } of routesOf([operation])) {
    const rest: Record<string, unknown> = { ...input };
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name] ?? 'x1');
      delete rest[name];
      return encodeURIComponent(value);
    });
    for (const format of formats) {
      const query = new URLSearchParams({ ...when, format });
      if (method === 'GET')
        for (const [name, value] of Object.entries(rest))
          query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
      const answer = await ask(`${place}?${query}`, token, {
        method,
        ...(method !== 'GET' && { body: JSON.stringify(rest) }),
      });
      texts.push(await answer.text());
    }
  }
  return texts;
}

/** The questions, by tool, whose answer shows something of the hidden project. */
async function toldOverMcp(names: readonly string[], token: string): Promise<Map<string, string>> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${addressOf(node)}/mcp?toolsets=all`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const said = new Map<string, string>();
  for (const name of names) {
    const answers: string[] = [];
    for (const input of inputsOf({ name })) {
      const answer = await client.callTool({ name, arguments: { ...input } }).catch(String);
      if (tells(input, JSON.stringify(answer))) answers.push(JSON.stringify(input));
    }
    said.set(name, answers.join('\n'));
  }
  await client.close();
  return said;
}

const ALL: readonly Operation<never>[] = OPERATIONS;

describe('a token that sees one of two projects', () => {
  test.each(ALL.map((operation) => [operation.name, operation] as const))(
    '%s over REST',
    async (name, operation) => {
      const inputs = inputsOf(operation);
      for (const input of inputs) {
        const answers = [
          ...(await restAnswers(operation, input, tokens.one)),
          ...(await restAnswers(operation, input, tokens.admin, ['json'])),
        ];
        for (const answer of answers)
          expect(
            { input, tells: tells(input, answer), failed: answer.includes('internal_error') },
            answer,
          ).toEqual({
            input,
            tells: false,
            failed: false,
          });
      }
      if (ASKED[name] === undefined || NEVER_TELL.has(name) || operation.http === undefined) return;
      // The same questions are worth asking: who may see everything gets an answer with the word.
      const told: boolean[] = [];
      for (const input of inputs)
        for (const answer of await restAnswers(operation, input, tokens.all, ['json']))
          told.push(tells(input, answer));
      expect(told).toContain(true);
    },
  );

  test('every tool over MCP', async () => {
    const names = TOOLS.map(({ name }) => name).filter((name) => ALL.some((known) => known.name === name));
    expect(names.length).toBeGreaterThan(30);
    const [one, all] = [await toldOverMcp(names, tokens.one), await toldOverMcp(names, tokens.all)];
    const telling = (said: Map<string, string>) => [...said].filter(([, inputs]) => inputs !== '');
    expect(telling(one)).toEqual([]);
    expect(telling(all).length).toBeGreaterThan(10);
  });
});

/** The events of a stream as they come; it ends with the stream, also when that breaks. */
async function* eventsOf(
  answer: Response,
): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  let rest = '';
  try {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      rest += chunk;
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)/m.exec(rest.slice(0, end)) ?? [];
        rest = rest.slice(end + 2);
        yield { event, data };
      }
    }
  } catch {
    return;
  }
}

const grow = (id: string, project: string, number: number) =>
  node.app.services.team?.receive(
    logMessage({ id, project, root: repository, records: [claude({ id }).prompt(`prompt ${number}`)] }),
  );

test('an event stream says nothing about another project, not even that something changed', async () => {
  const streams = { one: await ask('/api/live', tokens.one), all: await ask('/api/live', tokens.all) };
  const heard = { one: eventsOf(streams.one), all: eventsOf(streams.all) };
  const next = async (who: 'one' | 'all') => {
    for await (const { event, data } of { [Symbol.asyncIterator]: () => ({ next: () => heard[who].next() }) })
      if (event === 'hello' || event === 'sessions') return `${event} ${event === 'hello' ? '' : data}`;
    return 'end';
  };
  expect([await next('one'), await next('all')]).toEqual(['hello ', 'hello ']);
  await grow('dddddddd-4444-4444-8444-444444444444', `example.com/acme/${WORD}`, 1);
  expect(await next('all')).toBe('sessions {"changed":1}');
  await grow('eeeeeeee-5555-4555-8555-555555555555', OWN_PROJECT, 1);
  expect([await next('one'), await next('all')]).toEqual([
    'sessions {"changed":1}',
    'sessions {"changed":1}',
  ]);
  await Promise.all([streams.one.body?.cancel().catch(() => {}), streams.all.body?.cancel().catch(() => {})]);
});

test.each(['revoke', 'rotate'] as const)('%s ends the streams of a token', async (how) => {
  const team = node.app.services.team?.tokens;
  const token = (await team?.create({ name: `stream-${how}`, scopes: ['read'], projects: undefined })) ?? '';
  const [ended, other] = await Promise.all([ask('/api/live', token), ask('/api/live', tokens.all)]);
  const events: string[] = [];
  const reading = (async () => {
    for await (const { event } of eventsOf(ended)) events.push(event);
  })();
  await team?.[how](`stream-${how}`);
  await reading;
  expect(events[0]).toBe('hello');
  // Others continue.
  const still = eventsOf(other);
  expect((await still.next()).done).toBe(false);
  await still.return(undefined);
});

test('each call is in the audit under the name of its token', async () => {
  const { audit } = node.app.services;
  const last = async (operation: string) => (await audit.newest(undefined, 1, { operation }))[0]?.client;
  await ask('/api/agent-sessions', tokens.one);
  expect(await last('list_sessions')).toMatch(/^one: /);
  await (await ask('/api/agent-sessions?format=ndjson', tokens.admin)).text();
  expect(await last('list_sessions')).toMatch(/^admin: /);
  await toldOverMcp(['get_project_info'], tokens.all);
  expect(await last('get_project_info')).toMatch(/^all: (?:mcp|test 1)$/);
});

test('only an administrator sees the calls of others', async () => {
  await ask('/api/projects', tokens.all);
  await ask('/api/projects', tokens.one);
  const namesOf = async (token: string) => {
    const { data } = JSON.parse(await (await ask('/api/audit?limit=1000', token)).text());
    const names: readonly string[] = data.calls.map(({ client }: { client: string }) => client.split(':')[0]);
    return [...new Set(names)].sort();
  };
  const callsOf = async (token: string) =>
    JSON.parse(await (await ask('/api/stats', token)).text()).data.calls;
  expect(await namesOf(tokens.one)).toEqual(['one']);
  expect(await namesOf(tokens.all)).toEqual(['all']);
  expect(await namesOf(tokens.admin)).toEqual(expect.arrayContaining(['admin', 'all', 'one']));
  expect(await callsOf(tokens.admin)).toBeGreaterThan(
    (await callsOf(tokens.one)) + (await callsOf(tokens.all)),
  );
});

describe('an attacker with a token', () => {
  const firstPage = async (path: string) => {
    const answer = await ask(path, tokens.all);
    // biome-ignore lint/suspicious/noExplicitAny: a page of any list
    const body: any = await answer.json();
    return String(body.pagination.next_cursor);
  };

  test.each(['/api/agent-sessions?limit=1', '/api/agent-events?query=e&limit=1', '/api/projects?limit=1'])(
    'gets nothing with a cursor of another caller: %s',
    async (path) => {
      const cursor = await firstPage(path);
      expect(cursor.length).toBeGreaterThan(1);
      const [place = ''] = path.split('?');
      for (let next = cursor, pages = 0; pages < 20; pages++) {
        const answer = await ask(`${place}?cursor=${next}`, tokens.one);
        const said = await answer.text();
        expect(tells({}, said), said).toBe(false);
        const [, more] = /"next_cursor":"([^"]+)"/.exec(said) ?? [];
        if (more === undefined) break;
        next = more;
      }
    },
  );

  test.each(['token', 'access_token', 'authorization', 'key'])(
    'gets nothing with a token in an address: ?%s=',
    async (name) => {
      for (const path of ['/api/agent-sessions', '/mcp', '/metrics', '/api/live'])
        expect((await fetch(`${addressOf(node)}${path}?${name}=${tokens.all}`)).status).toBe(401);
    },
  );

  test('cannot name a project that opens all of them', async () => {
    const team = node.app.services.team?.tokens;
    for (const [at, project] of [
      "x') OR TRUE --",
      "x' OR '1'='1",
      '%',
      'example.com/acme/',
      '',
      '\\',
    ].entries()) {
      const token = await team?.create({ name: `odd-${at}`, scopes: ['read'], projects: [project] });
      const answer = await (await ask('/api/agent-sessions', token ?? '')).json();
      expect(answer).toMatchObject({ data: { sessions: [] } });
    }
  });

  test.each(['<img src=x>', 'a b', 'a\nb', 'x'.repeat(65), '', '../x', 'a: b'])(
    'cannot be called %j',
    async (name) => {
      const made = node.app.services.team?.tokens.create({ name, scopes: ['read'], projects: undefined });
      await expect(made).rejects.toMatchObject({ code: 'invalid_parameter' });
    },
  );

  test('cannot speak in the audit as somebody else', async () => {
    await fetch(`${addressOf(node)}/api/projects`, {
      headers: { authorization: `Bearer ${tokens.one}`, 'x-pinhole-client': 'admin: curl' },
    });
    const [call] = await node.app.services.audit.newest(undefined, 1, { operation: 'get_project_info' });
    expect(call?.client).toBe('one: admin: curl');
  });

  test('finds no token in a copy of the database', async () => {
    const dump = await pg.dump(url);
    for (const token of Object.values(tokens)) expect(dump).not.toContain(token.slice('pinhole_'.length));
    expect(dump).toContain('example.com/acme/api');
  });

  test('who asks with many tokens for different projects gets answers with each', async () => {
    const team = node.app.services.team?.tokens;
    const many = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        team?.create({ name: `many-${at}`, scopes: ['read'], projects: [OWN_PROJECT, `other-${at}`] }),
      ),
    );
    const answers = await Promise.all(
      [...many, ...many].map(async (token) => {
        const answer = await ask('/api/agent-sessions', token ?? '');
        const text = await answer.text();
        return [answer.status, tells({}, text), text.includes('aaaaaaaa')];
      }),
    );
    expect(answers).toEqual(answers.map(() => [200, false, true]));
  });

  test('gets no more connections than a node may have, with any number of sets of projects', async () => {
    const team = node.app.services.team;
    for (let at = 0; at < 40; at++) {
      const projects = [OWN_PROJECT, `more-${at}`];
      const token = await team?.tokens.create({ name: `more-${at}`, scopes: ['read'], projects });
      expect((await ask('/api/agent-sessions', token ?? '')).status).toBe(200);
    }
    const row = await team?.db.get(
      'SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database()',
    );
    // Ten for all, two for each of at most 24 sets.
    expect(Number(row?.n)).toBeLessThanOrEqual(58);
  });
});
