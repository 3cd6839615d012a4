import { z } from 'zod';
import { toJson } from '../../contract/bytes.ts';
import { operation, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { Sessions } from '../sessions.ts';
import type { EventMeta } from '../store/event-store.ts';
import type { SessionRow } from '../store/session-row.ts';
import { grepLines } from './grep.ts';
import { piecesOf } from './pieces.ts';
import { cut, freshness, iso, SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';

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
  readonly lines?: readonly { readonly line: number; readonly text: string }[] | undefined;
  /** Where to go on: a byte of the text, or a line number with grep. */
  readonly next_offset?: number | undefined;
}

/** Pieces are small, so that a window ends close to the budget. */
const PIECE = 128;
/** Room for the envelope around the data. */
const ENVELOPE = 420;

export const getEventDetailsInput = z.strictObject({
  session_id: sessionId,
  event_index: z.int().min(0),
  offset: z.int().min(0).optional(),
  grep: z.string().optional(),
  context_lines: z.int().min(0).max(20).optional(),
  raw: z.boolean().optional(),
});

export const getEventDetails = operation<SessionServices>()({
  name: 'get_event_details',
  toolset: 'sessions',
  readOnly: true,
  summary: 'One event in full: text from offset on, or lines matching grep; raw: the log record.',
  input: getEventDetailsInput,
  aliases: { ...SESSION_ALIASES, event: 'event_index', pattern: 'grep' },
  http: 'GET /api/agent-sessions/{session_id}/events/{event_index}',
  command: {
    words: 'sessions event',
    positional: ['session_id', 'event_index'],
    examples: ['pinhole sessions event fb3cff44 87', 'pinhole sessions event fb3cff44 87 --grep error'],
  },

  async run(input, { sessions, caller, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(input.session_id);
    const event = await sessions.events.at(session, input.event_index);
    const { text, source } = await sessions.events.text(session, event, input.raw === true);
    const head = await eventHead(sessions, session, event, Buffer.byteLength(text), source);
    const room = caller.budget - ENVELOPE - toJson(head).length;
    const from = input.offset ?? 0;
    const part =
      input.grep === undefined
        ? windowOf(text, from, room)
        : matchesIn(text, sessions.search.lineMatcher(input.grep), input.context_lines ?? 0, from, room);
    const data: EventDetails = { ...head, ...part };
    const next =
      data.next_offset === undefined
        ? undefined
        : callEventDetails({
            session_id: data.session_id,
            event_index: event.index,
            offset: data.next_offset,
          });
    return single(data, {
      meta,
      next: next && [next],
      link: url(pageLinks.session(session.id, { event: event.index })),
    });
  },

  text: (data) => {
    const status =
      data.status === undefined
        ? ''
        : `  ${data.status}${data.exit_code === undefined ? '' : ` exit ${data.exit_code}`}`;
    const step = data.step_index === undefined ? '' : `.${data.step_index}`;
    const place = data.turn_index === undefined ? '' : ` t${data.turn_index}${step}`;
    const head = `${data.session_id} e${data.event_index}${place}  ${data.timestamp}  ${data.event_type} ${data.name ?? ''}${status}  ${data.total_bytes} bytes`;
    const body = data.lines?.map(({ line, text }) => `${line}: ${text}`).join('\n') ?? data.text ?? '';
    return `${head}\n${body}`;
  },
});

/** As much of the text from a byte offset on as fits. */
function windowOf(text: string, from: number, room: number): Partial<EventDetails> {
  const pieces: string[] = [];
  let start: number | undefined;
  let end = from;
  let used = 0;
  let more = false;
  for (const piece of piecesOf(text, from, PIECE)) {
    used += Buffer.byteLength(toJson(piece.text)) - 2;
    if (used > room && pieces.length > 0) {
      more = true;
      break;
    }
    start ??= piece.offset;
    pieces.push(piece.text);
    end = piece.end;
  }
  return {
    offset: start === 0 ? undefined : start,
    text: pieces.join(''),
    next_offset: more ? end : undefined,
  };
}

const LONGEST_LINE = 1_000;

/** As many matching lines after a line number as fit; very long lines are cut around nothing but their beginning. */
function matchesIn(
  text: string,
  matches: (line: string) => boolean,
  context: number,
  after: number,
  room: number,
): Partial<EventDetails> {
  const lines: { line: number; text: string }[] = [];
  let used = 0;
  for (const { line, text: whole } of grepLines(text, matches, context, after)) {
    const shown = cut(whole, LONGEST_LINE);
    used += Buffer.byteLength(toJson({ line, text: shown })) + 1;
    if (used > room && lines.length > 0) return { lines, next_offset: lines.at(-1)?.line };
    lines.push({ line, text: shown });
  }
  return { lines };
}

async function eventHead(
  sessions: Sessions,
  session: SessionRow,
  event: EventMeta,
  bytes: number,
  source: string,
): Promise<EventHead> {
  const pair = event.call < 0 ? undefined : await sessions.events.pairOf(session, event.call);
  return {
    session_id: await sessions.list.shortId(session.id),
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
