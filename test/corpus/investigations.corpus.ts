import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClient, onlyText, processHome } from '../processes.ts';

const corpus = process.env.PINHOLE_CORPUS;
if (corpus === undefined) throw new Error('PINHOLE_CORPUS must name the folder with the test material');
const source = join(corpus, 'data/sessions');

/** Three investigations that an agent makes, over a real MCP connection, with the bytes they cost. */
const house = processHome();
let client: Awaited<ReturnType<typeof connectClient>>;
let bytes = 0;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function ask(name: string, input: Record<string, unknown>): Promise<any> {
  const text = onlyText(await client.callTool({ name, arguments: input }));
  bytes += Buffer.byteLength(text);
  return JSON.parse(text);
}

function spent(): number {
  const all = bytes;
  bytes = 0;
  return all;
}

beforeAll(async () => {
  cpSync(join(source, 'claude_code/entireio-cli'), join(house.home, '.claude/projects/work'), {
    recursive: true,
  });
  cpSync(join(source, 'claude_code/claude-code-viewer'), join(house.home, '.claude/projects/viewer'), {
    recursive: true,
  });
  cpSync(join(source, 'codex/generated-0.166.0/sessions'), join(house.home, '.codex/sessions'), {
    recursive: true,
  });
  client = await connectClient(house, { cwd: house.home, args: ['--toolsets', 'sessions'] });
  // The first answer comes while logs are still being read.
  for (let tries = 0; tries < 60; tries++) {
    const { meta } = await ask('list_sessions', {});
    if (meta.indexing === undefined) break;
  }
  spent();
});
afterAll(() => client?.close());

describe('investigations', () => {
  test('1: what failed in a session, down to the exact error', async () => {
    const { data: list } = await ask('list_sessions', { provider: 'claude_code', failed: true, limit: 10 });
    expect(list.sessions).toHaveLength(10);
    const session_id = '4a364c97';
    expect(list.sessions.map((session: { id: string }) => session.id)).toContain(session_id);
    const { data: health } = await ask('analyze_session', { session_id });
    const failure = health.insights.find((insight: { lens: string }) => insight.lens === 'failures');
    expect(failure.turn_index).toBeGreaterThanOrEqual(0);
    const { data: turns } = await ask('get_session_turns', { session_id });
    const turn = turns.turns[failure.turn_index];
    expect(turn.failed_tools).toBeGreaterThan(0);
    const { data: steps } = await ask('get_turn_steps', {
      session_id,
      turn_index: failure.turn_index,
      limit: 5,
    });
    expect(steps.steps.length).toBeGreaterThan(0);
    const { data: found } = await ask('search_event_previews', {
      query: 'error',
      session_id,
      event_type: 'tool_result',
      limit: 5,
    });
    expect(found.matches.length).toBeGreaterThan(0);
    const { data: event } = await ask('get_event_details', { session_id, event_index: failure.event_index });
    expect(event).toMatchObject({
      event_type: 'tool_result',
      status: 'failed',
      turn_index: failure.turn_index,
    });
    expect(event.text).toMatch(/error|not|fail/i);
    const total = spent();
    console.log(`investigation 1: ${total} bytes (target 30,000; the document's plan 125,000)`);
    expect(total).toBeLessThanOrEqual(30_000);
  });

  test('2: where the tokens of a session went', async () => {
    const session_id = 'e4599950';
    const { data: summary } = await ask('get_session_summary', { session_id });
    expect(summary.stats.total_tokens).toBeGreaterThan(5_000_000);
    const { data: turns } = await ask('get_session_turns', { session_id });
    const most = turns.turns.reduce((a: { tokens: number }, b: { tokens: number }) =>
      b.tokens > a.tokens ? b : a,
    );
    expect(most.tokens).toBeGreaterThan(500_000);
    expect(Object.keys(most.tools).length).toBeGreaterThan(0);
    const { data: reads } = await ask('search_event_previews', {
      query: 'file_path',
      session_id,
      event_type: 'tool_call',
      limit: 10,
    });
    for (const match of reads.matches) expect(match.preview).toMatch(/"file_path":"\//);
    const total = spent();
    console.log(`investigation 2: ${total} bytes (target 12,000; the document's plan 43,000)`);
    expect(total).toBeLessThanOrEqual(12_000);
  });

  test('3: find failures everywhere and read one in full', async () => {
    const { data: found } = await ask('search_event_previews', {
      query: 'Exit code 1',
      event_type: 'tool_result',
      limit: 10,
    });
    expect(found.matches.length).toBeGreaterThanOrEqual(8);
    const [first] = found.matches;
    const { data: event } = await ask('get_event_details', {
      session_id: first.session_id,
      event_index: first.event_index,
    });
    expect(event).toMatchObject({ event_type: 'tool_result', status: 'failed', exit_code: 1 });
    const total = spent();
    console.log(`investigation 3: ${total} bytes (target 6,000; the document's plan 15,000)`);
    expect(total).toBeLessThanOrEqual(6_000);
  });
});
