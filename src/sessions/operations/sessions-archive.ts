import { z } from 'zod';
import { countOf, countText, sizeText } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { callSessionsArchive } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import { iso } from './session-text.ts';

export const sessionsArchiveInput = z.strictObject({
  keep: z.enum(['on', 'off']).optional().describe('keep copies of logs or stop (default: show the state)'),
  unredacted: z
    .boolean()
    .optional()
    .describe('from now on, copies keep keys, tokens and passwords; false redacts them again'),
});

const archiveSchema = z.object({
  on: z.boolean(),
  unredacted: z.literal(true).optional().describe('copies keep the secrets of the logs'),
  folder: z.string(),
  logs: z.int(),
  bytes: z.int(),
  only_here: z.int().describe('logs that the agents have deleted since'),
  would_take: z
    .object({ logs: z.int(), bytes: z.int(), packed: z.int() })
    .optional()
    .describe('while it is off: how many logs there are, their size, and what copies would take'),
  deleted: z
    .array(
      z.object({
        session_id: z.string(),
        provider: z.string(),
        project: z.string().optional(),
        last_used: z.string(),
        noticed_at: z.string().describe('when Pinhole found that the log was gone'),
        kept: z.boolean(),
      }),
    )
    .describe('logs that agents deleted, the last first'),
});

type ArchiveState = ReadonlyData<typeof archiveSchema>;

/** For people: keeping copies is a decision about their disk and their secrets. */
export const sessionsArchive = operation<SessionServices>()({
  name: 'sessions_archive',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary:
    'Keep copies of session logs after the agents delete them: on, off, or show the state. Copies are compressed, redacted unless you ask for everything, and readable only by you; off stops making copies and leaves the existing ones.',
  input: sessionsArchiveInput,
  data: archiveSchema,
  http: 'POST /api/agent-archive',
  command: {
    words: 'sessions archive',
    positional: ['keep'],
    examples: ['pinhole sessions archive', 'pinhole sessions archive on', 'pinhole sessions archive off'],
  },

  async run({ keep, unredacted }, { sessions }) {
    const before = await sessions.archive.state();
    if (keep !== undefined || unredacted !== undefined)
      await sessions.archive.set(keep === undefined ? before.on : keep === 'on', unredacted);
    const { onlyHere, unredacted: whole, ...archive } = await sessions.archive.state();
    const deleted = await sessions.archive.deleted();
    return single<ArchiveState>(
      {
        ...archive,
        unredacted: whole ? true : undefined,
        only_here: onlyHere,
        would_take: archive.on ? undefined : await sessions.archive.estimate(),
        deleted: deleted.map(({ session, provider, project, endMs, noticedMs, kept }) => ({
          ...{ session_id: session, provider, project, kept },
          ...{ last_used: iso(endMs), noticed_at: iso(noticedMs) },
        })),
      },
      { next: archive.on ? undefined : [callSessionsArchive({ keep: 'on' })] },
    );
  },

  text: ({ on, unredacted, folder, logs, bytes, only_here, would_take, deleted }, { units }) =>
    [
      on
        ? 'on: copies of logs are kept after the agents delete them'
        : 'off: logs are gone when the agents delete them',
      logs === 0
        ? 'no copies yet'
        : `${countOf(logs, 'log')} kept (${sizeText(bytes, units)}), ${countText(only_here)} of them nowhere else`,
      ...(would_take === undefined
        ? []
        : [
            `copies of your ${countOf(would_take.logs, 'log')} (${sizeText(would_take.bytes, units)}) would take about ${sizeText(would_take.packed, units)}`,
          ]),
      `${folder}  (compressed, ${unredacted ? 'not redacted' : 'redacted'}, readable only by you)`,
      ...(deleted.length === 0 ? [] : ['deleted by the agents:']),
      ...deleted.map(
        (one) =>
          `  ${one.session_id.slice(0, 8)} ${one.provider} ${one.project ?? ''}  last used ${one.last_used.slice(0, 10)}, gone on ${one.noticed_at.slice(0, 10)}, ${one.kept ? 'kept here' : 'not kept'}`,
      ),
    ].join('\n'),
});
