import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';

const ID = '5e55a001-0000-4000-8000-000000000001';
const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const PICTURE = `data:image/png;base64,${'iVBORw0K'.repeat(100)}`;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  const log = claude({ id: ID, cwd: '/srv/app' });
  writeLog(
    join(desk.folders.claude, '-srv-app', `${ID}.jsonl`),
    lines([
      log.prompt(`use <b>${SECRET}</b>`),
      log.answer('msg_1', call('t1', 'Bash', { command: 'cat big.txt' })),
      log.result('t1', `\`\`\`\n${'long line of output\n'.repeat(3_000)}${PICTURE}`),
      log.answer('msg_2', text('done, a "quoted" word')),
    ]),
  );
  await desk.sessions.reading.refresh();
});
afterEach(() => desk.close());

async function exported(as: string, input = {}, who = {}): Promise<string> {
  const parts: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, pagination } = await desk.ask(
      'session_export',
      { session_id: ID, as, ...input, cursor },
      who,
    );
    parts.push(...data.pieces.map(({ text }: { text: string }) => text));
    cursor = pagination?.next_cursor;
    if (cursor === undefined) return parts.join('');
  }
}

test('Markdown: prompts are headings, calls are fenced, secrets and pictures are out, results are cut', async () => {
  const file = await exported('markdown');
  expect(file).toMatch(/^# use <b>\[redacted:[\w-]+\]<\/b>\n\n- session: 5e55a001-0000/);
  expect(file).toContain(`- resume: cd /srv/app && claude --resume ${ID}\n`);
  expect(file).toMatch(/\n## Prompt · e0 · 20\d\d-\d\d-\d\d \d\d:\d\d\n\nuse <b>\[redacted/);
  expect(file).toMatch(/\n### Call Bash · e1 · .*\n\n```\ncat big.txt\n```\n/);
  expect(file).toContain('\n````\n```\nlong line of output\n');
  expect(file).toMatch(/…\[\+\d+ bytes\]\n````\n/);
  expect(file).not.toContain(SECRET);
  const whole = await exported('markdown', { result_bytes: 0 });
  expect(whole.match(/long line of output/g)).toHaveLength(3_000);
  expect(whole).toContain('[image/png, 822 characters]');
  expect(whole).not.toContain('iVBORw0K');
});

test('HTML has no markup of the session, no script and nothing from elsewhere', async () => {
  const file = await exported('html');
  expect(file).toMatch(/^<!doctype html>/);
  expect(file).toMatch(/<\/html>\n$/);
  expect(file).toContain('use &lt;b&gt;[redacted:');
  expect(file).toContain(`content="default-src 'none'`);
  expect(file).not.toMatch(/<script|src=|https?:/);
  expect(file.match(/<section class="/g)).toHaveLength(4);
});

test('JSON is one document, however small the pages are', async () => {
  const small = await exported('json', { result_bytes: 0, limit: 1 });
  expect(small).toBe(await exported('json', { result_bytes: 0 }));
  const { session, events } = JSON.parse(small);
  expect(session).toMatchObject({ session: ID, project: '/srv/app', turns: '1' });
  expect(events.map((one: { type: string }) => one.type)).toEqual([
    ...['user', 'tool_call', 'tool_result', 'message'],
  ]);
  expect(events[3]).toMatchObject({ event: 3, turn: 0, text: 'done, a "quoted" word' });
});

test('on the command line the whole file is the answer', async () => {
  const shown = await desk.text(
    'session_export',
    { session_id: ID, as: 'json' },
    { door: 'cli', budget: 1e9 },
  );
  expect(JSON.parse(shown).events).toHaveLength(4);
});

test('a summary ends with the command that resumes the session, on every door', async () => {
  for (const door of ['mcp', 'cli', 'rest'] as const)
    expect(await desk.text('get_session_summary', { session_id: ID }, { door })).toContain(
      `\nresume cd /srv/app && claude --resume ${ID}`,
    );
});
