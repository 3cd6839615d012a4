import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, text, thinking, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const TURNS = 60;
const STEPS = 12;
const id = (letter: string, number: number) =>
  `${letter.repeat(6)}${String(number).padStart(2, '0')}-1111-4111-8111-111111111111`;
const BIG = id('a', 0);
const OTHER = id('b', 0);

/** A session as large as they come: long prompts, thoughts, outputs and edits, half of them failing. */
function largeSession(session: string, salt: string): string {
  const log = claude({ id: session, cwd: `/srv/${'deep/'.repeat(12)}app` });
  const long = (words: string) => `${words} ${salt} `.repeat(400);
  const records: unknown[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    records.push(log.prompt(long(`please look at "everything" \\ again, number ${turn}`)));
    for (let step = 0; step < STEPS; step++) {
      const message = `msg_${session}_${turn}_${step}`;
      const use = `t${turn}_${step}`;
      const path = `/srv/app/src/${'folder/'.repeat(8)}file-${step}.ts`;
      const edit = { file_path: path, old_string: long('before\n'), new_string: long(`after ${turn}\n`) };
      records.push(
        log.answer(message, thinking(long('thinking about needle'))),
        log.answer(message, text(long('saying'))),
        step % 2 === 0
          ? log.answer(message, call(use, 'Edit', edit), { output: 5000 })
          : log.answer(message, call(use, 'Bash', { command: `make ${long('target')}` }), { output: 5000 }),
        log.result(use, step % 2 === 0 ? 'edited' : `Exit code 2\n${long('failed with needle\n')}`, {
          error: step % 2 === 1,
        }),
      );
    }
  }
  return lines(records);
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  const folder = join(desk.folders.claude, '-srv-app');
  writeLog(join(folder, `${BIG}.jsonl`), largeSession(BIG, 'ü'));
  writeLog(join(folder, `${OTHER}.jsonl`), largeSession(OTHER, 'x'));
  for (let number = 1; number < 60; number++) {
    const log = claude({ id: id('c', number), cwd: `/srv/project-${number}/${'deep/'.repeat(10)}` });
    writeLog(
      join(folder, `${id('c', number)}.jsonl`),
      lines([log.prompt('a long first prompt '.repeat(40))]),
    );
    const agent = claude({ id: BIG, extra: { isSidechain: true, agentId: `agent${number}` } });
    writeLog(
      join(folder, BIG, `subagents/agent-agent${number}.jsonl`),
      lines([agent.prompt('dig deeper '.repeat(40))]),
    );
  }
  await desk.sessions.reading.refresh();
});
afterAll(() => desk.close());

const HOT = `/srv/app/src/${'folder/'.repeat(8)}file-0.ts`;

describe('the aims for answers at their default limits, with the largest sessions', () => {
  test.each([
    ['list_sessions', {}, 4_000],
    ['get_project_info', {}, 4_000],
    ['get_session_summary', { session_id: BIG }, 5_000],
    ['get_session_turns', { session_id: BIG }, 8_000],
    ['get_session_turns', { session_id: BIG, include_reasoning: true }, 8_000],
    ['get_turn_steps', { session_id: BIG, turn_index: 3 }, 8_000],
    ['get_session_full', { session_id: BIG, cursor: 'start' }, 8_000],
    ['analyze_session', { session_id: BIG }, 3_000],
    ['search_event_previews', { query: 'needle' }, 6_000],
    ['get_event_details', { session_id: BIG, event_index: 1 }, 8_000],
    ['file_history', { path: HOT }, 6_000],
    ['compare_sessions', { a: BIG, b: OTHER }, 4_000],
    ['get_reasoning_chain', { session_id: BIG }, 8_000],
  ] as const)('%s %o within %d bytes', async (operation, input, aim) => {
    const answer = await desk.ask(operation, input);
    expect(answer.ok).toBe(true);
    expect(answer.size).toBeLessThanOrEqual(aim);
    // A nearly empty answer would meet every aim.
    expect(answer.size).toBeGreaterThan(aim / 5);
  });
});

test('every row leads to its details: sessions, turns, steps, calls, findings, hits, edits', async () => {
  const ask = async (operation: string, input: Readonly<Record<string, unknown>>) => {
    const answer = await desk.ask(operation, input);
    expect(answer.ok, `${operation} ${JSON.stringify(input)}`).toBe(true);
    return answer.data;
  };
  const event = async (session_id: string, event_index: number) =>
    ask('get_event_details', { session_id, event_index });
  for (const { id: session_id } of (await ask('list_sessions', {})).sessions) {
    expect((await ask('get_session_summary', { session_id })).id).toBe(session_id);
  }
  const summary = await ask('get_session_summary', { session_id: BIG });
  for (const agent of summary.subagents) {
    expect((await ask('get_session_summary', { session_id: agent.id })).parent.id).toBe(summary.id);
  }
  for (const turn of (await ask('get_session_turns', { session_id: BIG })).turns) {
    const prompt = await event(BIG, turn.event_index);
    expect(prompt).toMatchObject({ event_type: 'user', turn_index: turn.turn_index });
    const { steps } = await ask('get_turn_steps', { session_id: BIG, turn_index: turn.turn_index });
    for (const step of steps) {
      expect(await event(BIG, step.event_index)).toMatchObject({ step_index: step.step_index });
      for (const tool of step.tools) {
        expect(await event(BIG, tool.event_index)).toMatchObject({
          event_type: 'tool_call',
          name: tool.name,
        });
        expect(await event(BIG, tool.result_event)).toMatchObject({ event_type: 'tool_result' });
      }
    }
  }
  for (const insight of (await ask('analyze_session', { session_id: BIG })).insights) {
    const at = await event(BIG, insight.event_index);
    expect(at.turn_index).toBe(insight.turn_index);
    if (insight.step_index !== undefined) expect(at.step_index).toBe(insight.step_index);
  }
  for (const hit of (await ask('search_event_previews', { query: 'needle' })).matches) {
    expect(await event(hit.session_id, hit.event_index)).toMatchObject({
      turn_index: hit.turn_index,
      step_index: hit.step_index,
    });
  }
  const { touches } = await ask('file_history', { path: HOT });
  expect(touches.length).toBeGreaterThan(0);
  for (const { session_id, event_index } of touches) {
    expect(await event(session_id, event_index)).toMatchObject({ event_type: 'tool_call', name: 'Edit' });
  }
  for (const row of (await ask('get_reasoning_chain', { session_id: BIG })).reasoning) {
    expect(await event(BIG, row.event_index)).toMatchObject({
      event_type: 'reasoning',
      turn_index: row.turn_index,
    });
  }
});
