import { z } from 'zod';
import { toJson } from '../../contract/bytes.ts';
import type { Caller } from '../../contract/caller.ts';
import { countOf } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { EventMeta } from '../store/event-store.ts';
import type { SessionRow } from '../store/session-row.ts';
import { argumentsOf, readableText } from './event-text.ts';
import { freshness } from './index-freshness.ts';
import { type FindInLine, matchingLines, type NumberedLine } from './matching-lines.ts';
import { roomFor, sizeIn } from './room.ts';
import { event_index, SESSION_ALIASES, session_id } from './session-inputs.ts';
import { clock, iso, kindOf, placeNumber, placeText } from './session-text.ts';
import { piecesOf } from './text-pieces.ts';

const eventDetailsSchema = z.object({
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
  payload: z
    .object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })
    .optional()
    .describe('a call that fits into the answer'),
  lines: z
    .array(
      z.object({
        event: z.int().optional().describe('set for lines of the result'),
        line: z.int(),
        text: z.string(),
      }),
    )
    .optional(),
  next_offset: z
    .int()
    .optional()
    .describe('continue from here: a byte of the text, or a line number with grep'),
  next_event: z.int().optional().describe('the event to continue in, if it is the result of this call'),
});

type EventDetails = ReadonlyData<typeof eventDetailsSchema>;
/** The part of an event's text or lines that one answer shows. */
type Shown = Pick<EventDetails, 'offset' | 'text' | 'lines' | 'next_offset' | 'next_event'>;
type EventHead = Omit<EventDetails, keyof Shown | 'payload'>;

export const getEventDetailsInput = z.strictObject({
  session_id,
  event_index,
  offset: z
    .int()
    .min(0)
    .optional()
    .describe('where to begin: a byte of the text; with grep, the number of the line before'),
  grep: z
    .string()
    .optional()
    .describe(
      'only lines of it, and of its result, that match this regular expression; a capital makes case matter',
    ),
  context_lines: z.int().min(0).max(20).optional().describe('lines to show around each match'),
  raw: z.boolean().optional().describe('the record of the log instead of its text'),
});

export const getEventDetails = operation<SessionServices>()({
  name: 'get_event_details',
  toolset: 'sessions',
  readOnly: true,
  summary: 'One event in full; grep: matching lines, of a call also in its result.',
  input: getEventDetailsInput,
  data: eventDetailsSchema,
  aliases: { ...SESSION_ALIASES, event: 'event_index', pattern: 'grep' },
  http: 'GET /api/agent-sessions/{session_id}/events/{event_index}',
  command: {
    words: 'sessions event',
    positional: ['session_id', 'event_index'],
    examples: ['pinhole sessions event fb3cff44 87', 'pinhole sessions event fb3cff44 87 --grep error'],
  },

  async run(input, { sessions, budget, caller, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(input.session_id);
    const event = await sessions.events.at(session, input.event_index);
    const reader = input.grep === undefined ? caller : { ...caller, format: 'text' as const };
    const { text, source } =
      input.raw === true
        ? await sessions.events.text(session, event, true)
        : await readableText(sessions, session, event, reader);
    const head = await eventHead(sessions, session, event, Buffer.byteLength(text), source);
    const room = roomFor(caller, budget, toJson(head).length);
    const from = input.offset ?? 0;
    const part =
      input.grep === undefined
        ? windowOf(text, from, room, caller)
        : matchesIn(await searched(sessions, session, head, text, input), {
            find: sessions.search.lineFinder(input.grep),
            context: input.context_lines ?? 0,
            after: from,
            room,
          });
    const whole =
      part.text === text && input.raw !== true && caller.format === 'json' && caller.door !== 'page';
    const args = whole ? await argumentsOf(sessions, session, event) : undefined;
    const payload = args && { name: event.name ?? 'tool', arguments: args };
    const fits = payload && sizeIn(caller, text) + toJson(payload).length <= room;
    const data: EventDetails = { ...head, ...part, payload: fits ? payload : undefined };
    const next =
      data.next_offset === undefined
        ? undefined
        : callEventDetails({
            session_id: data.session_id,
            event_index: data.next_event ?? event.index,
            offset: data.next_offset,
            grep: input.grep,
            context_lines: input.context_lines,
            raw: input.raw,
          });
    return single(data, {
      meta,
      next: next && [next],
      link: url(pageLinks.session(session.id, { event: event.index })),
    });
  },

  text: (data, style) => {
    const code = data.exit_code === undefined ? '' : `exit ${data.exit_code}`;
    const from = data.offset === undefined ? '' : `from byte ${data.offset} of`;
    const pair = data.result_event ?? data.call_event;
    const words = [
      `${data.session_id} ${placeText(data)} ${clock(data.timestamp, style)} ${kindOf(data.event_type)}`,
      data.name ?? '',
      data.status === 'ok' ? '' : (data.status ?? ''),
      code === 'exit 0' ? '' : code,
      from,
      countOf(data.total_bytes, 'byte'),
      pair === undefined ? '' : `${data.result_event === undefined ? 'call' : 'result'} e${pair}`,
      data.source === undefined ? '' : `(${data.source})`,
    ];
    const body =
      data.lines
        ?.map(({ event, line, text }, at, all) => {
          const begins = event !== undefined && all[at - 1]?.event !== event;
          return `${begins ? `e${event}:\n` : ''}${line}: ${text}`;
        })
        .join('\n') ??
      data.text ??
      '';
    const nothing = data.lines?.length === 0 ? 'No line matches.' : body;
    return `${words.filter((word) => word !== '').join(' ')}\n${nothing}`;
  },
});

/** Small, so that a window ends close to the budget. */
const PIECE_BYTES = 128;

/** As much of the text as fits, starting at a byte offset. */
function windowOf(text: string, from: number, room: number, reader: Pick<Caller, 'format'>): Shown {
  const pieces: string[] = [];
  let start: number | undefined;
  let end = from;
  let used = 0;
  let more = false;
  for (const piece of piecesOf(text, from, PIECE_BYTES)) {
    used += sizeIn(reader, piece.text);
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

/** A text whose lines are searched; `event` is set for the result of the requested call. */
interface Searched {
  readonly event?: number;
  readonly text: string;
}

/** The text of the event and, for a call, also of its result. */
async function searched(
  sessions: Sessions,
  session: SessionRow,
  { result_event }: EventHead,
  text: string,
  { raw }: { readonly raw?: boolean | undefined },
): Promise<readonly Searched[]> {
  if (raw === true || result_event === undefined) return [{ text }];
  const result = await sessions.events.at(session, result_event);
  return [{ text }, { event: result_event, text: (await sessions.events.text(session, result, false)).text }];
}

/** As many matching lines as fit; in the first text, only those after a line number. */
function matchesIn(
  texts: readonly Searched[],
  {
    find,
    context,
    after,
    room,
  }: { readonly find: FindInLine; readonly context: number; readonly after: number; readonly room: number },
): Shown {
  const lines: (NumberedLine & { readonly event?: number })[] = [];
  let used = 0;
  for (const [at, { event, text }] of texts.entries()) {
    for (const found of matchingLines(text, find, context, at === 0 ? after : 0)) {
      const shown = event === undefined ? found : { event, ...found };
      used += Buffer.byteLength(toJson(shown)) + 1;
      const last = lines.at(-1);
      if (used > room && last !== undefined) return { lines, next_offset: last.line, next_event: last.event };
      lines.push(shown);
    }
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
