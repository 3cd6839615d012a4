import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const desk = await openDesk();
afterAll(() => desk.close());

const log = claude({ id: A });
const agent = (id: string) => claude({ id: A, extra: { isSidechain: true, agentId: id } });
const folder = join(desk.folders.claude, '-srv-app');
const begin = log.prompt('what is here?');
const open = log.answer('m1', call('t1', 'Read', { file_path: '/srv/app/a.ts' }), { cacheRead: 5_000 });
const read = log.result('t1', 'x');
const first = log.answer('m2', call('t2', 'Task', { prompt: 'look around' }), { cacheRead: 6_000 });
const one = agent('abc123');
const named = [
  one.prompt('look around'),
  one.answer('c1', call('u1', 'Bash', { command: 'ls' })),
  one.result('u1', 'no', { error: true }),
  one.answer('c2', text('Nothing here.')),
];
const firstEnd = log.result('t2', 'Nothing here.', { beside: { agentId: 'abc123' } });
const second = log.prompt('again, please');
const again = log.answer('m3', call('t3', 'Task', { prompt: 'once more' }), { cacheRead: 7_000 });
const two = agent('def456');
const unnamed = [two.prompt('once more'), two.answer('c3', text('Still nothing.'))];
const againEnd = log.result('t3', 'Still nothing.');
writeLog(join(folder, `${A}.jsonl`), lines([begin, open, read, first, firstEnd, second, again, againEnd]));
writeLog(join(folder, A, 'subagents/agent-abc123.jsonl'), lines(named));
writeLog(join(folder, A, 'subagents/agent-def456.jsonl'), lines(unnamed));
await desk.sessions.reading.refresh();

test('calls and responses are columns of the same length', async () => {
  const { data } = await desk.ask('session_timeline', { session_id: A });
  expect(data).toMatchObject({ session_id: 'aaaaaaaa', names: ['Read', 'Task'], kinds: ['read', 'agent'] });
  expect(data.calls).toMatchObject({
    event: [1, 3, 6],
    turn: [0, 0, 1],
    name: [0, 1, 1],
    kind: [0, 1, 1],
    status: [0, 0, 0],
    duration: [1_000, 5_000, 3_000],
  });
  expect(data.responses.context).toEqual([5_110, 6_110, 7_110]);
  const lengths = [...Object.values(data.calls), ...Object.values(data.responses)].map(
    (column) => (column as number[]).length,
  );
  expect(new Set(lengths)).toEqual(new Set([3]));
});

test('subagents are linked to the call that started them, by its result or by time', async () => {
  const { data } = await desk.ask('session_subagents', { session_id: A });
  expect(data.subagents).toMatchObject([
    { id: 'abc123', task: 'look around', turn: 0, event: 3, tool_calls: 1, failures: 1, outcome: 'failed' },
    { id: 'def456', task: 'once more', turn: 1, event: 6, tool_calls: 0, failures: 0 },
  ]);
  const alone = await desk.ask('session_subagents', { session_id: 'abc123' });
  expect(alone.data.subagents).toEqual([]);
});

test('a step names the session that its call started, even while it runs', async () => {
  const B = 'bbbbbbbb-2222-4222-8222-222222222222';
  const running = claude({ id: B });
  const [asked, begun] = [
    running.prompt('delegate'),
    running.answer('m9', call('t9', 'Task', { prompt: 'dig' })),
  ];
  writeLog(join(folder, `${B}.jsonl`), lines([asked, begun]));
  const child = claude({ id: B, extra: { isSidechain: true, agentId: 'fed987' } });
  writeLog(join(folder, B, 'subagents/agent-fed987.jsonl'), lines([child.prompt('dig')]));
  writeLog(join(folder, B, 'subagents/agent-fed987.meta.json'), '{"agentType":"digger","toolUseId":"t9"}');
  await desk.sessions.reading.refresh();
  const steps = await desk.ask('get_turn_steps', { session_id: B, turn_index: 0 });
  expect(steps.data.steps[0].tools[0]).toMatchObject({ name: 'Task', status: 'pending', subagent: 'fed987' });
  const begunBy = await desk.ask('session_subagents', { session_id: B });
  expect(begunBy.data.subagents).toMatchObject([
    { id: 'fed987', name: 'digger', event: 1, turn: 0, step: 0 },
  ]);
  const ended = await desk.ask('get_turn_steps', { session_id: A, turn_index: 0 });
  expect(ended.data.steps[1].tools[0]).toMatchObject({ name: 'Task', subagent: 'abc123' });
});

test('all pages of files and subagents list each once', async () => {
  const C = 'cccccccc-3333-4333-8333-333333333333';
  const many = claude({ id: C });
  const reads = Array.from({ length: 620 }, (_, i) => [
    many.answer(`r${i}`, call(`f${i}`, 'Read', { file_path: `/srv/app/gen/${i}.ts` })),
    many.result(`f${i}`, 'x'),
  ]).flat();
  writeLog(join(folder, `${C}.jsonl`), lines([many.prompt('read them all'), ...reads]));
  for (let i = 0; i < 230; i++) {
    const id = `c${String(i).padStart(5, '0')}`;
    const child = claude({ id: C, extra: { isSidechain: true, agentId: id } });
    writeLog(join(folder, C, `subagents/agent-${id}.jsonl`), lines([child.prompt(`part ${i}`)]));
  }
  await desk.sessions.reading.refresh();
  const all = async (operation: string, field: 'files' | 'subagents') => {
    const rows: { readonly path?: string; readonly id?: string }[] = [];
    for (let cursor: string | undefined; ; ) {
      const input = { session_id: C, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const { data, pagination } = await desk.ask(operation, input, { budget: 1_000_000, door: 'rest' });
      rows.push(...data[field]);
      cursor = pagination.next_cursor;
      if (cursor === undefined) return rows;
    }
  };
  const files = await all('session_files', 'files');
  expect(new Set(files.map(({ path }) => path)).size).toBe(620);
  expect(files).toHaveLength(620);
  const agents = await all('session_subagents', 'subagents');
  expect(new Set(agents.map(({ id }) => id)).size).toBe(230);
  expect(agents).toHaveLength(230);
});
