import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';

interface TouchedFile {
  readonly path: string;
  readonly reads: number;
  readonly edits: number;
}

interface SessionFiles {
  readonly session_id: string;
  readonly files: readonly TouchedFile[];
}

/** More than any session touches. */
const ALL = 1_000_000;

/** For lists that go on: a summary names the first of them. */
export const sessionFiles = operation<SessionServices>()({
  name: 'session_files',
  toolset: undefined,
  readOnly: true,
  summary: 'Every file that a session read or changed, the most changed first.',
  input: z.strictObject({ session_id: sessionId }),
  limit: { default: 100, max: 500 },
  rows: 'files',
  columns: ['path', 'reads', 'edits'],
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/files',

  async run({ session_id }, { sessions }) {
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const files = await sessions.files.ofSession(session, ALL);
    return page<TouchedFile, SessionFiles>({
      rows: files,
      position: ({ path }) => path,
      shape: (shown) => ({ session_id: id, files: shown }),
      total: files.length,
      keep: {},
    });
  },

  text: ({ files }) =>
    files
      .map(({ path, edits, reads }) => `${path}  ${countOf(edits, 'edit')}, ${countOf(reads, 'read')}`)
      .join('\n') || 'No file was touched.',
});
