import { z } from 'zod';
import { isPerson } from '../../contract/caller.ts';
import { columns } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import { localMoment } from '../../contract/zone.ts';
import { type AuditRow, WHO } from '../../store/audit-store.ts';
import type { Services } from '../services.ts';

const callCard = z.object({
  timestamp: z.string(),
  client: z.string(),
  door: z.string(),
  operation: z.string(),
  bytes_in: z.int(),
  bytes_out: z.int(),
  tokens: z.int(),
  ms: z.number(),
  outcome: z.string(),
  paged: z.literal(true).optional(),
  asked: z.string().optional().describe('the input, redacted; for people, while Pinhole runs'),
  rows: z.int().optional().describe('of the answer; for people, while Pinhole runs'),
  answered: z.string().optional().describe('how the answer begins; for people, while Pinhole runs'),
});

type CallCard = Readonly<z.infer<typeof callCard>>;

export const audit = operation<Pick<Services, 'audit'>>()({
  name: 'audit',
  toolset: undefined,
  readOnly: true,
  summary:
    'Calls Pinhole answered, newest first: who called what, how large, how long. Inputs are kept in memory only, for people.',
  input: z.strictObject({
    operation: z.string().max(60).optional().describe('only calls of this operation'),
    who: z.enum(WHO).optional().describe('calls by agents or by people (default: both)'),
  }),
  limit: { default: 20, max: 1000 },
  data: z.object({ calls: z.array(callCard) }),
  rows: 'calls',
  http: 'GET /api/audit',
  command: { words: 'audit', examples: ['pinhole audit --limit 50', 'pinhole audit --operation cd'] },

  async run({ operation: only, who }, { audit: log, after, limit, caller }) {
    const rows = await log.newest(typeof after === 'number' ? after : undefined, limit + 1, {
      operation: only,
      who,
      holder: caller.ownCallsOf,
    });
    return page<AuditRow, { calls: CallCard[] }>({
      rows,
      position: (row) => row.id,
      shape: (shown) => ({ calls: shown.map((row) => card(row, isPerson(caller))) }),
    });
  },

  text: ({ calls }, { zone }) =>
    calls.length === 0
      ? 'No calls yet.'
      : columns(
          calls.map((c) => [
            localMoment(c.timestamp, zone),
            c.door,
            c.client,
            c.operation,
            `${c.bytes_out} B`,
            `${c.ms} ms`,
            c.outcome,
          ]),
          [4, 5],
        ),
});

function card({ id, at, paged, asked, rows, answered, ...row }: AuditRow, forPerson: boolean): CallCard {
  return {
    timestamp: isoTime(at),
    ...row,
    ...(forPerson ? { asked, rows, answered } : {}),
    paged: paged || undefined,
  };
}
