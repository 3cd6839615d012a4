import { z } from 'zod';
import { columns, countOf, countText, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { DAY_MS } from '../../contract/time.ts';
import { WHO } from '../../store/audit-store.ts';
import type { Services } from '../services.ts';

const operationStats = z.object({
  operation: z.string(),
  calls: z.int(),
  errors: z.int(),
  paged: z.int(),
  bytes_out: z.int(),
  tokens: z.int(),
  ms_average: z.number(),
  ms_max: z.number(),
});

export const stats = operation<Pick<Services, 'audit'>>()({
  name: 'stats',
  toolset: undefined,
  readOnly: true,
  summary: 'How often each operation was called, failed or was paged, and what it cost.',
  input: z.strictObject({
    days: z.int().min(1).max(3650).default(7).describe('how many days back'),
    who: z.enum(WHO).optional().describe('calls by agents or by people (default: both)'),
  }),
  data: z.object({
    days: z.int(),
    calls: z.int(),
    errors: z.int(),
    bytes_out: z.int(),
    tokens: z.int(),
    operations: z.array(operationStats),
  }),
  rows: 'operations',
  http: 'GET /api/stats',
  command: { words: 'stats', examples: ['pinhole stats --days 1'] },

  async run({ days, who }, { audit, now, caller }) {
    const since = now() - days * DAY_MS;
    const operations = await audit.stats(since, { who, holder: caller.ownCallsOf });
    const sum = (pick: (row: (typeof operations)[number]) => number) =>
      operations.reduce((total, row) => total + pick(row), 0);
    return single({
      days,
      calls: sum((row) => row.calls),
      errors: sum((row) => row.errors),
      bytes_out: sum((row) => row.bytes_out),
      tokens: sum((row) => row.tokens),
      operations,
    });
  },

  text: (data, { units, paint }) =>
    data.calls === 0
      ? `No calls in the last ${countOf(data.days, 'day')}.`
      : `${columns(
          [
            ['operation', 'calls', 'errors', 'paged', 'sent', 'tokens', 'ms avg', 'ms max'].map((name) =>
              paint('heading', name),
            ),
            ...data.operations.map((o) => [
              ...[
                o.operation,
                countText(o.calls),
                countText(o.errors),
                countText(o.paged),
                sizeText(o.bytes_out, units),
              ],
              ...[countText(o.tokens), String(o.ms_average), countText(o.ms_max)],
            ]),
          ],
          [1, 2, 3, 4, 5, 6, 7],
        )}\n${countOf(data.calls, 'call')} in ${countOf(data.days, 'day')}, ${countOf(data.errors, 'error')}, ${sizeText(data.bytes_out, units)}`,
});
