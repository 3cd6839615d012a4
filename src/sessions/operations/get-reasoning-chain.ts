import { z } from 'zod';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { freshness } from './index-freshness.ts';
import { SESSION_ALIASES, session_id, turn_index } from './session-inputs.ts';
import { placeNumber, placeText } from './session-text.ts';
import { piecesOf } from './text-pieces.ts';

const thoughtSchema = z.object({
  turn_index: z.int().optional(),
  step_index: z.int().optional(),
  event_index: z.int(),
  offset: z.int().optional().describe('byte of the event where this text begins'),
  text: z.string(),
});

const reasoningSchema = z.object({ session_id: z.string(), reasoning: z.array(thoughtSchema) });

type Thought = ReadonlyData<typeof thoughtSchema>;

const EVENTS_PER_READ = 200;
/** Longer thoughts continue in the next row instead of being cut. */
const MAX_ROW_BYTES = 2_000;

export const getReasoningChain = operation<SessionServices>()({
  name: 'get_reasoning_chain',
  toolset: 'sessions',
  readOnly: true,
  summary: "The model's reasoning, in order.",
  input: z.strictObject({ session_id, turn_index: turn_index.optional() }),
  data: reasoningSchema,
  limit: { default: 50, max: 200 },
  rows: 'reasoning',
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
    return page<Thought & { next: readonly [number, number] }, ReadonlyData<typeof reasoningSchema>>({
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
      : reasoning.map((thought) => `${placeText(thought)}  ${thought.text}`).join('\n\n'),
});

async function* thoughts(
  sessions: Sessions,
  session: SessionRow,
  fromEvent: number,
  fromOffset: number,
  last: number,
): AsyncGenerator<Thought & { next: readonly [number, number] }> {
  for (let first = fromEvent; first <= last; first += EVENTS_PER_READ) {
    const end = Math.min(last, first + EVENTS_PER_READ - 1);
    const events = (await sessions.events.range(session, first, end)).filter(
      (event) => event.type === 'reasoning',
    );
    if (events.length === 0) continue;
    const texts = await sessions.events.texts(session, first, end);
    for (const event of events) {
      const text = texts.get(event.index) ?? '';
      if (text === '' || text === '(encrypted)') continue;
      const bytes = Buffer.byteLength(text);
      for (const piece of piecesOf(text, event.index === fromEvent ? fromOffset : 0, MAX_ROW_BYTES)) {
        yield {
          turn_index: placeNumber(event.turn),
          step_index: placeNumber(event.step),
          event_index: event.index,
          offset: piece.offset || undefined,
          text: piece.text,
          next: piece.end < bytes ? [event.index, piece.end] : [event.index + 1, 0],
        };
      }
    }
  }
}
