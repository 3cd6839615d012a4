import { afterAll, expect, test } from 'vitest';
import { sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('who touched a file, with each change', async () => {
  const { data } = await desk.ask('file_history', { path: '/srv/app/src/a.ts', reads: true });
  expect(data.touches).toMatchObject([
    {
      session_id: '01a1dcbe',
      action: 'edit',
      tool: 'apply_patch',
      diff: expect.stringContaining('-1\n+2'),
    },
    {
      session_id: 'aaaaaaaa-1',
      action: 'edit',
      event_index: 4,
      added: 1,
      removed: 1,
      why: 'please fix the parser',
      diff: '@@ -3,1 +3,1 @@\n-old\n+new',
    },
    { session_id: 'aaaaaaaa-1', action: 'read', event_index: 2 },
  ]);
  const count = async (input: object) =>
    (await desk.ask('file_history', { reads: true, ...input })).data.touches.length;
  expect(await count({ path: 'src/a.ts' })).toBe(3);
  expect(await count({ path: '/srv/app' })).toBe(4);
  expect(await count({ path: 'app/src' })).toBe(4);
  expect(await count({ path: 'src', reads: false })).toBe(2);
  expect(await count({ path: 'src', provider: 'codex' })).toBe(1);
});

test('oldest first, page by page, without diffs', async () => {
  const first = await desk.ask('file_history', {
    path: 'src/a.ts',
    order: 'oldest',
    limit: 1,
    diff_lines: 0,
  });
  expect(first.data.touches).toMatchObject([{ session_id: 'aaaaaaaa-1', event_index: 4 }]);
  expect(first.data.touches[0].diff).toBeUndefined();
  const next = await desk.ask('file_history', { cursor: first.pagination.next_cursor });
  expect(next.data.touches).toMatchObject([{ session_id: '01a1dcbe' }]);
});

test('without a path: the most edited files', async () => {
  const { data } = await desk.ask('file_history', {});
  expect(data.files).toEqual([
    {
      path: 'src/a.ts',
      sessions: 2,
      edits: 2,
      failed: 0,
      rejected: 0,
      added: 2,
      removed: 2,
      last_at: expect.any(String),
    },
  ]);
  expect((await desk.ask('file_history', { provider: 'gemini' })).data.files).toEqual([]);
});

test('the text of both', async () => {
  expect((await desk.text('file_history', {})).split('\n').slice(0, 2)).toEqual([
    'sessions edits failed rejected lines path',
    '2 2 0 0 +2 −2 src/a.ts',
  ]);
  const terminal = { columns: 80, unicode: true };
  expect((await desk.text('file_history', {}, { door: 'cli', terminal })).split('\n').slice(0, 2)).toEqual([
    'sessions  edits  failed  rejected  lines  path',
    '       2      2       0         0  +2 −2  src/a.ts',
  ]);
  const text = await desk.text('file_history', { path: 'src/a.ts', order: 'oldest' });
  expect(text.split('\n').slice(0, 5)).toEqual([
    'aaaaaaaa-1 e4 t0.1 03-01 edit +1 −1  "please fix the parser"',
    '@@ -3,1 +3,1 @@',
    '-old',
    '+new',
    '01a1dcbe e2 t0.0 03-01 edit +1 −1  "patch it"',
  ]);
});

test.each([
  ['./src/a.ts', '/srv/app'],
  ['src//a.ts', '/srv/app'],
  ['../app/src/a.ts', '/srv/web'],
  ['/srv/app/./src/../src/a.ts', '/'],
  ['file:///srv/app/src/a.ts', '/'],
])('%s from %s is the same file', async (path, cwd) => {
  const { data } = await desk.ask('file_history', { path, reads: true }, { cwd });
  expect(data.path).toBe('/srv/app/src/a.ts');
  expect(data.touches).toHaveLength(3);
});

test('the root contains every file', async () => {
  expect((await desk.ask('file_history', { path: '/', reads: true })).data.touches).toHaveLength(4);
});
