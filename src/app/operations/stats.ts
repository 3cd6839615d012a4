import { z } from 'zod';
import { columns, countText, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { DAY_MS } from '../../contract/time.ts';
import { WHO } from '../../store/audit-store.ts';
import type { Services } from '../services.ts';

export const stats = operation<Pick<Services, 'audit'>>()({
  name: 'stats',
  toolset: undefined,
  readOnly: true,
  summary: 'How often each operation was called, failed or was paged, and what it cost.',
  input: z.strictObject({
    days: z.int().min(1).max(3650).default(7),
    who: z.enum(WHO).optional(),
  }),
  http: 'GET /api/stats',
  rows: 'operations',
  columns: [
    'operation',
    'calls',
    'errors',
    'paged',
    'repeated',
    'bytes_out',
    'tokens',
    'ms_average',
    'ms_max',
  ],
  command: { words: 'stats', examples: ['pinhole stats --days 1'] },

  async run({ days, who }, { audit, now }) {
    const since = now() - days * DAY_MS;
    const operations = await audit.stats(since, { who });
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

  text: (data, { units }) =>
    data.calls === 0
      ? `No calls in the last ${data.days} days.`
      : `${columns(
          [
            ['operation', 'calls', 'errors', 'paged', 'sent', 'tokens', 'ms avg', 'ms max'],
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
        )}\n${countText(data.calls)} calls in ${data.days} days, ${countText(data.errors)} errors, ${sizeText(data.bytes_out, units)}`,
});
