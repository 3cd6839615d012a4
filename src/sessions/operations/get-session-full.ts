import { z } from 'zod';
import { operation, page } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { FLAG } from '../model/event-rows.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { piecesOf } from './pieces.ts';
import { freshness, iso, SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';

/** A stretch of one event. */
interface Stretch {
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

interface FullEvent {
  readonly event_index: number;
  readonly event_type: string;
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly timestamp: string;
  readonly offset?: number | undefined;
  readonly text: string;
  readonly bytes_left?: number | undefined;
}

export interface FullTurns {
  readonly session_id: string;
  readonly total_turns: number;
  readonly turns: readonly {
    readonly turn_index?: number | undefined;
    readonly events: readonly FullEvent[];
  }[];
}

const PORTION = 64;

export const getSessionFull = operation<SessionServices>()({
  name: 'get_session_full',
  toolset: 'sessions',
  readOnly: true,
  summary: 'A whole session, uncut, in pages (cursor "start"). Costly.',
  input: z.strictObject({ session_id: sessionId }),
  limit: { default: 5, max: 10 },
  rows: 'turns',
  columns: ['turn_index', 'events'],
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/full',
  command: {
    words: 'sessions full',
    positional: ['session_id'],
    examples: ['pinhole sessions full fb3cff44'],
  },
  perMinute: 10,

  async run({ session_id }, { sessions, after, limit, caller, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const [event, offset] = Array.isArray(after) ? [Number(after[0]), Number(after[1])] : [0, 0];
    // The budget is shared out over the limit: that many portions of text a page.
    const size = Math.max(200, Math.floor((caller.budget - 800) / limit / 1.3));
    return page<readonly Stretch[], FullTurns>({
      rows: portions(stretches(sessions, session, event, offset, size), size),
      position: (row) => endOf(row.at(-1)),
      shape: (rows) => ({ session_id: id, total_turns: session.turns, turns: grouped(rows.flat()) }),
      link: url(pageLinks.session(id)),
      meta,
    });
  },

  text: ({ session_id, total_turns, turns }) =>
    [
      `${session_id}  ${total_turns} turns`,
      ...turns.flatMap((turn) => [
        `turn ${turn.turn_index ?? '-'}`,
        ...turn.events.map((e) => `e${e.event_index} ${e.event_type} ${e.name ?? ''}\n${e.text}`),
      ]),
    ].join('\n'),
});

async function* stretches(
  sessions: Sessions,
  session: SessionRow,
  fromEvent: number,
  fromOffset: number,
  size: number,
): AsyncGenerator<Stretch> {
  for (let first = fromEvent; first < session.events; first += PORTION) {
    for (const event of await sessions.events.range(session, first, first + PORTION - 1)) {
      // What only repeats another event, or is the vendor's own prompt, is left to get_event_details.
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

/** What an event costs besides its text. */
const HEAD = 110;

/** Small events go together, so that a page is full. */
async function* portions(rows: AsyncIterable<Stretch>, size: number): AsyncGenerator<readonly Stretch[]> {
  let portion: Stretch[] = [];
  let used = 0;
  for await (const row of rows) {
    const cost = Buffer.byteLength(JSON.stringify(row.text)) + HEAD;
    if (portion.length > 0 && used + cost > size) {
      yield portion;
      portion = [];
      used = 0;
    }
    portion.push(row);
    used += cost;
  }
  if (portion.length > 0) yield portion;
}

function endOf(row: Stretch | undefined): readonly [number, number] {
  if (row === undefined) return [0, 0];
  return row.end < row.bytes ? [row.event, row.end] : [row.event + 1, 0];
}

function grouped(rows: readonly Stretch[]): FullTurns['turns'] {
  const turns: { turn_index?: number | undefined; events: FullEvent[] }[] = [];
  for (const row of rows) {
    const index = row.turn < 0 ? undefined : row.turn;
    let turn = turns.at(-1);
    if (turn === undefined || turn.turn_index !== index) {
      turn = { turn_index: index, events: [] };
      turns.push(turn);
    }
    const before = turn.events.at(-1);
    const left = row.bytes - row.end || undefined;
    if (before?.event_index === row.event) {
      turn.events[turn.events.length - 1] = { ...before, text: before.text + row.text, bytes_left: left };
    } else {
      turn.events.push({
        event_index: row.event,
        event_type: row.type,
        name: row.name,
        status: row.status,
        timestamp: iso(row.ms),
        offset: row.offset || undefined,
        text: row.text,
        bytes_left: left,
      });
    }
  }
  return turns;
}
