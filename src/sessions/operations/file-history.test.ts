import { afterAll, expect, test } from 'vitest';
import { sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('who touched a file, with each change', async () => {
  const { data } = await desk.ask('file_history', { path: '/srv/app/src/a.ts' });
  expect(data.touches).toMatchObject([
    {
      session_id: '01a1dcbe',
      action: 'edit',
      tool: 'apply_patch',
      diff: expect.stringContaining('-1\n+2'),
    },
    { session_id: 'aaaaaaaa-1', action: 'edit', event_index: 4, diff: '@@ -3,1 +3,1 @@\n-old\n+new' },
    { session_id: 'aaaaaaaa-1', action: 'read', event_index: 2 },
  ]);
  expect((await desk.ask('file_history', { path: 'src/a.ts' })).data.touches).toHaveLength(3);
  expect((await desk.ask('file_history', { path: '/srv/app' })).data.touches).toHaveLength(4);
});

test.each([
  ['./src/a.ts', '/srv/app'],
  ['src//a.ts', '/srv/app'],
  ['../app/src/a.ts', '/srv/web'],
  ['/srv/app/./src/../src/a.ts', '/'],
  ['file:///srv/app/src/a.ts', '/'],
])('%s from %s is the same file', async (path, cwd) => {
  const { data } = await desk.ask('file_history', { path }, { cwd });
  expect(data.path).toBe('/srv/app/src/a.ts');
  expect(data.touches).toHaveLength(3);
});

test('the root contains every file', async () => {
  expect((await desk.ask('file_history', { path: '/' })).data.touches).toHaveLength(4);
});
