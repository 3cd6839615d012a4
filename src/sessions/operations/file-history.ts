import { posix } from 'node:path';
import { z } from 'zod';
import { roomy } from '../../contract/caller.ts';
import { fail } from '../../contract/errors.ts';
import { operation, page } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { Sessions } from '../sessions.ts';
import type { FileTouch, TouchPosition } from '../store/file-touches.ts';
import { clock, freshness, iso, rowLink, type SessionServices } from './shared.ts';

interface TouchCard {
  readonly session_id: string;
  readonly event_index: number;
  readonly turn_index?: number | undefined;
  readonly step_index?: number | undefined;
  readonly timestamp: string;
  readonly action: string;
  readonly tool: string;
  readonly status?: string | undefined;
  /** Given when it is not the path that was asked for. */
  readonly path?: string | undefined;
  readonly diff?: string | undefined;
  readonly link?: string | undefined;
}

const DIFF_LINES = 20;
/** For callers with room; the page folds what is long. */
const ALL_LINES = 1_000;

export const fileHistory = operation<SessionServices>()({
  name: 'file_history',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Sessions that read or changed a file, with the diff of each edit.',
  input: z.strictObject({ path: z.string() }),
  limit: { default: 10, max: 50 },
  rows: 'touches',
  columns: [
    'session_id',
    'event_index',
    'turn_index',
    'step_index',
    'timestamp',
    'action',
    'tool',
    'status',
    'path',
    'diff',
    'link',
  ],
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
    // A relative path is below the caller's folder if that is known and anything was done there.
    const inFolder =
      caller.cwd === undefined || path.startsWith('/') ? undefined : posix.join(caller.cwd, path);
    const position = positionOf(after);
    const near = inFolder === undefined ? [] : await sessions.files.touches(inFolder, position, limit + 1);
    const asked = near.length > 0 && inFolder !== undefined ? inFolder : path;
    const touches = near.length > 0 ? near : await sessions.files.touches(path, position, limit + 1);
    return page<TouchCard & { source: FileTouch }, { path: string; touches: readonly TouchCard[] }>({
      rows: cards(sessions, touches, asked, roomy(caller) ? ALL_LINES : DIFF_LINES),
      position: ({ source }) => [source.ms, source.session.key, source.event],
      shape: (rows) => ({
        path: asked,
        touches: rows.map(({ source, ...card }) => ({
          ...card,
          link: rowLink({ caller, url }, card.session_id, 'events', card.event_index),
        })),
      }),
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
            const place =
              touch.turn_index === undefined ? '' : ` t${touch.turn_index}.${touch.step_index ?? 0}`;
            const head = `${touch.session_id} e${touch.event_index}${place} ${clock(touch.timestamp, now)} ${touch.action}${touch.status === undefined ? '' : ` (${touch.status})`}${touch.path === undefined ? '' : ` ${touch.path}`}`;
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
      turn_index: touch.turn < 0 ? undefined : touch.turn,
      step_index: touch.step < 0 ? undefined : touch.step,
      timestamp: iso(touch.ms),
      action: touch.action,
      tool: touch.tool,
      status: touch.status === 'ok' ? undefined : touch.status,
      path: touch.path === asked ? undefined : touch.path,
      diff: touch.status === 'failed' ? undefined : await sessions.files.diff(touch, lines),
    };
  }
}
