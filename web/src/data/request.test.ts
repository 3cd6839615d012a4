import { expect, test } from 'vitest';
import { addressOf, requestOf } from './request.ts';

test('inputs go into the path, the others into the query', () => {
  expect(addressOf('get_session_turns', { session_id: 'a/b', limit: 50 })).toBe(
    '/api/agent-sessions/a%2Fb/turns?limit=50',
  );
  expect(addressOf('get_turn_steps', { session_id: 's', turn_index: 0, cursor: 'c1' })).toBe(
    '/api/agent-sessions/s/turns/0/steps?cursor=c1',
  );
});

test('what is undefined or empty is left out; lists are repeated, filters are JSON', () => {
  const asked = { pattern: 'x y', glob: ['*.ts', '*.js'], language: undefined, word: false, path: '' };
  expect(addressOf('regex_search', asked)).toBe(
    '/api/code/search?mode=regex&pattern=x+y&glob=*.ts&glob=*.js&word=false',
  );
  expect(addressOf('disk_largest', { index_id: 'i1', filter: { ext: ['mp4'] } })).toBe(
    '/api/indexes/i1/reports/largest?filter=%7B%22ext%22%3A%5B%22mp4%22%5D%7D',
  );
});

test('the route that fits the inputs is chosen', () => {
  expect(addressOf('inspect', { path: '/srv' })).toBe('/api/files/inspect?path=%2Fsrv');
  expect(addressOf('inspect', { index_id: 'i1', node_id: 'n4' })).toBe('/api/indexes/i1/nodes/n4');
  expect(requestOf('query_run', { query_id: 'q2' })).toEqual({
    method: 'POST',
    url: '/api/queries/q2/run',
    body: {},
  });
  expect(requestOf('query_run', { filter: { ext: 'mp4' }, save_as: 'films' })).toEqual({
    method: 'POST',
    url: '/api/queries',
    body: { filter: { ext: 'mp4' }, save_as: 'films' },
  });
});

test('an operation that reads and changes is read without input and changed with it', () => {
  expect(requestOf('allow', {})).toEqual({ method: 'GET', url: '/api/allowed', body: undefined });
  expect(requestOf('allow', { path: '/srv', remove: false })).toEqual({
    method: 'POST',
    url: '/api/allowed',
    body: { path: '/srv', remove: false },
  });
  expect(requestOf('job_cancel', { job_id: 'j7' })).toEqual({
    method: 'DELETE',
    url: '/api/jobs/j7',
    body: undefined,
  });
});

test('a statement is read, although it can also be sent in a body', () => {
  expect(addressOf('sql', { query: 'SELECT 1', limit: 5 })).toBe('/api/sql?query=SELECT+1&limit=5');
});

test('how to answer is always in the query', () => {
  expect(addressOf('audit', {}, { format: 'csv' })).toBe('/api/audit?format=csv');
  expect(requestOf('query_run', { query_id: 'q2' }, { format: 'explain' }).url).toBe(
    '/api/queries/q2/run?format=explain',
  );
  expect(addressOf('get_event_details', { session_id: 's', event_index: 4 }, { maxBytes: 2_000 })).toBe(
    '/api/agent-sessions/s/events/4?max_bytes=2000',
  );
});

test('a call that no route takes is a mistake in the page', () => {
  expect(() => addressOf('disk_plan_run', { plan_id: 'p1', confirm: 2 })).toThrow(
    'disk_plan_run is not read with GET.',
  );
  // @ts-expect-error: session_id is missing
  expect(() => addressOf('get_session_turns', {})).toThrow('get_session_turns has no route');
  // @ts-expect-error: an input that the operation does not have
  expect(addressOf('get_session_turns', { session_id: 's', page: 2 })).toContain('page=2');
});
