import { expect, test } from 'vitest';
import { successors } from './old-names.ts';

const known = successors([{ name: 'query_run' }, { name: 'job_progress' }, { name: 'cd' }]);

test.each([
  ['query-run', { filter: {} }, 'query_run', { filter: {} }],
  ['job-progress', { jobId: 'j1' }, 'job_progress', { jobId: 'j1' }],
  ['get_session_by_id', { session_id: 'a' }, 'get_session_summary', { session_id: 'a' }],
  [
    'get_session_details',
    { session_id: 'a', detail_level: 'turns', include_reasoning: true },
    'get_session_turns',
    { session_id: 'a', include_reasoning: true },
  ],
  [
    'get_session_details',
    { session_id: 'a', detail_level: 'steps' },
    'get_session_turns',
    { session_id: 'a' },
  ],
  [
    'get_session_details',
    { session_id: 'a', detail_level: 'steps', turn_index: 2 },
    'get_turn_steps',
    { session_id: 'a', turn_index: 2 },
  ],
  [
    'get_session_details',
    { session_id: 'a', detail_level: 'full' },
    'get_session_full',
    { session_id: 'a', cursor: 'start' },
  ],
  ['get_session_steps', { session_id: 'a' }, 'get_session_turns', { session_id: 'a' }],
  ['search_events', { pattern: 'x', include_full_payload: true }, 'search_event_previews', { pattern: 'x' }],
  ['resource-set-ops', { op: 'list' }, 'resource_set_list', {}],
  [
    'resource-set-ops',
    { action: 'add', selectionId: 's1', nodeIds: ['n1'] },
    'resource_set_update',
    { selectionId: 's1', add: ['n1'] },
  ],
] as const)('%s %j', (name, given, operation, input) => {
  expect(known.get(name)?.(given).call).toEqual({ operation, input });
});

test('arguments that do not say which successor is meant name them all', () => {
  expect(known.get('resource-set-ops')?.({})).toEqual({
    tools: [
      'resource_set_create',
      'resource_set_list',
      'resource_set_get',
      'resource_set_delete',
      'resource_set_update',
    ],
  });
  expect(known.get('get_session_details')?.({ detail_level: 'all' }).call).toBeUndefined();
  expect(known.get('cd')).toBeUndefined();
});
