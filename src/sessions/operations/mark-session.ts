import { z } from 'zod';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import type { SessionServices } from '../services.ts';
import { MAX_NOTE_LENGTH } from '../store/session-marks.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';

const markedSchema = z.object({
  session_id: z.string(),
  starred: z.boolean(),
  note: z.string().optional(),
});

/** For people: what is worth remembering is their decision. */
export const markSession = operation<SessionServices>()({
  name: 'mark_session',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary: 'Stars a session or puts a note on it, to find it again. Without either, shows what is there.',
  input: z.strictObject({
    session_id,
    starred: z.boolean().optional().describe('with a star or without'),
    note: z.string().trim().max(MAX_NOTE_LENGTH).optional().describe('the note; empty removes it'),
  }),
  data: markedSchema,
  aliases: SESSION_ALIASES,
  http: 'POST /api/agent-sessions/{session_id}/mark',
  command: {
    words: 'sessions mark',
    positional: ['session_id'],
    examples: [
      'pinhole sessions mark fb3cff44 --starred',
      "pinhole sessions mark fb3cff44 --note 'how the cache was fixed'",
      'pinhole sessions mark fb3cff44 --no-starred',
    ],
  },

  async run({ session_id, starred, note }, { sessions }) {
    const session = await sessions.list.find(session_id);
    const before = await sessions.marks.of(session.id);
    const next = {
      starred: (starred ?? before.starred) ? (true as const) : undefined,
      note: (note ?? before.note) || undefined,
    };
    if (starred !== undefined || note !== undefined) await sessions.marks.set(session.id, next);
    return single<ReadonlyData<typeof markedSchema>>({
      session_id: await sessions.list.shortId(session.id),
      starred: next.starred ?? false,
      note: next.note,
    });
  },

  text: ({ session_id, starred, note }) =>
    [
      `${session_id}  ${starred ? 'starred' : 'no star'}`,
      ...(note === undefined ? [] : [`  note: ${note}`]),
    ].join('\n'),
});
