import { expect, test } from 'vitest';
import { groupMatches, type Match } from './search-groups.ts';

const match = (session_id: string, event_index: number, event_type: string, preview: string): Match => ({
  ...{ session_id, event_index, event_type, preview },
  timestamp: `2026-11-${String(event_index).padStart(2, '0')}T10:00:00Z`,
});

test('a session that is about it comes before newer ones that only printed it; lines are not repeated', () => {
  const prompt = match('old', 3, 'user', 'use goreleaser');
  const groups = groupMatches(
    [prompt],
    [
      match('new', 14, 'tool_result', 'goreleaser 1'),
      match('new', 13, 'tool_result', 'goreleaser 1'),
      match('new', 12, 'message', 'I run goreleaser'),
      prompt,
    ],
  );
  expect(groups.map(({ session, count, prompted }) => [session, count, prompted])).toEqual([
    ['old', 1, true],
    ['new', 3, false],
  ]);
  expect(groups[1]?.best.map(({ preview }) => preview)).toEqual(['I run goreleaser', 'goreleaser 1']);
});
