import { expect, test } from 'vitest';
import { withRowLinks } from './row-links.ts';

const url = (path: string) => `http://127.0.0.1:4747${path}`;

test('rows are linked by their own fields and those around them', () => {
  const turns = { rows: 'turns', rowLink: '/api/sessions/{session_id}/turns/{turn_index}' };
  const data = { session_id: 'a/b', total: 2, turns: [{ turn_index: 0 }, { turn_index: 1 }] };
  expect(withRowLinks(turns, data, url)).toEqual({
    session_id: 'a/b',
    total: 2,
    turns: [
      { turn_index: 0, link: 'http://127.0.0.1:4747/api/sessions/a%2Fb/turns/0' },
      { turn_index: 1, link: 'http://127.0.0.1:4747/api/sessions/a%2Fb/turns/1' },
    ],
  });
});

test('a row without one of the names has no link', () => {
  const jobs = { rows: 'jobs', rowLink: '/api/jobs/{job_id}' };
  expect(withRowLinks(jobs, { jobs: [{ kind: 'scan' }] }, url)).toEqual({ jobs: [{ kind: 'scan' }] });
});

test('data without declared links stays the same', () => {
  const data = { jobs: [{ job_id: 'j1' }] };
  expect(withRowLinks({ rows: 'jobs' }, data, url)).toBe(data);
});
