import { posix } from 'node:path';
import { z } from 'zod';
import { roomy } from '../../contract/caller.ts';
import { fail } from '../../contract/errors.ts';
import {
  type CallContext,
  operation,
  page,
  type ReadonlyData,
  type Result,
} from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { callEventDetails, callFileHistory } from '../calls.ts';
import { hasHappened } from '../model/event.ts';
import type { SearchScope } from '../search/candidates.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { EditedFile } from '../store/edited-files.ts';
import type { FileTouch, TouchPosition } from '../store/file-touches.ts';
import { editedFileSchema, fileHistoryText, touchCardSchema } from './file-history-text.ts';
import { freshness } from './index-freshness.ts';
import { machine, person, project, provider, sessionScope, since, until } from './session-inputs.ts';
import { iso, placeNumber, snip } from './session-text.ts';

const fileHistorySchema = z.object({
  path: z.string().optional(),
  touches: z.array(touchCardSchema).optional(),
  files: z
    .array(editedFileSchema)
    .optional()
    .describe('without a path: files by the sessions that edited them'),
});

type FileHistory = ReadonlyData<typeof fileHistorySchema>;
type TouchCard = ReadonlyData<typeof touchCardSchema>;

const DIFF_LINES = 8;
/** For callers with more room; the page folds long diffs. */
const DIFF_LINES_WITH_ROOM = 1_000;
const MAX_WHY_LENGTH = 80;

export const fileHistoryInput = z.strictObject({
  path: z
    .string()
    .optional()
    .describe('a file or folder, or the end of its path; without it: the most edited files of all sessions'),
  reads: z.boolean().optional().describe('reads too, not only edits'),
  order: z.enum(['newest', 'oldest']).optional().describe('which comes first (default newest)'),
  diff_lines: z.int().min(0).max(1_000).optional().describe(`lines of each diff (default ${DIFF_LINES})`),
  provider: provider.optional(),
  project: project.optional(),
  machine: machine.optional(),
  person: person.optional(),
  since: since.optional(),
  until: until.optional(),
});

type Input = z.output<typeof fileHistoryInput>;

export const fileHistory = operation<SessionServices>()({
  name: 'file_history',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Edits of a file by sessions, with diffs and reasons; without path: the most edited files.',
  input: fileHistoryInput,
  data: fileHistorySchema,
  limit: { default: 10, max: 50 },
  rows: ['touches', 'files'],
  rowLink: '/api/agent-sessions/{session_id}/events/{event_index}',
  unlisted: ['provider', 'machine', 'person', 'until', 'diff_lines'],
  aliases: { file: 'path', file_path: 'path', sort: 'order' },
  http: 'GET /api/files/history',
  command: {
    words: 'sessions files',
    positional: ['path'],
    examples: ['pinhole sessions files', 'pinhole sessions files src/main.ts --order oldest'],
  },

  async run(input, ctx) {
    if (input.path === '') fail('invalid_parameter', 'path must not be empty.');
    const scope = sessionScope(input, ctx);
    return input.path === undefined ? mostEdited(scope, ctx) : historyOf(input.path, input, scope, ctx);
  },

  text: fileHistoryText,
});

type Context = CallContext & SessionServices;

async function mostEdited(scope: SearchScope, { sessions }: Context): Promise<Result<FileHistory>> {
  const meta = await freshness(sessions);
  const files = await sessions.files.edited(scope);
  const repos = new Set(files.map(({ repo }) => repo)).size;
  const first = files[0];
  return page<EditedFile, FileHistory>({
    rows: files,
    position: ({ path }) => path,
    keep: {},
    total: files.length,
    shape: (shown) => ({
      files: shown.map(({ repo, lastMs, ...file }) => ({
        ...file,
        repo: repos > 1 ? repo : undefined,
        last_at: iso(lastMs),
      })),
    }),
    next: first && [callFileHistory({ path: first.path })],
    meta,
  });
}

async function historyOf(
  given: string,
  { reads, order, diff_lines }: Input,
  scope: SearchScope,
  { sessions, after, limit, caller, url }: Context,
): Promise<Result<FileHistory>> {
  const path = posix.normalize(given.replace(/^file:\/\//, ''));
  const meta = await freshness(sessions);
  // A relative path is taken to be inside the caller's folder if that is known and some session touched the path there.
  const inFolder =
    caller.cwd === undefined || path.startsWith('/') ? undefined : posix.join(caller.cwd, path);
  const filter = { reads: reads === true, oldest: order === 'oldest', scope };
  const find = (wanted: string) => sessions.files.touches(wanted, positionOf(after), limit + 1, filter);
  const near = inFolder === undefined ? [] : await find(inFolder);
  const asked = near.length > 0 && inFolder !== undefined ? inFolder : path;
  const touches = near.length > 0 ? near : await find(path);
  const lines = diff_lines ?? (roomy(caller) ? DIFF_LINES_WITH_ROOM : DIFF_LINES);
  return page<TouchCard & { source: FileTouch }, FileHistory>({
    rows: cards(sessions, touches, asked, lines),
    position: ({ source }) => [source.ms, source.session.key, source.event],
    shape: (rows) => ({ path: asked, touches: rows.map(({ source, ...card }) => card) }),
    whole: (row) => callEventDetails({ session_id: row.session_id, event_index: row.event_index }),
    link: url(shortLink(pageLinks.fileHistory(asked))),
    meta,
  });
}

function positionOf(after: unknown): TouchPosition | undefined {
  return Array.isArray(after) ? [Number(after[0]), Number(after[1]), Number(after[2])] : undefined;
}

async function* cards(
  sessions: Sessions,
  touches: readonly FileTouch[],
  asked: string,
  lines: number,
): AsyncGenerator<TouchCard & { source: FileTouch }> {
  for (const touch of touches) {
    const happened = hasHappened(touch.status);
    yield {
      source: touch,
      session_id: await sessions.list.shortId(touch.session.id),
      event_index: touch.event,
      turn_index: placeNumber(touch.turn),
      step_index: placeNumber(touch.step),
      timestamp: iso(touch.ms),
      action: touch.action,
      tool: touch.tool,
      machine: touch.session.machine,
      person: touch.session.person,
      status: touch.status === 'ok' ? undefined : touch.status,
      added: happened ? touch.added : undefined,
      removed: happened ? touch.removed : undefined,
      path: touch.path === asked || touch.path.endsWith(`/${asked}`) ? undefined : touch.path,
      why: snip(touch.prompt, MAX_WHY_LENGTH) || undefined,
      diff: lines === 0 || touch.status === 'failed' ? undefined : await sessions.files.diff(touch, lines),
    };
  }
}
