import { z } from 'zod';
import {
  type CallContext,
  operation,
  page,
  type ReadonlyData,
  type Result,
} from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import { getSessionFull, sessionFullSchema } from './get-session-full.ts';
import { getSessionSummary, sessionSummarySchema } from './get-session-summary.ts';
import { getSessionTurns, sessionTurnsSchema } from './get-session-turns.ts';
import { getTurnSteps, STEPS_PER_READ, turnStepsSchema } from './get-turn-steps.ts';
import { freshness } from './index-freshness.ts';
import { SESSION_ALIASES, session_id, turn_index } from './session-inputs.ts';
import { type StepCard, stepCard, stepCardSchema } from './step-card.ts';

const LEVELS = ['summary', 'turns', 'steps', 'full'] as const;

const input = z.strictObject({
  session_id,
  detail_level: z.enum(LEVELS).default('summary').describe('how much detail to show'),
  turn_index: turn_index.optional(),
  include_reasoning: z.boolean().optional().describe("include the model's reasoning"),
});

const stepsByTurnSchema = z.object({
  session_id: z.string(),
  total_turns: z.int(),
  turns: z.array(z.object({ turn_index: z.int(), steps: z.array(stepCardSchema) })),
});
type StepsByTurn = ReadonlyData<typeof stepsByTurnSchema>;

/** One form per level of detail. */
const data = z.union([
  sessionSummarySchema,
  turnStepsSchema,
  sessionTurnsSchema,
  sessionFullSchema,
  stepsByTurnSchema,
]);

/** Each level of detail is now an operation of its own. */
async function atLevel(
  given: z.output<typeof input>,
  ctx: CallContext & SessionServices,
): Promise<Result<ReadonlyData<typeof data>>> {
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

/** The steps of all turns in order, with long texts cut. */
async function stepsOfAllTurns(
  session_id: string,
  { sessions, after, caller, url }: CallContext & SessionServices,
): Promise<Result<StepsByTurn>> {
  const meta = await freshness(sessions);
  const session = await sessions.list.find(session_id);
  const id = await sessions.list.shortId(session.id);
  const [firstTurn, lastStep] = Array.isArray(after) ? [Number(after[0]), Number(after[1])] : [0, -1];
  async function* rows(): AsyncGenerator<TurnStep> {
    for (let index = firstTurn; index < session.turns; index++) {
      const turn = await sessions.turns.at(session, index);
      for (let last = index === firstTurn ? lastStep : -1; last < turn.steps - 1; last += STEPS_PER_READ) {
        for (const step of await sessions.turns.steps(session, turn, last, STEPS_PER_READ))
          yield { turn: index, step: await stepCard(sessions, session, step, caller) };
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

/** The same operation under each of its two former names. */
export function sessionDetails<const Name extends string>(name: Name) {
  return operation<SessionServices>()({
    name,
    toolset: 'legacy',
    readOnly: true,
    summary: 'Deprecated: use get_session_summary and the tools next to it.',
    input,
    data,
    limit: { default: 10, max: 50 },
    aliases: { ...SESSION_ALIASES, turn: 'turn_index' },
    perMinute: 60,
    run: atLevel,
    text: (data) => JSON.stringify(data),
  });
}

export const getSessionDetails = sessionDetails('get_session_details');
