import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApp } from '../src/app/open-app.ts';
import { claude, lines, text, writeLog } from './fixtures/sessions/logs.ts';
import { ask, temporaryApp, temporaryFolder } from './support.ts';

const ID = '5e55a001-0000-4000-8000-000000000001';
const PERSON = { door: 'page', roots: ['/srv'], budget: 1_000_000 } as const;

/** A home with one session of a million tokens of input. */
function homeWithSession(model: string): string {
  const home = temporaryFolder();
  const { prompt, answer } = claude({ id: ID });
  const usage = { input: 1_000_000, output: 100_000, cacheRead: 0, cacheWrite: 0 };
  const log = lines([prompt('Count.'), answer('m1', text('One.'), usage)]);
  writeLog(
    join(home, '.claude/projects/-srv-app', `${ID}.jsonl`),
    log.replaceAll('"claude-opus-4-5"', JSON.stringify(model)),
  );
  return home;
}

const app = await temporaryApp({ env: { HOME: homeWithSession('claude-opus-4-6-20260101') } });
await app.services.sessions.reading.refresh();
const set = (input: Readonly<Record<string, string | number | boolean>>) =>
  ask(app, 'usage_prices', input, PERSON);

/** The cost of the session wherever it is shown. */
async function costs() {
  const answer = async (operation: string, input: Readonly<Record<string, string | number>>) =>
    (await ask(app, operation, input, PERSON)).body.data;
  const summary = await answer('get_session_summary', { session_id: ID });
  const steps = await answer('get_turn_steps', { session_id: ID, turn_index: 0 });
  const list = await answer('list_sessions', { fields: 'cost_usd' });
  const usage = await answer('usage', { by: 'model', split: 'agent' });
  const tables = await answer('sql', {
    query:
      'SELECT s.cost, u.cost, t.cost FROM sessions s JOIN usage u ON u.session = s.id JOIN turns t ON t.session = s.id',
  });
  return {
    summary: summary.tokens.cost_usd,
    step: steps.steps[0].cost_usd,
    list: list.sessions[0].cost_usd,
    usage: usage.usage[0].cost_usd,
    part: usage.usage[0].parts[0].cost_usd,
    sql: tables.rows[0],
  };
}

const everywhere = (cost: number) => ({
  ...{ summary: cost, step: cost, list: cost, usage: cost, part: cost },
  sql: [cost, cost, cost],
});

test('a price that a person sets changes every cost, and can be taken back', async () => {
  expect(await costs()).toEqual(everywhere(5 + 2.5));
  const { body } = await set({ model: 'claude-opus-4-6', input: 2, output: 10 });
  expect(body.data.prices.find(({ model }: { model: string }) => model === 'claude-opus-4-6')).toEqual({
    ...{ model: 'claude-opus-4-6', input: 2, cached: 0.5, cache_write: 6.25, output: 10, own: true },
    list: { input: 5, cached: 0.5, cache_write: 6.25, output: 25 },
  });
  expect(await costs()).toEqual(everywhere(2 + 1));
  const usage = await ask(app, 'usage', {}, { ...PERSON, format: 'text' });
  expect(usage.answer.rendered.text).toContain('and your own for claude-opus-4-6');
  await set({ model: 'claude-opus-4-6', reset: true });
  expect(await costs()).toEqual(everywhere(7.5));
});

test('prices last, only their owner can read them, and a damaged file means list prices', async () => {
  await set({ model: 'claude-opus-4-6', input: 0 });
  const file = join(app.home, 'prices.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ 'claude-opus-4-6': [0, 0.5, 6.25, 25] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await set({ reset: true });
  const other = temporaryFolder();
  writeFileSync(join(other, 'prices.json'), '{"claude-opus-4-6":[1,-5]}');
  const damaged = await openApp({
    home: other,
    log: () => {},
    baseUrl: () => '',
    env: { HOME: temporaryFolder() },
  });
  const { body } = await ask(damaged, 'usage_prices', { model: 'claude-opus-4-6' }, PERSON);
  expect(body.data.prices).toMatchObject([{ model: 'claude-opus-4-6', input: 5 }]);
  await damaged.close();
});

test('a model without a list price gets one; what makes no sense is refused', async () => {
  const local = await temporaryApp({ env: { HOME: homeWithSession('qwen3-local') } });
  await local.services.sessions.reading.refresh();
  const price = (input: Readonly<Record<string, string | number | boolean>>, who = {}) =>
    ask(local, 'usage_prices', input, { ...PERSON, ...who });
  expect((await price({})).body.data).toMatchObject({ used: ['qwen3-local'], unpriced: ['qwen3-local'] });
  expect((await price({ model: 'qwen3-local', input: 1 })).body.error.message).toBe(
    "'qwen3-local' has no price yet. Give at least input and output.",
  );
  await price({ model: 'Qwen3-Local', input: 1, output: 20 });
  expect((await price({ model: 'qwen3-local' })).body.data).toMatchObject({
    prices: [{ model: 'qwen3-local', input: 1, cached: 1, cache_write: 1, output: 20, own: true }],
    unpriced: [],
  });
  const { usage } = (await ask(local, 'usage', {}, PERSON)).body.data;
  expect(usage[0].cost_usd).toBe(3);
  const codes = [];
  for (const input of [
    { input: 3 },
    { model: 'o3', reset: true },
    { model: 'o3', input: -1 },
    { reset: true, input: 1 },
  ])
    codes.push((await price(input)).body.error.code);
  expect(codes).toEqual(['invalid_parameter', 'not_found', 'invalid_parameter', 'invalid_parameter']);
  expect((await price({ reset: true }, { door: 'rest' })).answer.ok).toBe(false);
});
