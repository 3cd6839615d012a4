import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { SESSION_ALIASES, session_id } from '../../sessions/operations/session-inputs.ts';
import type { CommitServices } from '../services.ts';

const forgottenSchema = z.object({
  forgotten: z.array(z.string()).describe('the session, copies of its log, and its subagents'),
  copies: z.int().describe('deleted from the archive'),
  logs: z.array(z.string()).describe("still in the agent's folder, and not read again"),
});

/** For people, because deleted copies cannot be restored. */
export const sessionForget = operation<CommitServices>()({
  name: 'session_forget',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary:
    "Remove a session and its subagents everywhere: archive, index, search by meaning, links with commits. Its log stays in the agent's folder and is not read again.",
  input: z.strictObject({ session_id }),
  data: forgottenSchema,
  aliases: SESSION_ALIASES,
  http: 'POST /api/agent-sessions/{session_id}/forget',
  command: {
    words: 'sessions forget',
    positional: ['session_id'],
    examples: ['pinhole sessions forget 5e55a001'],
  },

  async run({ session_id }, { sessions, commits, meaning }) {
    const session = await sessions.list.find(session_id);
    const { sessions: forgotten, copies, logs } = await sessions.archive.forget(session);
    for (const id of forgotten) {
      await commits.forget(id);
      await meaning.forget(id);
    }
    return single<ReadonlyData<typeof forgottenSchema>>({ forgotten, copies, logs: [...logs] });
  },

  text: ({ forgotten, copies, logs }) =>
    [
      `Forgotten: ${countOf(forgotten.length, 'session')}, ${countOf(copies, 'copy', 'copies')} deleted from the archive.`,
      ...logs.map((path) => `It is not read again; delete it yourself: ${path}`),
    ].join('\n'),
});
