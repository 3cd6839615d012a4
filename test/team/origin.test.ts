import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../../src/app/open-app.ts';
import { COMMIT_OPERATIONS } from '../../src/commits/operations/index.ts';
import { SESSION_OPERATIONS } from '../../src/sessions/operations/index.ts';
import { SESSION_TABLES } from '../../src/sessions/tables.ts';
import { caller, temporaryFolder } from '../support.ts';
import { messageOf } from './messages.ts';
import { sharedPostgres } from './postgres.ts';

/* `machine` and `person` narrow down every operation over sessions, and `sql` has them as columns. */

let team: OpenApp;
const ERROR = 'ReferenceError: addNumbers is not defined';

/** A session in which a test failed, a file was edited, and the test passed. */
function logOf(id: string) {
  const lines: object[] = [];
  const add = (type: string, content: unknown, more: object = {}) =>
    lines.push({
      type,
      uuid: `${id}-${lines.length}`,
      sessionId: id,
      cwd: '/home/dev/api',
      timestamp: new Date(Date.UTC(2026, 10, 1, 0, lines.length)).toISOString(),
      message: { role: type, content, ...more },
    });
  const call = (number: number, name: string, input: object, result: string, failed = false) => {
    const tool = `toolu_${id}_${number}`;
    const usage = { input_tokens: 5, output_tokens: 7 };
    add('assistant', [{ type: 'tool_use', id: tool, name, input }], {
      ...{ id: `msg_${id}_${number}`, model: 'claude-opus-4-5', usage },
    });
    add('user', [{ type: 'tool_result', tool_use_id: tool, content: result, is_error: failed }]);
  };
  add('user', 'add the numbers');
  call(1, 'Bash', { command: 'npm test' }, `Exit code 1\n${ERROR}`, true);
  call(
    2,
    'Edit',
    { file_path: '/home/dev/api/src/add.js', old_string: 'a', new_string: 'addNumbers' },
    'done',
  );
  call(3, 'Bash', { command: 'npm test' }, 'all passed');
  let at = 0;
  return lines.map((line) => {
    const text = JSON.stringify(line);
    const record = { at, length: text.length + 1, text };
    at += record.length;
    return record;
  });
}

beforeAll(async () => {
  const pg = await sharedPostgres();
  team = await openApp({
    home: temporaryFolder(),
    env: { HOME: temporaryFolder(), PINHOLE_DATABASE_URL: await pg.database() },
    log: (line) => console.error(line),
    baseUrl: () => '',
  });
  for (const [at, [machine, person]] of [
    ['laptop', 'ann'],
    ['desk', 'bob'],
  ].entries()) {
    const id = `5e55a00${at}-0000-4000-8000-000000000001`;
    const message = messageOf({ records: logOf(id) });
    await team.services.team?.receive({
      ...message,
      machine: { id: `machine-000${at}`, name: machine },
      person,
      log: { ...message.log, path: `/logs/${id}.jsonl`, root: '/home/dev/api', place: { id } },
    });
  }
});

afterAll(() => team?.close());

let calls = 0;
async function ask(operation: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const who = caller({ door: 'cli', id: `test-${calls++}`, budget: 100_000 });
  const { ok, rendered } = await team.engine.run(operation, input, { caller: who });
  expect(ok, rendered.text).toBe(true);
  return JSON.stringify(JSON.parse(rendered.text).data);
}

/** Operations over many sessions, and what they are asked. */
const ASKED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  list_sessions: {},
  get_project_info: {},
  current_session: {},
  analyze_session: {},
  file_history: { path: 'add.js' },
  search_event_previews: { query: 'addNumbers' },
  search_events: { pattern: 'addNumbers' },
  usage: { by: 'person' },
  how_fixed: { error: ERROR },
};

/** About one session, one commit, or the index as a whole. */
const OTHERS = new Set([
  ...[
    'sessions_doctor',
    'sessions_archive',
    'commit_sessions',
    'blame',
    'commit_trace',
    'compare_sessions',
    'recall',
    'brief',
  ],
]);

const ALL = [...SESSION_OPERATIONS, ...COMMIT_OPERATIONS];

test('every operation over many sessions takes machine and person', () => {
  for (const { name, input } of ALL) {
    const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> = input.shape;
    const fields = Object.keys(shape);
    const ofOne = shape.session_id?.safeParse(undefined).success === false;
    if (ofOne || OTHERS.has(name)) continue;
    expect({ name, fields }).toEqual({ name, fields: expect.arrayContaining(['machine', 'person']) });
    expect(Object.keys(ASKED)).toContain(name);
  }
});

test.each(Object.entries(ASKED))('%s of a machine and a person', async (name, input) => {
  const [ann, bob, nobody] = await Promise.all([
    ask(name, { ...input, machine: 'laptop', person: 'ann' }),
    ask(name, { ...input, machine: 'desk' }),
    name === 'current_session' ? '' : ask(name, { ...input, machine: 'laptop', person: 'bob' }),
  ]);
  const has = {
    ann: /5e55a000|"group":"ann"|"session_count":1\b/,
    bob: /5e55a001|"group":"bob"|"session_count":1\b/,
  };
  expect(ann).toMatch(has.ann);
  expect(bob).toMatch(has.bob);
  expect(ann).not.toMatch(/5e55a001|bob|desk/);
  expect(bob).not.toMatch(/5e55a000|ann"|laptop/);
  expect(nobody).not.toMatch(/5e55a00|bob|ann"/);
});

test('sql has them as columns of sessions, and every other table leads there', async () => {
  const found = JSON.parse(
    await ask('sql', {
      query:
        "SELECT s.person, s.machine, count(*) AS n FROM calls c JOIN sessions s ON s.id = c.session WHERE s.person = 'bob' GROUP BY s.person, s.machine",
    }),
  );
  expect(found.rows).toEqual([['bob', 'desk', 3]]);
  const lost = SESSION_TABLES.tables.filter(
    ({ name, columns }) => name !== 'sessions' && !('session' in columns),
  );
  expect(lost.map(({ name }) => name)).toEqual([]);
});
