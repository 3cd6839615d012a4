import { z } from 'zod';
import { countOf, countText, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { callSessionsArchive } from '../calls.ts';
import type { SessionServices } from '../services.ts';

export const sessionsArchiveInput = z.strictObject({
  keep: z.enum(['on', 'off']).optional().describe('keep copies of logs or stop (default: show the state)'),
});

const archiveSchema = z.object({
  on: z.boolean(),
  folder: z.string(),
  logs: z.int(),
  bytes: z.int(),
  only_here: z.int().describe('logs that the agents have deleted since'),
});

/** For people: keeping copies is a decision about their disk and their secrets. */
export const sessionsArchive = operation<SessionServices>()({
  name: 'sessions_archive',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary:
    'Keep copies of session logs after the agents delete them: on, off, or show the state. Copies are compressed, not redacted, and readable only by you; off stops making copies and leaves the existing ones.',
  input: sessionsArchiveInput,
  data: archiveSchema,
  http: 'POST /api/agent-archive',
  command: {
    words: 'sessions archive',
    positional: ['keep'],
    examples: ['pinhole sessions archive', 'pinhole sessions archive on', 'pinhole sessions archive off'],
  },

  async run({ keep }, { sessions }) {
    if (keep !== undefined) await sessions.archive.set(keep === 'on');
    const { onlyHere, ...archive } = await sessions.archive.state();
    return single(
      { ...archive, only_here: onlyHere },
      { next: archive.on ? undefined : [callSessionsArchive({ keep: 'on' })] },
    );
  },

  text: ({ on, folder, logs, bytes, only_here }, { units }) =>
    [
      on
        ? 'on: copies of logs are kept after the agents delete them'
        : 'off: logs are gone when the agents delete them',
      logs === 0
        ? 'no copies yet'
        : `${countOf(logs, 'log')} kept (${sizeText(bytes, units)}), ${countText(only_here)} of them nowhere else`,
      `${folder}  (compressed copies as the agents wrote them, not redacted, readable only by you)`,
    ].join('\n'),
});
