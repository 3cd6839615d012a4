import { z } from 'zod';
import { countText, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import type { SessionServices } from './shared.ts';

/** For people: keeping is a decision about their disk and their secrets. */
export const sessionsArchive = operation<SessionServices>()({
  name: 'sessions_archive',
  toolset: undefined,
  readOnly: false,
  summary:
    'Keeps copies of session logs after their clients delete them: on, off, or how it stands. Copies are packed, unredacted and for you alone; off makes no new ones and leaves those there are.',
  input: z.strictObject({ keep: z.enum(['on', 'off']).optional() }),
  http: 'POST /api/agent-archive',
  command: {
    words: 'sessions archive',
    positional: ['keep'],
    examples: ['pinhole sessions archive', 'pinhole sessions archive on', 'pinhole sessions archive off'],
  },

  async run({ keep }, { sessions }) {
    if (keep !== undefined) await sessions.archive.set(keep === 'on');
    const { onlyHere, ...archive } = await sessions.archive.state();
    return single({ ...archive, only_here: onlyHere });
  },

  text: ({ on, folder, logs, bytes, only_here }, { units }) =>
    [
      on
        ? 'on: logs are kept after their clients delete them'
        : 'off: what a client deletes is gone; pinhole sessions archive on keeps it',
      `${countText(logs)} logs kept, ${sizeText(bytes, units)}, ${countText(only_here)} of them left nowhere else`,
      `${folder}  (packed copies as the clients wrote them, not redacted, readable by you alone)`,
    ].join('\n'),
});
