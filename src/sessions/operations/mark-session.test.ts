import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { A, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { sessionMarks } from '../store/session-marks.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

const PERSON = { door: 'cli' } as const;

test('a star and a note are kept, shown and found', async () => {
  const mark = (input: object) => desk.ask('mark_session', { session_id: 'aaaaaaaa-1', ...input }, PERSON);
  expect((await mark({})).data).toEqual({ session_id: 'aaaaaaaa-1', starred: false });
  expect((await mark({ starred: true, note: '  the parser ' })).data).toEqual({
    session_id: 'aaaaaaaa-1',
    starred: true,
    note: 'the parser',
  });
  const { data } = await desk.ask('get_session_summary', { session_id: A });
  expect(data).toMatchObject({ starred: true, note: 'the parser' });
  const starred = async () =>
    (await desk.ask('list_sessions', { starred: true, fields: 'id,starred,note' })).data.sessions;
  expect(await starred()).toEqual([{ id: 'aaaaaaaa-1', starred: true, note: 'the parser' }]);
  expect((await mark({ starred: false })).data).toEqual({
    session_id: 'aaaaaaaa-1',
    starred: false,
    note: 'the parser',
  });
  expect(await starred()).toEqual([]);
  expect((await mark({ note: '' })).data).toEqual({ session_id: 'aaaaaaaa-1', starred: false });
});

test('agents cannot mark sessions', async () => {
  const { error } = await desk.ask(
    'mark_session',
    { session_id: 'aaaaaaaa-1', starred: true },
    { door: 'mcp' },
  );
  expect(error.code).toBe('forbidden');
});

test('marks outlive the process; a damaged file is set aside', async () => {
  const home = temporaryFolder();
  const file = join(home, 'marks.json');
  await sessionMarks(home).set(A, { starred: true });
  expect(await sessionMarks(home).starred()).toEqual([A]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, '{"half');
  expect(await sessionMarks(home).starred()).toEqual([]);
  expect(existsSync(file)).toBe(false);
  const aside = readdirSync(home).find((name) => name.startsWith('marks.json.damaged-')) ?? '';
  expect(readFileSync(join(home, aside), 'utf8')).toBe('{"half');
});
