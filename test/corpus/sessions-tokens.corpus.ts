import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JsonObject, list, object, parseJson, text } from '../../src/sessions/model/log-json.ts';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { findLogs, type LogFile, type LogFolder } from '../../src/sessions/providers/log-files.ts';
import { type Desk, openDesk } from '../fixtures/sessions/harness.ts';

const corpus = process.env.PINHOLE_CORPUS;
if (corpus === undefined) throw new Error('PINHOLE_CORPUS must name the folder with the test material');
const root = join(corpus, 'data/sessions');
const folders: readonly LogFolder[] = (['claude_code', 'codex', 'gemini'] as const).map((provider) => ({
  provider,
  path: join(root, provider),
}));

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ folders });
});
afterAll(() => desk.close());

/** The records of a log, read with nothing but JSON.parse. */
function recordsOf({ path }: LogFile): readonly JsonObject[] {
  const content = readFileSync(path, 'utf8');
  if (path.endsWith('.json')) return list(object(parseJson(content)).messages).map(object);
  return content.split('\n').map((line) => object(parseJson(line)));
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);
const number = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Sessions with their logs; copies of a thread in a second file are counted with it. */
async function sessionsOf(provider: string) {
  const logs = findLogs(PROVIDERS, folders).filter(
    (log) => log.provider === provider && !log.path.endsWith('.zst'),
  );
  const found = await Promise.all(
    logs.map(async (log) => ({ log, session: await desk.sessions.list.find(log.path) })),
  );
  return found.filter(({ session }) => session.copyOf === undefined);
}

test('Claude Code: the totals of its cost records, subagents included', async () => {
  let compared = 0;
  for (const { log, session } of await sessionsOf('claude_code')) {
    const last = recordsOf(log).findLast((record) => record.type === 'cost-state');
    if (last === undefined) continue;
    const own = sum(
      Object.values(object(last.modelUsage))
        .map(object)
        .flatMap((model) =>
          ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'].map((name) =>
            number(model[name]),
          ),
        ),
    );
    const children = (await desk.sessions.list.children(session, 100)).filter(
      (child) => child.relation === 'subagent',
    );
    const { total, cost } = await desk.sessions.usage.ofSession(session);
    expect(total + sum(children.map((child) => child.totalTokens)), log.path).toBe(own);
    const spent = await Promise.all(
      children.map(async (child) => (await desk.sessions.usage.ofSession(child)).cost),
    );
    expect(cost + sum(spent), log.path).toBeCloseTo(number(last.totalCostUSD), 6);
    compared++;
  }
  expect(compared).toBeGreaterThan(0);
});

test('Codex: exact records where there are some, the running total where nothing was copied or set back', async () => {
  let exact = 0;
  let running = 0;
  for (const { log, session } of await sessionsOf('codex')) {
    const records = recordsOf(log);
    const { total } = await desk.sessions.usage.ofSession(session);
    const responses = new Map<string, number>();
    for (const { type, payload } of records) {
      const { thread_id, response_id, usage } = object(payload);
      if (type !== 'token_usage_record' || thread_id !== session.id) continue;
      responses.set(text(response_id) ?? '', number(object(usage).total_tokens));
    }
    if (responses.size > 0) {
      expect(total, log.path).toBe(sum(responses.values()));
      exact++;
      continue;
    }
    const totals = records
      .map(({ payload }) => object(object(object(payload).info).total_token_usage).total_tokens)
      .filter((value) => typeof value === 'number');
    const grows = totals.every((value, index) => index === 0 || value >= (totals[index - 1] ?? 0));
    if (session.relation !== undefined || !grows || totals.length === 0) continue;
    expect(total, log.path).toBe(totals.at(-1));
    running++;
  }
  expect(exact).toBeGreaterThan(0);
  expect(running).toBeGreaterThan(5);
});

test('Gemini CLI: the totals of its messages, each once', async () => {
  let compared = 0;
  for (const { log, session } of await sessionsOf('gemini')) {
    const messages = new Map<string, number>();
    for (const { id, type, tokens } of recordsOf(log)) {
      const own = number(object(tokens).total);
      if (type === 'gemini' && own > 0) messages.set(text(id) ?? '', own);
    }
    if (messages.size === 0) continue;
    expect((await desk.sessions.usage.ofSession(session)).total, log.path).toBe(sum(messages.values()));
    compared++;
  }
  expect(compared).toBeGreaterThan(2);
});

test('the sessions together have as many tokens as all days, projects and models', async () => {
  const sessions = await desk.sessions.list.page({ subagents: true }, undefined, 10_000);
  const whole = sum(sessions.map((session) => session.totalTokens));
  for (const group of ['day', 'project', 'model', 'session'] as const) {
    expect(sum((await desk.sessions.usage.by(group, 'UTC', {})).map((line) => line.total)), group).toBe(
      whole,
    );
  }
});
