import { z } from 'zod';
import { toJson } from '../../contract/bytes.ts';
import { countOf } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { EventMeta } from '../store/event-store.ts';
import type { SessionRow } from '../store/session-row.ts';
import { freshness } from './index-freshness.ts';
import { matchingLines } from './matching-lines.ts';
import { roomFor } from './room.ts';
import { event_index, SESSION_ALIASES, session_id } from './session-inputs.ts';
import { cut, iso, placeNumber, placeText } from './session-text.ts';
import { piecesOf } from './text-pieces.ts';

export const eventDetailsSchema = z.object({
  session_id: z.string(),
  event_index: z.int(),
  turn_index: z.int().optional(),
  step_index: z.int().optional(),
  timestamp: z.string(),
  event_type: z.string(),
  record: z.string(),
  name: z.string().optional(),
  status: z.string().optional(),
  exit_code: z.int().optional(),
  call_event: z.int().optional().describe('the call that this result answers'),
  result_event: z.int().optional().describe('the result of this call'),
  total_bytes: z.int(),
  source: z.string().optional().describe('where the text comes from if not from the log itself'),
  offset: z.int().optional(),
  text: z.string().optional(),
  lines: z.array(z.object({ line: z.int(), text: z.string() })).optional(),
  next_offset: z.int().optional().describe('where to go on: a byte of the text, or a line number with grep'),
});

type EventDetails = ReadonlyData<typeof eventDetailsSchema>;
/** The part of an event's text or lines that one answer shows. */
type Shown = Pick<EventDetails, 'offset' | 'text' | 'lines' | 'next_offset'>;
type EventHead = Omit<EventDetails, keyof Shown>;

export const getEventDetailsInput = z.strictObject({
  session_id,
  event_index,
  offset: z
    .int()
    .min(0)
    .optional()
    .describe('where to begin: a byte of the text; with grep, the number of the line before'),
  grep: z.string().optional().describe('only lines that match this regular expression'),
  context_lines: z.int().min(0).max(20).optional().describe('lines to show around each match'),
  raw: z.boolean().optional().describe('the record of the log instead of its text'),
});

export const getEventDetails = operation<SessionServices>()({
  name: 'get_event_details',
  toolset: 'sessions',
  readOnly: true,
  summary: 'One event in full: text from offset on, or lines matching grep; raw: the log record.',
  input: getEventDetailsInput,
  data: eventDetailsSchema,
  aliases: { ...SESSION_ALIASES, event: 'event_index', pattern: 'grep' },
  http: 'GET /api/agent-sessions/{session_id}/events/{event_index}',
  command: {
    words: 'sessions event',
    positional: ['session_id', 'event_index'],
    examples: ['pinhole sessions event fb3cff44 87', 'pinhole sessions event fb3cff44 87 --grep error'],
  },

  async run(input, { sessions, budget, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(input.session_id);
    const event = await sessions.events.at(session, input.event_index);
    const { text, source } = await sessions.events.text(session, event, input.raw === true);
    const head = await eventHead(sessions, session, event, Buffer.byteLength(text), source);
    const room = roomFor(budget, toJson(head).length);
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
    const name = data.name === undefined ? '' : ` ${data.name}`;
    const code = data.exit_code === undefined ? '' : ` exit ${data.exit_code}`;
    const status = data.status === undefined ? '' : `  ${data.status}${code}`;
    const head = `${data.session_id} ${placeText(data)}  ${data.timestamp}  ${data.event_type}${name}${status}  ${countOf(data.total_bytes, 'byte')}`;
    const body = data.lines?.map(({ line, text }) => `${line}: ${text}`).join('\n') ?? data.text ?? '';
    return `${head}\n${body}`;
  },
});

/** Small, so that a window ends close to the budget. */
const PIECE_BYTES = 128;

/** As much of the text from a byte offset on as fits. */
function windowOf(text: string, from: number, room: number): Shown {
  const pieces: string[] = [];
  let start: number | undefined;
  let end = from;
  let used = 0;
  let more = false;
  for (const piece of piecesOf(text, from, PIECE_BYTES)) {
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

const MAX_LINE = 1_000;

/** As many matching lines after a line number as fit; very long lines lose their end. */
function matchesIn(
  text: string,
  matches: (line: string) => boolean,
  context: number,
  after: number,
  room: number,
): Shown {
  const lines: { line: number; text: string }[] = [];
  let used = 0;
  for (const { line, text: whole } of matchingLines(text, matches, context, after)) {
    const shown = cut(whole, MAX_LINE);
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
    turn_index: placeNumber(event.turn),
    step_index: placeNumber(event.step),
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
