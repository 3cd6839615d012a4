import { z } from 'zod';
import { type CallContext, operation, page, type Result } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import { getSessionFull } from './get-session-full.ts';
import { getSessionSummary } from './get-session-summary.ts';
import { getSessionTurns } from './get-session-turns.ts';
import { getTurnSteps, type StepCard, stepCard } from './get-turn-steps.ts';
import { freshness, SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';

/** Steps are taken from the index in portions: a page shows few of them. */
const PORTION = 16;

const LEVELS = ['summary', 'turns', 'steps', 'full'] as const;

const input = z.strictObject({
  session_id: sessionId,
  detail_level: z.enum(LEVELS).default('summary'),
  turn_index: z.int().min(0).optional(),
  include_reasoning: z.boolean().optional(),
});

/** The operation that took this one's place, for each level of detail. */
async function atLevel(
  given: z.output<typeof input>,
  ctx: CallContext & SessionServices,
): Promise<Result<unknown>> {
  const { session_id, detail_level, include_reasoning } = given;
  if (detail_level === 'turns') return getSessionTurns.run({ session_id, include_reasoning }, ctx);
  if (detail_level === 'full') return getSessionFull.run({ session_id }, ctx);
  if (detail_level === 'steps') {
    return given.turn_index === undefined
      ? stepsOfAllTurns(session_id, ctx)
      : getTurnSteps.run({ session_id, turn_index: given.turn_index }, ctx);
  }
  return getSessionSummary.run({ session_id }, ctx);
}

interface TurnStep {
  readonly turn: number;
  readonly step: StepCard;
}

interface StepsByTurn {
  readonly session_id: string;
  readonly total_turns: number;
  readonly turns: readonly { readonly turn_index: number; readonly steps: readonly StepCard[] }[];
}

/** Turn after turn of a session with its steps, the long texts cut. */
async function stepsOfAllTurns(
  session_id: string,
  { sessions, after, url }: CallContext & SessionServices,
): Promise<Result<StepsByTurn>> {
  const meta = await freshness(sessions);
  const session = await sessions.list.find(session_id);
  const id = await sessions.list.shortId(session.id);
  const [firstTurn, lastStep] = Array.isArray(after) ? [Number(after[0]), Number(after[1])] : [0, -1];
  async function* rows(): AsyncGenerator<TurnStep> {
    for (let index = firstTurn; index < session.turns; index++) {
      const turn = await sessions.turns.at(session, index);
      for (let last = index === firstTurn ? lastStep : -1; last < turn.steps - 1; last += PORTION) {
        for (const step of await sessions.turns.steps(session, turn, last, PORTION))
          yield { turn: index, step: await stepCard(sessions, step) };
      }
    }
  }
  return page<TurnStep, StepsByTurn>({
    rows: rows(),
    position: ({ turn, step }) => [turn, step.step_index],
    shape: (shown) => ({ session_id: id, total_turns: session.turns, turns: byTurn(shown) }),
    whole: ({ step }) => callEventDetails({ session_id: id, event_index: step.event_index }),
    link: url(pageLinks.session(id)),
    meta,
  });
}

function byTurn(shown: readonly TurnStep[]): StepsByTurn['turns'] {
  const turns = new Map<number, StepCard[]>();
  for (const { turn, step } of shown) turns.set(turn, [...(turns.get(turn) ?? []), step]);
  return [...turns].map(([turn_index, steps]) => ({ turn_index, steps }));
}

function legacy(name: 'get_session_details' | 'get_session_by_id') {
  return operation<SessionServices>()({
    name,
    toolset: 'legacy',
    readOnly: true,
    summary: 'Deprecated: use get_session_summary and its kin.',
    input,
    limit: { default: 10, max: 50 },
    aliases: { ...SESSION_ALIASES, turn: 'turn_index' },
    perMinute: 60,
    run: atLevel,
    text: (data) => JSON.stringify(data),
  });
}

export const getSessionDetails = legacy('get_session_details');
export const getSessionById = legacy('get_session_by_id');
