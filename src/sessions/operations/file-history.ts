import { posix } from 'node:path';
import { z } from 'zod';
import { roomy } from '../../contract/caller.ts';
import { fail } from '../../contract/errors.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { FileTouch, TouchPosition } from '../store/file-touches.ts';
import { freshness } from './index-freshness.ts';
import { clock, iso, placeNumber, placeText } from './session-text.ts';

const touchCardSchema = z.object({
  session_id: z.string(),
  event_index: z.int(),
  turn_index: z.int().optional(),
  step_index: z.int().optional(),
  timestamp: z.string(),
  action: z.string(),
  tool: z.string(),
  status: z.string().optional(),
  path: z.string().optional().describe('set if it is not the path that was asked for'),
  diff: z.string().optional(),
  link: z.string().optional(),
});

const fileHistorySchema = z.object({ path: z.string(), touches: z.array(touchCardSchema) });

type TouchCard = ReadonlyData<typeof touchCardSchema>;

const DIFF_LINES = 20;
/** For callers with more room; the page folds long diffs. */
const DIFF_LINES_WITH_ROOM = 1_000;

export const fileHistory = operation<SessionServices>()({
  name: 'file_history',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Sessions that read or changed a file, with the diff of each edit.',
  input: z.strictObject({
    path: z.string().describe('the file or folder, absolute or relative to the current folder'),
  }),
  data: fileHistorySchema,
  limit: { default: 10, max: 50 },
  rows: 'touches',
  rowLink: '/api/agent-sessions/{session_id}/events/{event_index}',
  aliases: { file: 'path', file_path: 'path' },
  http: 'GET /api/files/history',
  command: {
    words: 'sessions files',
    positional: ['path'],
    examples: ['pinhole sessions files src/main.ts'],
  },

  async run({ path: given }, { sessions, after, limit, caller, url }) {
    if (given === '') fail('invalid_parameter', 'path must not be empty.');
    const path = posix.normalize(given.replace(/^file:\/\//, ''));
    const meta = await freshness(sessions);
    // A relative path is inside the caller's folder if that is known and some session touched it there.
    const inFolder =
      caller.cwd === undefined || path.startsWith('/') ? undefined : posix.join(caller.cwd, path);
    const position = positionOf(after);
    const near = inFolder === undefined ? [] : await sessions.files.touches(inFolder, position, limit + 1);
    const asked = near.length > 0 && inFolder !== undefined ? inFolder : path;
    const touches = near.length > 0 ? near : await sessions.files.touches(path, position, limit + 1);
    return page<TouchCard & { source: FileTouch }, ReadonlyData<typeof fileHistorySchema>>({
      rows: cards(sessions, touches, asked, roomy(caller) ? DIFF_LINES_WITH_ROOM : DIFF_LINES),
      position: ({ source }) => [source.ms, source.session.key, source.event],
      shape: (rows) => ({ path: asked, touches: rows.map(({ source, ...card }) => card) }),
      whole: (row) => callEventDetails({ session_id: row.session_id, event_index: row.event_index }),
      link: url(shortLink(pageLinks.fileHistory(asked))),
      meta,
    });
  },

  text: ({ path, touches }, { now }) =>
    touches.length === 0
      ? `No agent session touched ${path}.`
      : touches
          .map((touch) => {
            const status = touch.status === undefined ? '' : ` (${touch.status})`;
            const path = touch.path === undefined ? '' : ` ${touch.path}`;
            const head = `${touch.session_id} ${placeText(touch)} ${clock(touch.timestamp, now)} ${touch.action}${status}${path}`;
            return touch.diff === undefined ? head : `${head}\n${touch.diff}`;
          })
          .join('\n'),
});

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
    yield {
      source: touch,
      session_id: await sessions.list.shortId(touch.session.id),
      event_index: touch.event,
      turn_index: placeNumber(touch.turn),
      step_index: placeNumber(touch.step),
      timestamp: iso(touch.ms),
      action: touch.action,
      tool: touch.tool,
      status: touch.status === 'ok' ? undefined : touch.status,
      path: touch.path === asked ? undefined : touch.path,
      diff: touch.status === 'failed' ? undefined : await sessions.files.diff(touch, lines),
    };
  }
}
