import { z } from 'zod';
import { operation, page } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { piecesOf } from './pieces.ts';
import { freshness, SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';

interface Thought {
  readonly turn_index?: number | undefined;
  readonly step_index?: number | undefined;
  readonly event_index: number;
  readonly offset?: number | undefined;
  readonly text: string;
}

const PORTION = 200;
/** Long thoughts continue on the next page instead of being cut. */
const PIECE = 2_000;

export const getReasoningChain = operation<SessionServices>()({
  name: 'get_reasoning_chain',
  toolset: 'sessions',
  readOnly: true,
  summary: 'What the model thought, in order.',
  input: z.strictObject({ session_id: sessionId, turn_index: z.int().min(0).optional() }),
  limit: { default: 50, max: 200 },
  rows: 'reasoning',
  columns: ['turn_index', 'step_index', 'event_index', 'offset', 'text'],
  unlisted: ['limit'],
  aliases: { ...SESSION_ALIASES, turn: 'turn_index' },
  http: 'GET /api/agent-sessions/{session_id}/reasoning',
  command: {
    words: 'sessions reasoning',
    positional: ['session_id'],
    examples: ['pinhole sessions reasoning fb3cff44 --turn-index 2'],
  },

  async run({ session_id, turn_index }, { sessions, after, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const turn = turn_index === undefined ? undefined : await sessions.turns.at(session, turn_index);
    const first = turn?.event ?? 0;
    const last = turn === undefined ? session.events - 1 : await sessions.turns.lastEvent(session, turn);
    const [event, offset] = Array.isArray(after) ? [Number(after[0]), Number(after[1])] : [first, 0];
    return page<
      Thought & { next: readonly [number, number] },
      { session_id: string; reasoning: readonly Thought[] }
    >({
      rows: thoughts(sessions, session, event, offset, last),
      position: ({ next }) => next,
      shape: (rows) => ({ session_id: id, reasoning: rows.map(({ next, ...thought }) => thought) }),
      link: url(pageLinks.session(id, { turn: turn_index })),
      meta,
    });
  },

  text: ({ session_id, reasoning }) =>
    reasoning.length === 0
      ? `${session_id}  no reasoning in the log`
      : reasoning
          .map(
            (thought) =>
              `t${thought.turn_index ?? '-'}.${thought.step_index ?? '-'} e${thought.event_index}  ${thought.text}`,
          )
          .join('\n\n'),
});

async function* thoughts(
  sessions: Sessions,
  session: SessionRow,
  fromEvent: number,
  fromOffset: number,
  last: number,
): AsyncGenerator<Thought & { next: readonly [number, number] }> {
  for (let first = fromEvent; first <= last; first += PORTION) {
    const end = Math.min(last, first + PORTION - 1);
    const events = (await sessions.events.range(session, first, end)).filter(
      (event) => event.type === 'reasoning',
    );
    if (events.length === 0) continue;
    const texts = await sessions.events.texts(session, first, end);
    for (const event of events) {
      const text = texts.get(event.index) ?? '';
      if (text === '' || text === '(encrypted)') continue;
      const bytes = Buffer.byteLength(text);
      for (const piece of piecesOf(text, event.index === fromEvent ? fromOffset : 0, PIECE)) {
        yield {
          turn_index: event.turn < 0 ? undefined : event.turn,
          step_index: event.step < 0 ? undefined : event.step,
          event_index: event.index,
          offset: piece.offset || undefined,
          text: piece.text,
          next: piece.end < bytes ? [event.index, piece.end] : [event.index + 1, 0],
        };
      }
    }
  }
}
