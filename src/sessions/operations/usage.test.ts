import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { claude, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { sampleDesk } from '../../../test/fixtures/sessions/sample.ts';
import { temporaryFolder } from '../../../test/support.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('sorted by any column', async () => {
  const groups = async (sort: string | undefined) =>
    (await desk.ask('usage', { by: 'model', sort })).data.usage.map((line: { group: string }) => line.group);
  expect(await groups(undefined)).toEqual(['claude-opus-4-5', 'gemini-2.5-pro']);
  expect(await groups('input')).toEqual(['gemini-2.5-pro', 'claude-opus-4-5']);
  expect(await groups('output')).toEqual(['claude-opus-4-5', 'gemini-2.5-pro']);
  expect(await groups('group')).toEqual(['gemini-2.5-pro', 'claude-opus-4-5']);
});

test('split shows what each group consists of, and a model alone', async () => {
  const { data } = await desk.ask('usage', { by: 'agent', split: 'model' });
  const agents: { group: string; total: number; parts: { group: string; total: number }[] }[] = data.usage;
  expect(agents.map(({ group, parts }) => [group, parts.map((part) => part.group)])).toEqual([
    ['claude_code', ['claude-opus-4-5']],
    ['gemini', ['gemini-2.5-pro']],
  ]);
  for (const { total, parts } of agents) {
    expect(parts.reduce((sum, part) => sum + part.total, 0)).toBe(total);
  }
  const one = await desk.ask('usage', { by: 'agent', model: 'gemini-2.5-pro' });
  expect(one.data.usage.map((line: { group: string }) => line.group)).toEqual(['gemini']);
});

test('the sum of a part is not called the total', async () => {
  const sums = async (limit: number) =>
    (await desk.text('usage', { by: 'model', limit }))
      .split('\n')
      .map((line) => line.split('  ')[0])
      .filter((head) => head === 'total' || /^\d+ of \d+$/.test(head ?? ''));
  expect(await sums(1)).toEqual(['1 of 2']);
  expect(await sums(2)).toEqual(['total']);
});

test('sessions have their titles', async () => {
  const { data } = await desk.ask('usage', { by: 'session', sort: 'group' });
  const lines: { group: string; title?: string }[] = data.usage;
  const { data: listed } = await desk.ask('list_sessions', {});
  const cards: { id: string; title?: string; snippet: string }[] = listed.sessions;
  const found = lines.flatMap(({ group, title }) => {
    const card = cards.find(({ id }) => group.startsWith(id));
    return card === undefined ? [] : [[title, card.title ?? card.snippet]];
  });
  expect(found.length).toBeGreaterThan(0);
  for (const [title, expected] of found) expect(title).toBe(expected);
});

test('a terminal that is too narrow for every digit gets short counts', async () => {
  const linesAt = async (columns: number) => {
    const terminal = { columns, unicode: true };
    const text = await desk.text('usage', { by: 'model' }, { door: 'cli', terminal });
    return text.split('\n').slice(0, 3);
  };
  const wide = await linesAt(200);
  const widest = Math.max(...wide.map((line) => line.length));
  expect(await linesAt(widest)).toEqual(wide);
  const narrow = await linesAt(widest - 1);
  expect(wide[1]).toMatch(/ \d+,\d{3} /);
  expect(narrow[1]).toMatch(/ \d\.\d\dk /);
  expect(narrow[1]).not.toContain(',');
});

test('while logs are first read, the page gets what is known at once; everybody else gets exact totals', async () => {
  const home = temporaryFolder();
  const id = 'aaaaaaaa-1111-4111-8111-111111111111';
  const log = claude({ id });
  const cold = await openDesk({ home, folders: undefined });
  await cold.sessions.reading.refresh();
  // Reading begins, and gets no further.
  const goOn = cold.sessions.reading.hold();
  writeLog(
    join(home, '.claude/projects/-srv-app', `${id}.jsonl`),
    lines([log.prompt('begin'), log.answer('msg_1', text('Begun.'))]),
  );
  void cold.sessions.reading.scan();
  const soon = await cold.ask('usage', { by: 'model' }, { door: 'page' });
  expect(soon.data.usage).toEqual([]);
  expect(soon.meta.indexing).toBeDefined();
  const exact = await cold.ask('usage', { by: 'model' }, { door: 'cli' });
  expect(exact.data.usage).toMatchObject([{ responses: 1 }]);
  goOn();
  await cold.sessions.reading.refresh();
  const later = await cold.ask('usage', { by: 'model' }, { door: 'page' });
  expect(later.data.usage).toEqual(exact.data.usage);
  expect(later.meta.indexing).toBeUndefined();
  await cold.close(true);
});
