import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { claude, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';

let desk: Desk;
afterEach(() => desk.close());

const claudeLog = (id: string) => join(desk.folders.claude, '-srv-app', `${id}.jsonl`);

async function totalOf(id: string): Promise<number> {
  return (await desk.ask('get_session_summary', { session_id: id })).data.stats.total_tokens;
}

describe('tokens', () => {
  test('lines of one response count once, with the largest output', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    const usage = { input: 10, cacheRead: 100, cacheWrite: 20 };
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('go'),
        log.answer('msg_0000000000000001', text('a'), { ...usage, output: 1 }, { stop_reason: null }),
        log.answer('msg_0000000000000001', text('b'), { ...usage, output: 70 }, { stop_reason: 'end_turn' }),
      ]),
    );
    await desk.sessions.reading.refresh();
    const { data } = await desk.ask('get_session_summary', { session_id: A });
    expect(data.tokens).toMatchObject({ input: 10, cached: 100, cache_write: 20, output: 70 });
    expect(data.tokens.lower_bound).toBeUndefined();
    expect(data.stats.total_tokens).toBe(200);
  });

  test('a client that never wrote the final count gives a lower bound', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('go'),
        log.answer('msg_0000000000000001', text('a'), { output: 1 }, { stop_reason: null }),
      ]),
    );
    await desk.sessions.reading.refresh();
    expect((await desk.ask('get_session_summary', { session_id: A })).data.tokens.lower_bound).toBe(true);
    expect(await desk.text('usage', {})).toContain('lower bound');
  });

  test('what the client counted and did not log makes the sum the client’s', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('go'),
        log.answer('msg_0000000000000001', text('a'), {
          input: 10,
          output: 20,
          cacheRead: 100,
          cacheWrite: 0,
        }),
        {
          type: 'cost-state',
          sessionId: A,
          modelUsage: {
            'claude-opus-4-5': {
              inputTokens: 25,
              outputTokens: 90,
              cacheReadInputTokens: 150,
              cacheCreationInputTokens: 0,
            },
          },
        },
      ]),
    );
    await desk.sessions.reading.refresh();
    expect(await totalOf(A)).toBe(265);
  });

  test('caches of an hour and long prompts are in the cost, and the answer says so', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    const answer = (message: string, usage: object) => {
      const record = log.answer(message, text('a'));
      const { message: said } = record;
      return { ...record, message: { ...said, model: 'claude-sonnet-4-5', usage } };
    };
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('go'),
        answer('msg_0000000000000001', {
          input_tokens: 100_000,
          cache_creation_input_tokens: 50_000,
          cache_creation: { ephemeral_5m_input_tokens: 10_000, ephemeral_1h_input_tokens: 40_000 },
          output_tokens: 1000,
        }),
        answer('msg_0000000000000002', {
          input_tokens: 1,
          cache_read_input_tokens: 200_000,
          output_tokens: 1000,
        }),
      ]),
    );
    await desk.sessions.reading.refresh();
    const { tokens } = (await desk.ask('get_session_summary', { session_id: A })).data;
    const short = 0.1 * 3 + 0.01 * 3.75 + 0.04 * 6 + 0.001 * 15;
    const long = 0.000001 * 6 + 0.2 * 0.6 + 0.001 * 22.5;
    expect(tokens).toMatchObject({ cache_write: 50_000, cache_write_1h: 40_000, long_context: 1 });
    expect(tokens.cost_usd).toBeCloseTo(short + long, 4);
    const { usage, assumed } = (await desk.ask('usage', { by: 'model' })).data;
    expect(usage).toMatchObject([{ models: ['claude-sonnet-4-5'], responses: 2, cost_usd: tokens.cost_usd }]);
    expect(assumed).toContain('2 x input');
    expect(await desk.text('usage', {})).toContain(
      'at higher prices: 40,000 tokens written to the one-hour cache, 1 response to long prompts',
    );
  });
});
