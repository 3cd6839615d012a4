import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { A, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

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
    grep: 'LAST',
    context_lines: 1,
  });
  expect(data.lines).toEqual([
    { line: 3000, text: 'line of code' },
    { line: 3001, text: 'the last line' },
  ]);
});
