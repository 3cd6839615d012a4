import { expect, test } from 'vitest';
import { coloured, painter } from '../../contract/painted-text.ts';
import { currentSession } from './current-session.ts';

test('the first line is bold, and events are red by their status, not by what they say', () => {
  const terminal = { columns: 80, unicode: true, colours: true };
  const statuses = [undefined, 'ok', 'failed', 'pending', 'cancelled'] as const;
  const text = currentSession.text(
    {
      session_id: '5e55a001',
      provider: 'agent',
      last_activity: '2026-03-01T10:00:00Z',
      context: { tokens: 10 },
      totals: { turns: 1, tool_calls: 5, failures: 1, tokens: 10 },
      recent: statuses.map((status, event_index) => ({
        event_index,
        timestamp: '2026-03-01T10:00:00Z',
        event_type: 'tool_result',
        name: 'Bash',
        status,
        preview: 'npm test failed',
      })),
    },
    { units: 'si', now: Date.parse('2026-03-01T10:01:00Z'), zone: 'UTC', terminal, paint: painter(terminal) },
  );
  const colourOf = (line: string) => ['1', '31'].find((code) => line.startsWith(`\u001b[${code}m`));
  const lines = coloured(text).split('\n');
  expect([lines[0], ...lines.slice(-5)].map((line = '') => colourOf(line))).toEqual([
    ...['1', undefined, undefined],
    ...['31', undefined, '31'],
  ]);
});
