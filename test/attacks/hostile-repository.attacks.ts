import { realpathSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApp } from '../../src/app/open-app.ts';
import { OPERATIONS } from '../../src/app/operations.ts';
import type { RawInput } from '../../src/contract/input.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { caller, temporaryApp, temporaryFolder } from '../support.ts';
import { type HostileTree, makeHostileTree, OUTSIDE, plantLogs } from './hostile-tree.ts';

/* A repository and logs that want to hurt: every operation answers in time, and shows nothing from outside. */

const SESSION = 'aaaaaaaa-1111-4111-8111-111111111111';
/** The engine itself stops a call after 30 s; what takes longer hangs. */
const PATIENCE_MS = 45_000;
/** Would change files of the person who runs the tests, or end what the others need: the session is forgotten last. */
const LEFT_OUT = new Set(['disk_plan_run', 'disk_plan_undo', 'allow', 'session_forget']);

const root = realpathSync(temporaryFolder());
const outside = realpathSync(temporaryFolder());
const home = temporaryFolder();
let app: OpenApp & { logged: string[] };
let tree: HostileTree;
let calls = 0;

beforeAll(async () => {
  tree = await makeHostileTree(root, outside);
  plantLogs(home, outside, root);
  app = await temporaryApp({ env: { HOME: home } });
});
afterAll(() => tree.close());

async function run(name: string, input: RawInput): Promise<{ readonly ms: number; readonly text: string }> {
  const started = performance.now();
  const who = caller({ roots: [root], cwd: root, door: 'cli', budget: 100_000, id: `h${calls++}` });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} ${JSON.stringify(input)} hangs`)), PATIENCE_MS);
  });
  try {
    const answer = await Promise.race([app.engine.run(name, input, { caller: who }), late]);
    const text = answer.rendered.text;
    if (!answer.ok && answer.error.code === 'internal_error')
      throw new Error(`${name} ${JSON.stringify(input)}: ${text} ${app.logged.at(-1)}`);
    return { ms: performance.now() - started, text };
  } finally {
    clearTimeout(timer);
  }
}

/** The words that an input is given, besides paths. */
const WORDS: Readonly<Record<string, unknown>> = {
  pattern: 'needle',
  query: 'needle',
  name: 'needle',
  error: 'undefined: needle',
  session_id: SESSION,
  a: SESSION,
  b: SESSION,
  event_index: 2,
  turn_index: 0,
  index_id: 'i1',
  other: 'i1',
  job_id: 'j1',
  node_id: 'n1',
  node_ids: ['n1'],
  filter: { name: '*' },
  selection_id: 's1',
  query_id: 'q1',
  plan_id: 'p1',
  wait_seconds: 10,
  cursor: undefined,
  shell: undefined,
};

test('every operation answers about the tree as a whole', { timeout: 600_000 }, async () => {
  await run('index', { root, what: 'disk', wait_seconds: 25 });
  await run('index', { root, what: 'code', wait_seconds: 25 });
  await run('index', { root, what: 'sessions', wait_seconds: 25 });
  await run('query_run', { path: root, filter: { name: '*.ts' }, save_as: 'q', select: true });
  const leaks: string[] = [];
  for (const operation of OPERATIONS as readonly Operation<never>[]) {
    if (LEFT_OUT.has(operation.name)) continue;
    const fields = Object.keys(operation.input.shape);
    const input: Record<string, unknown> = {};
    for (const field of fields) {
      if (field === 'path' || field === 'root' || field === 'under') input[field] = root;
      else if (operation.name === 'sql' && field === 'query')
        input[field] = 'select path, name, size from files';
      else if (WORDS[field] !== undefined && isTaken(operation, field)) input[field] = WORDS[field];
    }
    const { text } = await run(operation.name, input);
    if (text.includes(OUTSIDE)) leaks.push(operation.name);
  }
  expect(leaks).toEqual([]);
});

/** Only what must be given: the rest narrows the answer. */
function isTaken(operation: Operation<never>, field: string): boolean {
  const schema: unknown = operation.input.shape[field];
  const { safeParse } = schema as { safeParse(value: unknown): { success: boolean } };
  return !safeParse.call(schema, undefined).success || field === 'wait_seconds';
}

test('every operation that takes a path answers about each odd one', { timeout: 900_000 }, async () => {
  const leaks: string[] = [];
  for (const operation of OPERATIONS as readonly Operation<never>[]) {
    if (LEFT_OUT.has(operation.name) || operation.name === 'index') continue;
    const field = ['path', 'file'].find((name) => name in operation.input.shape);
    if (field === undefined) continue;
    const needed = Object.keys(operation.input.shape).filter(
      (name) => name !== field && name !== 'wait_seconds' && isTaken(operation, name),
    );
    const base = Object.fromEntries(needed.map((name) => [name, WORDS[name]]));
    for (const path of tree.odd) {
      if (path === root) continue;
      const { text } = await run(operation.name, { ...base, [field]: path });
      if (text.includes(OUTSIDE)) leaks.push(`${operation.name} ${path}`);
    }
  }
  expect(leaks).toEqual([]);
});

test('what is plain is found among it, and nothing of what the links lead to', {
  timeout: 120_000,
}, async () => {
  const { text } = await run('regex_search', { pattern: 'needle', path: root, limit: 200 });
  for (const name of [
    'plain.ts',
    'pipe-rules/kept.ts',
    'pipe-ignore/kept.ts',
    'pipe-own/kept.ts',
    'many-rules/kept.ts',
  ])
    expect(text).toContain(name);
  expect(text).not.toContain(OUTSIDE);
  const details = await Promise.all(
    [2, 4, 6, 8].map((event_index) => run('get_event_details', { session_id: SESSION, event_index })),
  );
  for (const each of details) expect(each.text).not.toMatch(new RegExp(`${OUTSIDE}|root:x:0`));
  expect((await run('list_sessions', {})).text).toContain('needle please');
  expect((await run('session_forget', { session_id: SESSION })).text).not.toContain(OUTSIDE);
  expect((await run('list_sessions', {})).text).not.toContain('needle please');
});
