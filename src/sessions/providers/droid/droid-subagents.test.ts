import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../../test/support.ts';
import { droid } from './index.ts';

const PARENT = '0fcd59e1-402e-4334-bbbc-2e8783f2838c';
const CHILD = 'b5b7c0e7-c9cb-4ef1-8b3c-d42b30ee5e55';

function log(id: string, said: string): string {
  const message = { role: 'user', content: [{ type: 'text', text: said }] };
  return [
    { type: 'session_start', id, title: said, version: 2, cwd: '/srv/project' },
    { type: 'message', id: `${id}-1`, timestamp: '2026-11-16T20:00:00.000Z', message },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}

test('a subagent belongs to the session that the list of tasks names', async () => {
  const home = temporaryFolder();
  const folder = join(home, '.factory/sessions/-srv-project');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${PARENT}.jsonl`), log(PARENT, 'Ask a helper.'));
  writeFileSync(join(folder, `${CHILD}.jsonl`), log(CHILD, 'Look at src.'));
  writeFileSync(
    join(home, '.factory/task-invocations.json'),
    JSON.stringify({
      invocations: [{ parentSessionId: PARENT, childSessionId: CHILD, status: 'completed' }],
    }),
  );
  const desk = await openDesk({ home, folders: undefined, providers: [droid] });
  const sessions = await desk.sessions.list.page({ subagents: true }, undefined, 5);
  await desk.close(true);
  expect(sessions.find(({ id }) => id === CHILD)).toMatchObject({ relation: 'subagent', parentId: PARENT });
  expect(sessions.find(({ id }) => id === PARENT)?.parentId).toBeUndefined();
});
