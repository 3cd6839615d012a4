import { z } from 'zod';
import type { Caller } from '../../contract/caller.ts';
import { countOf } from '../../contract/format.ts';
import type { TextStyle } from '../../contract/operation.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { FLAG } from '../model/event-rows.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { readableText } from './event-text.ts';
import { freshness } from './index-freshness.ts';
import { roomFor } from './room.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { hourOf, iso, kindOf, placeNumber } from './session-text.ts';
import { piecesOf } from './text-pieces.ts';

const fullEventSchema = z.object({
  event_index: z.int(),
  event_type: z.string(),
  name: z.string().optional(),
  status: z.string().optional(),
  timestamp: z.string(),
  offset: z.int().optional().describe('byte of the event where this text begins'),
  text: z.string(),
  bytes_left: z.int().optional(),
});

export const sessionFullSchema = z.object({
  session_id: z.string(),
  chunk_index: z.int().describe('number of this page, from 0'),
  total_chunks: z.int().describe('how many pages there are, estimated from their bytes'),
  total_turns: z.int(),
  total_events: z.int(),
  turns: z.array(z.object({ turn_index: z.int().optional(), events: z.array(fullEventSchema) })),
});

type FullEvent = ReadonlyData<typeof fullEventSchema>;
type SessionFull = ReadonlyData<typeof sessionFullSchema>;

/** A part of one event's text. */
interface EventPart {
  readonly turn: number;
  readonly event: number;
  readonly type: string;
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly ms: number;
  readonly offset: number;
  readonly end: number;
  readonly bytes: number;
  readonly text: string;
}

const EVENTS_PER_READ = 64;
/**
 * A page may end inside a text, so it is filled to within about one part. Roomy pages have larger parts, to keep them
 * few.
 */
const PARTS_PER_PAGE = 40;
const MIN_PART_BYTES = 128;
/** What the head of an event adds to its text. */
const EVENT_HEAD_BYTES = { json: 110, text: 24 } as const;

export const getSessionFull = operation<SessionServices>()({
  name: 'get_session_full',
  toolset: 'sessions',
  readOnly: true,
  summary: 'A whole session, uncut, in full pages (cursor "start"). Costly.',
  input: z.strictObject({ session_id }),
  data: sessionFullSchema,
  limit: { default: 5, max: 10 },
  rows: 'turns',
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/full',
  command: {
    words: 'sessions full',
    positional: ['session_id'],
    examples: ['pinhole sessions full fb3cff44'],
  },
  perMinute: 10,

  async run({ session_id }, { sessions, after, limit, budget, caller, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const [event, offset, chunk] = Array.isArray(after) ? after.map(Number) : [];
    const from = { event: event ?? 0, offset: offset ?? 0, chunk: chunk ?? 0 };
    const size = Math.max(MIN_PART_BYTES, Math.floor(budget / PARTS_PER_PAGE));
    const { parts, shown } = await gather(eventParts(sessions, session, from, size, caller), limit, budget);
    const left = await sessions.events.bytesFrom(session, from.event);
    const ahead =
      (left.bytes - from.offset + left.events * EVENT_HEAD_BYTES[caller.format]) / roomFor(caller, budget);
    return page<EventPart, SessionFull>({
      rows: parts,
      limit: Math.max(1, shown),
      position: (part) => [...endOf(part), from.chunk + 1],
      shape: (parts, more) => ({
        session_id: id,
        chunk_index: from.chunk,
        total_chunks: from.chunk + (more ? Math.max(2, Math.ceil(ahead)) : 1),
        total_turns: session.turns,
        total_events: session.events,
        turns: byTurn(parts),
      }),
      link: url(pageLinks.session(id)),
      meta,
    });
  },

  text: ({ session_id, chunk_index, total_chunks, total_turns, total_events, turns }, style) => {
    const turn = turns[0]?.turn_index;
    const event = turns[0]?.events[0]?.event_index ?? 0;
    const where = [
      `chunk ${chunk_index + 1} of about ${total_chunks}`,
      ...(turn === undefined ? [] : [`turn ${turn} of ${total_turns}`]),
      `event ${event} of ${total_events}`,
    ];
    return [
      `${session_id}  ${total_chunks === 1 ? `${countOf(total_turns, 'turn')}, ${countOf(total_events, 'event')}` : where.join(', ')}`,
      ...turns.flatMap((part) => [
        ...(part.turn_index === undefined ? [] : [`turn ${part.turn_index}`]),
        ...part.events.map((one) => eventText(one, style)),
      ]),
    ].join('\n');
  },
});

/** `e87 22:11 call Bash failed`, and its text below. */
function eventText(event: FullEvent, style: TextStyle): string {
  const status = event.status === 'ok' ? undefined : event.status;
  const words = [
    `e${event.event_index}`,
    hourOf(event.timestamp, style),
    kindOf(event.event_type),
    event.name,
    status,
  ];
  const from = event.offset === undefined ? [] : [`from byte ${event.offset}`];
  return `${[...words.filter((word) => word !== undefined), ...from].join(' ')}\n${event.text}`;
}

interface Start {
  readonly event: number;
  readonly offset: number;
}

/** The texts of all events in order, in parts. */
async function* eventParts(
  sessions: Sessions,
  session: SessionRow,
  from: Start,
  size: number,
  caller: Pick<Caller, 'format'>,
): AsyncGenerator<EventPart> {
  for (let first = from.event; first < session.events; first += EVENTS_PER_READ) {
    for (const event of await sessions.events.range(session, first, first + EVENTS_PER_READ - 1)) {
      // Events that repeat others, and the vendor's own prompts, are only shown individually.
      if ((event.flags & (FLAG.mirror | FLAG.silent)) !== 0) continue;
      const { text } = await readableText(sessions, session, event, caller);
      const bytes = Buffer.byteLength(text);
      const offset = event.index === from.event ? from.offset : 0;
      const { turn, index, type, name, status, ms } = event;
      const head = { turn, event: index, type, name, status, ms, bytes };
      if (bytes === 0) yield { ...head, offset: 0, end: 0, text: '' };
      for (const piece of piecesOf(text, offset, size)) yield { ...head, ...piece };
    }
  }
}

/** More parts than fit, unless the turns end first; the first `shown` parts belong to the requested turns. */
async function gather(
  parts: AsyncIterable<EventPart>,
  turns: number,
  budget: number,
): Promise<{ readonly parts: readonly EventPart[]; readonly shown: number }> {
  const gathered: EventPart[] = [];
  const seen = new Set<number>();
  let bytes = 0;
  for await (const part of parts) {
    gathered.push(part);
    seen.add(part.turn);
    if (seen.size > turns) return { parts: gathered, shown: gathered.length - 1 };
    bytes += Buffer.byteLength(part.text);
    if (bytes > budget) break;
  }
  return { parts: gathered, shown: gathered.length };
}

/** Where the next page begins: an event, and a byte offset in its text. */
function endOf({ event, end, bytes }: EventPart): readonly [number, number] {
  return end < bytes ? [event, end] : [event + 1, 0];
}

function byTurn(parts: readonly EventPart[]): SessionFull['turns'] {
  const turns: { turn_index?: number | undefined; events: FullEvent[] }[] = [];
  for (const part of parts) {
    const index = placeNumber(part.turn);
    let turn = turns.at(-1);
    if (turn === undefined || turn.turn_index !== index) {
      turn = { turn_index: index, events: [] };
      turns.push(turn);
    }
    const before = turn.events.at(-1);
    const left = part.bytes - part.end || undefined;
    if (before?.event_index === part.event) {
      turn.events[turn.events.length - 1] = { ...before, text: before.text + part.text, bytes_left: left };
    } else {
      turn.events.push({
        event_index: part.event,
        event_type: part.type,
        name: part.name,
        status: part.status,
        timestamp: iso(part.ms),
        offset: part.offset || undefined,
        text: part.text,
        bytes_left: left,
      });
    }
  }
  return turns;
}
