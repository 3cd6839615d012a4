import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { A, C, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk, paths } = await sampleDesk();
afterAll(() => desk.close());

test('every record comes back byte for byte', async () => {
  for (const path of paths) {
    const session = await desk.sessions.list.find(path);
    let whole = '';
    let at = 0;
    for (const event of await desk.sessions.events.range(session, 0, session.events)) {
      if (event.offset < at) continue;
      at = event.offset + event.length;
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const { data } = await desk.ask('get_event_details', {
          session_id: session.id,
          event_index: event.index,
          raw: true,
          offset,
        });
        whole += data.text;
        offset = data.next_offset;
      }
    }
    expect(whole).toBe(readFileSync(path, 'utf8'));
  }
});

test('lines of one long output', async () => {
  const { data } = await desk.ask('get_event_details', {
    session_id: A,
    event_index: 3,
    grep: 'last',
    context_lines: 1,
  });
  expect(data.lines).toEqual([
    { line: 3000, text: 'line of code' },
    { line: 3001, text: 'the last line' },
  ]);
});

test('small letters ignore case, capitals do not', async () => {
  const lines = async (grep: string) =>
    (await desk.ask('get_event_details', { session_id: A, event_index: 3, grep })).data.lines.length;
  expect(await lines('the last')).toBe(1);
  expect(await lines('THE LAST')).toBe(0);
});

test('a call has its name and arguments, and its arguments are searched line by line', async () => {
  const edit = { session_id: A, event_index: 4 };
  const { data } = await desk.ask('get_event_details', edit);
  expect(data.payload).toEqual({
    name: 'Edit',
    arguments: { file_path: '/srv/app/src/a.ts', old_string: 'old', new_string: 'new' },
  });
  expect(data.text).toBe(JSON.stringify(data.payload.arguments));
  const patch = { session_id: C, event_index: 2, grep: '^[+-]\\d' };
  expect((await desk.ask('get_event_details', patch)).data.lines).toEqual([
    { line: 4, text: '-1' },
    { line: 5, text: '+2' },
  ]);
  expect(await desk.text('get_event_details', edit)).toBe(
    'aaaaaaaa-1 e4 t0.1 03-01 10:00 call Edit 60 bytes result e5\nfile_path: /srv/app/src/a.ts\nold_string: old\nnew_string: new',
  );
});

test('grep in a call also searches its result, and says which event the lines are of', async () => {
  const read = { session_id: A, event_index: 2, grep: 'a\\.ts|last', context_lines: 1 };
  const { data } = await desk.ask('get_event_details', read);
  expect(data.result_event).toBe(3);
  expect(data.lines).toEqual([
    { line: 1, text: '/srv/app/src/a.ts' },
    { event: 3, line: 3000, text: 'line of code' },
    { event: 3, line: 3001, text: 'the last line' },
  ]);
  expect(await desk.text('get_event_details', { ...read, context_lines: 0 })).toMatch(
    / result e3\n1: \/srv\/app\/src\/a\.ts\ne3:\n3001: the last line$/,
  );
  expect((await desk.ask('get_event_details', { ...read, grep: 'last', raw: true })).data.lines).toEqual([]);
});

test('many lines of a result go on in the result', async () => {
  const read = { session_id: A, event_index: 2, grep: 'code' };
  const { data, next } = await desk.ask('get_event_details', read);
  const last = data.lines.at(-1);
  expect(last.event).toBe(3);
  expect(data).toMatchObject({ next_event: 3, next_offset: last.line });
  expect(next[0].input).toMatchObject({
    event_index: 3,
    offset: last.line,
    grep: 'code',
  });
  const rest = await desk.ask('get_event_details', { ...read, event_index: 3, offset: last.line });
  expect(rest.data.lines[0]).toEqual({ line: last.line + 1, text: 'line of code' });
});

test('a long line is shown around its match', async () => {
  const raw = { session_id: A, event_index: 3, raw: true, grep: 'the last' };
  const { lines } = (await desk.ask('get_event_details', raw)).data;
  expect(lines).toHaveLength(1);
  expect(lines[0].text).toMatch(/^….*line of code\\nthe last line"/);
  expect(lines[0].text).toMatch(/…\[\+\d+ bytes\]$/);
  expect(lines[0].text.length).toBeLessThan(500);
});
