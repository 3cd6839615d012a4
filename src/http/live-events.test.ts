import { appendFileSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claude, lines, text, writeLog } from '../../test/fixtures/sessions/logs.ts';
import { scriptHeaders } from '../../test/sign-in.ts';
import { temporaryFolder } from '../../test/support.ts';
import { startBackground } from '../daemon/background.ts';

const ID = 'f0110000-0000-4000-8000-000000000001';
const logs = temporaryFolder();
process.env.CLAUDE_CONFIG_DIR = logs;
process.env.CODEX_HOME = join(logs, 'none');
process.env.GEMINI_CLI_HOME = join(logs, 'none');
const log = claude({ id: ID });
const file = join(logs, 'projects', '-srv-app', `${ID}.jsonl`);
writeLog(file, lines([log.prompt('begin'), log.answer('m1', text('Begun.'))]));
const begun = await startBackground({
  home: temporaryFolder(),
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (begun === undefined) throw new Error('no background process');
const background = begun;
await background.app.services.sessions.reading.refresh();
afterAll(() => background.stop());

/** The events of the stream, one after the other. */
async function* events(query: string, signal: AbortSignal): AsyncGenerator<{ event: string; data: unknown }> {
  const response = await fetch(`http://127.0.0.1:${background.port}/api/live${query}`, {
    headers: scriptHeaders(background),
    signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let rest = '';
  for await (const chunk of response.body ?? []) {
    rest += Buffer.from(chunk).toString('utf8');
    const parts = rest.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const [, event = ''] = /^event: (.*)$/m.exec(part) ?? [];
      const [, data = 'null'] = /^data: (.*)$/m.exec(part) ?? [];
      if (event !== '') yield { event, data: JSON.parse(data) };
    }
  }
}

/** Reads on until an event of the name comes. */
async function next(stream: AsyncGenerator<{ event: string; data: unknown }>, name: string) {
  for (;;) {
    const { value, done } = await stream.next();
    if (done) throw new Error('the stream ended');
    if (value.event === name) return value.data;
  }
}

test('a followed session tells where it stands and what is new', async () => {
  const stop = new AbortController();
  const stream = events(`?session=${ID}`, stop.signal);
  expect(await next(stream, 'hello')).toMatchObject({
    version: expect.any(String),
    data_folder: realpathSync(background.app.services.about.home),
  });
  expect(await next(stream, 'session')).toMatchObject({ events: 2, first_event: 2, turns: 1 });
  appendFileSync(file, lines([log.prompt('go on'), log.answer('m2', text('Going on.'))]));
  expect(await next(stream, 'session')).toMatchObject({ events: 4, first_event: 2, turns: 2 });
  expect(await next(stream, 'sessions')).toEqual({ changed: 1 });
  stop.abort();
});

test('jobs are told as they go; a session that is not there does no harm', async () => {
  const stop = new AbortController();
  const stream = events('?session=zzzzzzzz', stop.signal);
  await next(stream, 'hello');
  const secret = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'a1B2c3'].join('');
  mkdirSync(join(logs, secret));
  await background.app.services.allowed.add(logs);
  await fetch(`http://127.0.0.1:${background.port}/api/indexes`, {
    method: 'POST',
    headers: { ...scriptHeaders(background), 'content-type': 'application/json' },
    body: JSON.stringify({ root: logs }),
  });
  const seen: string[] = [];
  let last = '';
  while (seen.at(-1) !== 'done') {
    const job = (await next(stream, 'job')) as { job_id: string; status: string };
    last = JSON.stringify(job);
    expect(job.job_id).toBe('j1');
    seen.push(job.status);
  }
  expect(seen[0]).toBe('queued');
  stop.abort();
  // Names in the report are redacted here as in an answer.
  const own = await (
    await fetch(`http://127.0.0.1:${background.port}/api/jobs/j1/events`, {
      headers: scriptHeaders(background),
    })
  ).text();
  for (const told of [last, own]) {
    expect(told).toContain('"name":"[redacted:github]"');
    expect(told).not.toContain(secret);
  }
});
