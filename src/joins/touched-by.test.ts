import { mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryFolder } from '../../test/support.ts';
import { openApp } from '../app/open-app.ts';

/** A session of one edit, as Claude Code writes it. */
function editOf(path: string, cwd: string): string {
  const common = {
    sessionId: '11111111-2222-4333-8444-555555555555',
    cwd,
    version: '2.1.300',
    isSidechain: false,
    userType: 'external',
  };
  return [
    {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      timestamp: '2026-11-14T10:00:00Z',
      message: { role: 'user', content: 'change it' },
      ...common,
    },
    {
      type: 'assistant',
      uuid: 'a1',
      parentUuid: 'u1',
      timestamp: '2026-11-14T10:00:01Z',
      requestId: 'r1',
      ...common,
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'claude-opus-4-6',
        usage: { input_tokens: 10, output_tokens: 5 },
        content: [
          {
            type: 'tool_use',
            id: 't1',
            name: 'Edit',
            input: { file_path: path, old_string: 'a', new_string: 'b' },
          },
        ],
      },
    },
    {
      type: 'user',
      uuid: 'u2',
      parentUuid: 'a1',
      timestamp: '2026-11-14T10:00:02Z',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }] },
      ...common,
    },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n');
}

test('a file knows the sessions that touched it, and a filter finds such files', async () => {
  const root = await realpath(temporaryFolder());
  const logs = temporaryFolder();
  writeFileSync(join(root, 'touched.ts'), 'b');
  writeFileSync(join(root, 'other.ts'), 'b');
  const project = join(logs, 'projects', root.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(project, { recursive: true });
  writeFileSync(
    join(project, '11111111-2222-4333-8444-555555555555.jsonl'),
    `${editOf(join(root, 'touched.ts'), root)}\n`,
  );
  const app = await openApp({
    home: temporaryFolder(),
    log: () => {},
    baseUrl: () => 'http://127.0.0.1:1',
    env: { HOME: temporaryFolder(), CLAUDE_CONFIG_DIR: logs },
  });
  const who = { roots: [root] };
  await app.services.sessions.reading.refresh();

  const { body } = await ask(app, 'inspect', { path: join(root, 'touched.ts') }, who);
  expect(body.data.touched_by).toEqual([{ session_id: '11111111', last: '2026-11-14', changes: 1 }]);
  expect(
    (await ask(app, 'inspect', { path: join(root, 'other.ts') }, who)).body.data.touched_by,
  ).toBeUndefined();

  const job = (await ask(app, 'index', { root }, who)).body.data;
  await new Promise<void>((done) => {
    const look = (status: string | undefined) => status === 'done' && done();
    app.services.jobs.watch(job.job_id, ({ status }) => look(status));
    void app.services.jobs.get(job.job_id).then((found) => look(found?.status));
  });
  const found = await ask(
    app,
    'query_run',
    { index_id: job.index_id, filter: { touched_by_agent: true, kind: 'file' } },
    who,
  );
  expect(found.body.data.counts.files).toBe(1);
  const written = { written_by_agent: true, size: '<1MB' };
  const wrote = await ask(app, 'query_run', { path: root, filter: written }, who);
  expect(wrote.body.data.report).toMatchObject([{ path: 'touched.ts', size: 1 }]);
  await app.close();
});
