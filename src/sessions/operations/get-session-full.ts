import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { FLAG } from '../model/event-rows.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { freshness } from './index-freshness.ts';
import { roomFor } from './room.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { iso, placeNumber } from './session-text.ts';
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
  total_turns: z.int(),
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

/** What an answer needs besides its events. */
const HEAD_BYTES = 380;
/** Quotes and line breaks make a text about this much longer as JSON. */
const ESCAPED_LENGTH = 1.3;
const MIN_PART_BYTES = 200;

export const getSessionFull = operation<SessionServices>()({
  name: 'get_session_full',
  toolset: 'sessions',
  readOnly: true,
  summary: 'A whole session, uncut, in pages (cursor "start"). Costly.',
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

  async run({ session_id }, { sessions, after, limit, budget, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const [event, offset] = Array.isArray(after) ? [Number(after[0]), Number(after[1])] : [0, 0];
    // A page has `limit` portions of text, which share the budget.
    const room = roomFor(budget, HEAD_BYTES) / limit / ESCAPED_LENGTH;
    const size = Math.max(MIN_PART_BYTES, Math.floor(room));
    return page<readonly EventPart[], SessionFull>({
      rows: portions(eventParts(sessions, session, event, offset, size), size),
      position: (portion) => endOf(portion.at(-1)),
      shape: (rows) => ({ session_id: id, total_turns: session.turns, turns: byTurn(rows.flat()) }),
      link: url(pageLinks.session(id)),
      meta,
    });
  },

  text: ({ session_id, total_turns, turns }) =>
    [
      `${session_id}  ${countOf(total_turns, 'turn')}`,
      ...turns.flatMap((turn) => [
        `turn ${turn.turn_index ?? '-'}`,
        ...turn.events.map((event) => `e${event.event_index} ${labelOf(event)}\n${event.text}`),
      ]),
    ].join('\n'),
});

function labelOf({ event_type, name }: FullEvent): string {
  return name === undefined ? event_type : `${event_type} ${name}`;
}

/** The texts of all events in order, the long ones in parts. */
async function* eventParts(
  sessions: Sessions,
  session: SessionRow,
  fromEvent: number,
  fromOffset: number,
  size: number,
): AsyncGenerator<EventPart> {
  for (let first = fromEvent; first < session.events; first += EVENTS_PER_READ) {
    for (const event of await sessions.events.range(session, first, first + EVENTS_PER_READ - 1)) {
      // Events that repeat others and the vendor's own prompts are shown only one by one.
      if ((event.flags & (FLAG.mirror | FLAG.silent)) !== 0) continue;
      const { text } = await sessions.events.text(session, event, false);
      const bytes = Buffer.byteLength(text);
      const offset = event.index === fromEvent ? fromOffset : 0;
      const { turn, index, type, name, status, ms } = event;
      const head = { turn, event: index, type, name, status, ms, bytes };
      if (bytes === 0) yield { ...head, offset: 0, end: 0, text: '' };
      for (const piece of piecesOf(text, offset, size)) yield { ...head, ...piece };
    }
  }
}

/** What an event takes as JSON besides its text. */
const EVENT_HEAD_BYTES = 110;

/** Puts small parts into one portion, so that pages are full. */
async function* portions(
  parts: AsyncIterable<EventPart>,
  size: number,
): AsyncGenerator<readonly EventPart[]> {
  let portion: EventPart[] = [];
  let used = 0;
  for await (const part of parts) {
    const cost = Buffer.byteLength(JSON.stringify(part.text)) + EVENT_HEAD_BYTES;
    if (portion.length > 0 && used + cost > size) {
      yield portion;
      portion = [];
      used = 0;
    }
    portion.push(part);
    used += cost;
  }
  if (portion.length > 0) yield portion;
}

/** Where the next portion begins: an event, and a byte of its text. */
function endOf(last: EventPart | undefined): readonly [number, number] {
  if (last === undefined) return [0, 0];
  return last.end < last.bytes ? [last.event, last.end] : [last.event + 1, 0];
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
