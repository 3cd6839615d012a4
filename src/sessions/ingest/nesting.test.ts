import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';

let desk: Desk;
afterEach(() => desk.close());

const claudeLog = (id: string) => join(desk.folders.claude, '-srv-app', `${id}.jsonl`);

async function totalOf(id: string): Promise<number> {
  return (await desk.ask('get_session_summary', { session_id: id })).data.stats.total_tokens;
}

test('a subagent that another one started hangs on that one, whichever is read first', async () => {
  desk = await openDesk();
  const folder = join(desk.folders.claude, '-srv-app', A, 'subagents');
  const subagent = (id: string) => claude({ id: A, extra: { isSidechain: true, agentId: id } });
  const upper = subagent('a0000001upper');
  const lower = subagent('a0000002lower');
  const named = subagent('a0000003named');
  const lowerLog = lines([lower.prompt('dig'), lower.answer('msg_0000000000000011', text('dug'))]);
  writeLog(join(folder, 'agent-a0000002lower.jsonl'), lowerLog);
  writeLog(join(folder, 'agent-a0000002lower.meta.json'), '{"toolUseId":"t2","spawnDepth":2}');
  await desk.sessions.reading.refresh();
  const root = claude({ id: A });
  writeLog(
    claudeLog(A),
    lines([root.prompt('go'), root.answer('msg_0000000000000010', call('t1', 'Agent', { prompt: 'look' }))]),
  );
  writeLog(
    join(folder, 'agent-a0000001upper.jsonl'),
    lines([
      upper.prompt('look'),
      upper.answer('msg_0000000000000012', call('t2', 'Agent', { prompt: 'dig' })),
      upper.answer('msg_0000000000000012', call('t3', 'Agent', { prompt: 'more' })),
      upper.result('t3', 'done', { beside: { status: 'completed', agentId: 'a0000003named' } }),
    ]),
  );
  writeLog(join(folder, 'agent-a0000001upper.meta.json'), '{"toolUseId":"t1","spawnDepth":1}');
  await desk.sessions.reading.refresh();
  writeLog(
    join(folder, 'agent-a0000003named.jsonl'),
    lines([named.prompt('more'), named.answer('msg_0000000000000013', text('done'))]),
  );
  await desk.sessions.reading.refresh();
  const parentOf = async (id: string) =>
    (await desk.ask('get_session_summary', { session_id: id })).data.parent;
  expect(await parentOf('a0000001upper')).toEqual({ id: 'aaaaaaaa', relation: 'subagent' });
  expect(await parentOf('a0000002lower')).toEqual({ id: 'a0000001', relation: 'subagent' });
  expect(await parentOf('a0000003named')).toEqual({ id: 'a0000001', relation: 'subagent' });
  // An append to the lower one does not take it away.
  appendFileSync(join(folder, 'agent-a0000002lower.jsonl'), lines([lower.prompt('on')]));
  await desk.sessions.reading.refresh();
  expect(await parentOf('a0000002lower')).toEqual({ id: 'a0000001', relation: 'subagent' });
  const { data } = await desk.ask('get_turn_steps', { session_id: 'a0000001upper', turn_index: 0 });
  expect(data.steps[0].tools).toMatchObject([{ subagent: 'a0000002' }, { subagent: 'a0000003' }]);
  expect((await desk.ask('list_sessions', {})).data.sessions).toHaveLength(1);
  rmSync(join(folder, 'agent-a0000001upper.jsonl'));
  await desk.sessions.reading.refresh();
  expect(await parentOf('a0000002lower')).toEqual({ id: 'aaaaaaaa', relation: 'subagent' });
});

test('subagents that name each other stay with their session', async () => {
  desk = await openDesk();
  const folder = join(desk.folders.claude, '-srv-app', A, 'subagents');
  const root = claude({ id: A });
  writeLog(claudeLog(A), lines([root.prompt('go')]));
  for (const [id, other] of [
    ['a000000aone', 'a000000btwo'],
    ['a000000btwo', 'a000000aone'],
  ] as const) {
    const log = claude({ id: A, extra: { isSidechain: true, agentId: id } });
    writeLog(
      join(folder, `agent-${id}.jsonl`),
      lines([
        log.prompt('go'),
        log.answer(`msg_00000000${id}`, call(`t-${id}`, 'Agent', { prompt: 'go' })),
        log.result(`t-${id}`, 'done', { beside: { agentId: other } }),
      ]),
    );
  }
  await desk.sessions.reading.refresh();
  const parents = await Promise.all(
    ['a000000aone', 'a000000btwo'].map(
      async (id) => (await desk.ask('get_session_summary', { session_id: id })).data.parent.id,
    ),
  );
  expect(parents).toContain('aaaaaaaa');
  expect(parents).toHaveLength(2);
});

test('what a client counted itself is not added again for a subagent of a subagent', async () => {
  desk = await openDesk();
  const folder = join(desk.folders.claude, '-srv-app', A, 'subagents');
  const spent = { input: 100, cacheRead: 0, cacheWrite: 0, output: 0 };
  const chain = [
    ['a0000001upper', 't1', 't2'],
    ['a0000002lower', 't2', 't3'],
  ] as const;
  for (const [id, by, calls] of chain) {
    const log = claude({ id: A, extra: { isSidechain: true, agentId: id } });
    writeLog(
      join(folder, `agent-${id}.jsonl`),
      lines([log.prompt('go'), log.answer(`msg_${id}00000`, call(calls, 'Agent', { prompt: 'x' }), spent)]),
    );
    writeLog(join(folder, `agent-${id}.meta.json`), JSON.stringify({ toolUseId: by }));
  }
  const root = claude({ id: A });
  const usage = { inputTokens: 300, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
  writeLog(
    claudeLog(A),
    lines([
      root.prompt('go'),
      root.answer('msg_0000000000000010', call('t1', 'Agent', { prompt: 'x' }), spent),
      root.record('cost-state', { totalCostUSD: 1, modelUsage: { 'claude-opus-4-5': usage } }),
    ]),
  );
  await desk.sessions.reading.refresh();
  expect(await Promise.all([A, 'a0000001upper', 'a0000002lower'].map(totalOf))).toEqual([100, 100, 100]);
});

test('a subagent whose session is gone is listed itself', async () => {
  desk = await openDesk();
  const log = claude({ id: A, extra: { isSidechain: true, agentId: 'a0000001upper' } });
  const folder = join(desk.folders.claude, '-srv-app', A, 'subagents');
  writeLog(join(folder, 'agent-a0000001upper.jsonl'), lines([log.prompt('alone')]));
  const cold = claude({ id: A, extra: { isSidechain: true, agentId: 'a0000002cold' } });
  writeLog(join(folder, 'agent-a0000002cold.jsonl'), lines([cold.prompt('Warmup')]));
  await desk.sessions.reading.refresh();
  const { sessions } = (await desk.ask('list_sessions', {})).data;
  expect(sessions).toMatchObject([{ id: 'a0000001', snippet: 'alone', parent_id: 'aaaaaaaa' }]);
  const { projects } = (await desk.ask('get_project_info', {})).data;
  expect(projects).toMatchObject([{ root_path: '/srv/app', session_count: 1 }]);
  writeLog(claudeLog(A), lines([claude({ id: A }).prompt('root')]));
  await desk.sessions.reading.refresh();
  expect((await desk.ask('list_sessions', {})).data.sessions).toMatchObject([{ snippet: 'root' }]);
});
