import { z } from 'zod';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import type { SessionServices } from '../services.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { touchText } from './session-text.ts';

const touchedFileSchema = z.object({ path: z.string(), reads: z.int(), edits: z.int() });

const sessionFilesSchema = z.object({ session_id: z.string(), files: z.array(touchedFileSchema) });

type TouchedFile = ReadonlyData<typeof touchedFileSchema>;

/** More than any session touches. */
const MAX_FILES = 1_000_000;

/** The whole list; a summary shows only its beginning. */
export const sessionFiles = operation<SessionServices>()({
  name: 'session_files',
  toolset: undefined,
  readOnly: true,
  summary: 'Every file that a session read or changed, most edited first.',
  input: z.strictObject({ session_id }),
  data: sessionFilesSchema,
  limit: { default: 100, max: 500 },
  rows: 'files',
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/files',

  async run({ session_id }, { sessions }) {
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const files = await sessions.files.ofSession(session, MAX_FILES);
    return page<TouchedFile, ReadonlyData<typeof sessionFilesSchema>>({
      rows: files,
      position: ({ path }) => path,
      shape: (shown) => ({ session_id: id, files: shown }),
      total: files.length,
      keep: {},
    });
  },

  text: ({ files }) =>
    files.map((file) => `${file.path}  ${touchText(file)}`).join('\n') || 'No files read or changed.',
});
