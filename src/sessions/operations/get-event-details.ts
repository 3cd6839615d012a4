import { z } from 'zod';
import { operation, page } from '../../contract/operation.ts';
import type { Sessions } from '../sessions.ts';
import type { EventMeta } from '../store/event-store.ts';
import type { SessionRow } from '../store/rows.ts';
import { type GrepLine, grepLines } from './grep.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { freshness, iso, SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';

interface EventHead {
  readonly session_id: string;
  readonly event_index: number;
  readonly turn_index?: number | undefined;
  readonly step_index?: number | undefined;
  readonly timestamp: string;
  readonly event_type: string;
  readonly record: string;
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly exit_code?: number | undefined;
  /** The call that this result answers, and the other way round. */
  readonly call_event?: number | undefined;
  readonly result_event?: number | undefined;
  readonly total_bytes: number;
  /** Where the text comes from when that is not the log itself. */
  readonly source?: string | undefined;
}

export interface EventDetails extends EventHead {
  readonly offset?: number | undefined;
  readonly text?: string | undefined;
  readonly next_offset?: number | undefined;
  readonly lines?: readonly { readonly line: number; readonly text: string }[] | undefined;
}

/** Pieces are small, so that a page ends close to the budget. */
const PIECE = 256;
const MOST = 100_000;

export const getEventDetails = operation<SessionServices>()({
  name: 'get_event_details',
  toolset: 'sessions',
  readOnly: true,
  summary:
    'One event, whole: its text from a byte offset, or only the lines that match grep. raw: the log record.',
  input: z.strictObject({
    session_id: sessionId,
    event_index: z.int().min(0),
    offset: z.int().min(0).optional(),
    grep: z.string().optional(),
    context_lines: z.int().min(0).max(20).optional(),
    raw: z.boolean().optional(),
  }),
  limit: { default: MOST, max: MOST },
  aliases: { ...SESSION_ALIASES, event: 'event_index', pattern: 'grep' },
  http: 'GET /api/agent-sessions/{session_id}/events/{event_index}',
  command: {
    words: 'sessions event',
    positional: ['session_id', 'event_index'],
    examples: ['pinhole sessions event fb3cff44 87', 'pinhole sessions event fb3cff44 87 --grep error'],
  },

  async run(input, { sessions, after, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.find(input.session_id);
    const event = await sessions.event(session, input.event_index);
    const { text, source } = await sessions.text(session, event, input.raw === true);
    const head = await eventHead(sessions, session, event, Buffer.byteLength(text), source);
    const from = typeof after === 'number' ? after : (input.offset ?? 0);
    const link = url(`/sessions/${encodeURIComponent(session.id)}?event=${event.index}`);
    if (input.grep !== undefined) {
      const matches = sessions.lineMatcher(input.grep);
      return page<GrepLine, EventDetails>({
        rows: grepLines(text, matches, input.context_lines ?? 0, from),
        position: (row) => row.line,
        shape: (lines) => ({ ...head, lines: lines.map(({ line, text: shown }) => ({ line, text: shown })) }),
        meta,
        link,
      });
    }
    return page<Piece, EventDetails>({
      rows: piecesOf(text, from, PIECE),
      position: (piece) => piece.end,
      shape: (pieces, more) => ({
        ...head,
        offset: pieces[0]?.offset || undefined,
        text: pieces.map((piece) => piece.text).join(''),
        next_offset: more ? pieces.at(-1)?.end : undefined,
      }),
      meta,
      link,
    });
  },

  text: (data) => {
    const status =
      data.status === undefined
        ? ''
        : `  ${data.status}${data.exit_code === undefined ? '' : ` exit ${data.exit_code}`}`;
    const place =
      data.turn_index === undefined
        ? ''
        : ` t${data.turn_index}${data.step_index === undefined ? '' : `.${data.step_index}`}`;
    const head = `${data.session_id} e${data.event_index}${place}  ${data.timestamp}  ${data.event_type} ${data.name ?? ''}${status}  ${data.total_bytes} bytes`;
    const body = data.lines?.map(({ line, text }) => `${line}: ${text}`).join('\n') ?? data.text ?? '';
    return `${head}\n${body}`;
  },
});

async function eventHead(
  sessions: Sessions,
  session: SessionRow,
  event: EventMeta,
  bytes: number,
  source: string,
): Promise<EventHead> {
  const pair = event.call < 0 ? undefined : await sessions.pairOf(session, event.call);
  return {
    session_id: await sessions.shortId(session.id),
    event_index: event.index,
    turn_index: event.turn < 0 ? undefined : event.turn,
    step_index: event.step < 0 ? undefined : event.step,
    timestamp: iso(event.ms),
    event_type: event.type,
    record: event.label,
    name: event.name,
    status: pair?.status ?? event.status,
    exit_code: pair?.exitCode ?? event.exitCode,
    call_event: event.type === 'tool_result' ? pair?.call : undefined,
    result_event: event.type === 'tool_call' ? pair?.result : undefined,
    total_bytes: bytes,
    source: source === 'log' ? undefined : source,
  };
}
