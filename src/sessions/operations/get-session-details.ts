import { z } from 'zod';
import {
  type CallContext,
  operation,
  page,
  type ReadonlyData,
  type Result,
  single,
} from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails, callSessionTurns, callTurnSteps } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Step } from '../store/step-store.ts';
import { getSessionFull, sessionFullSchema } from './get-session-full.ts';
import { sessionSummarySchema, summarize } from './get-session-summary.ts';
import { sessionTurnsSchema, turnCardSchema, turnCards } from './get-session-turns.ts';
import { getTurnSteps, STEPS_PER_READ, turnStepsSchema } from './get-turn-steps.ts';
import { freshness } from './index-freshness.ts';
import { SESSION_ALIASES, session_id, turn_index } from './session-inputs.ts';
import { snip } from './session-text.ts';
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

/** This operation's summary also says where the tokens went. */
const summaryWithTurnsSchema = sessionSummarySchema.extend({
  turns: z.array(
    turnCardSchema.pick({ turn_index: true, user_message: true, step_count: true, tokens: true }),
  ),
});

const turnsWithStepsSchema = sessionTurnsSchema.extend({
  turns: z.array(
    turnCardSchema.extend({
      steps: z.array(
        z.object({
          step_index: z.int(),
          summary: z.string(),
          tool_calls: z.int(),
          failed_tools: z.int(),
          tokens: z.int(),
        }),
      ),
    }),
  ),
});
type TurnsWithSteps = ReadonlyData<typeof turnsWithStepsSchema>;

/** One shape per level of detail. */
const data = z.union([
  summaryWithTurnsSchema,
  turnStepsSchema,
  turnsWithStepsSchema,
  sessionFullSchema,
  stepsByTurnSchema,
]);

type Context = CallContext & SessionServices;

/** Each level of detail is now a separate operation. */
async function atLevel(
  given: z.output<typeof input>,
  ctx: Context,
): Promise<Result<ReadonlyData<typeof data>>> {
  const { session_id, detail_level, include_reasoning } = given;
  if (detail_level === 'turns') return turnsWithSteps(session_id, include_reasoning === true, ctx);
  if (detail_level === 'full') return getSessionFull.run({ session_id }, ctx);
  if (detail_level === 'steps') {
    return given.turn_index === undefined
      ? stepsOfAllTurns(session_id, ctx)
      : getTurnSteps.run({ session_id, turn_index: given.turn_index }, ctx);
  }
  return summaryWithTurns(session_id, ctx);
}

const MAX_TURNS = 50;
const MAX_PROMPT_LENGTH = 80;
const MAX_SUMMARY_LENGTH = 80;

async function summaryWithTurns(
  session_id: string,
  { sessions, caller, url }: Context,
): Promise<Result<ReadonlyData<typeof summaryWithTurnsSchema>>> {
  const meta = await freshness(sessions);
  const session = await sessions.list.find(session_id);
  const summary = await summarize(sessions, session, caller);
  const turns = await sessions.turns.after(session, -1, MAX_TURNS);
  return single(
    {
      ...summary,
      turns: turns.map(({ index, prompt, steps, tokens }) => ({
        turn_index: index,
        user_message: snip(prompt, MAX_PROMPT_LENGTH),
        step_count: steps,
        tokens,
      })),
    },
    { next: [callSessionTurns({ session_id: summary.id })], link: url(pageLinks.session(session.id)), meta },
  );
}

async function turnsWithSteps(
  session_id: string,
  reasoning: boolean,
  { sessions, after, limit, url }: Context,
): Promise<Result<TurnsWithSteps>> {
  const meta = await freshness(sessions);
  const session = await sessions.list.find(session_id);
  const id = await sessions.list.shortId(session.id);
  const turns = await sessions.turns.after(session, typeof after === 'number' ? after : -1, limit + 1);
  const worst = turns.find((turn) => turn.outcome === 'failed') ?? turns[0];
  async function* rows(): AsyncGenerator<TurnsWithSteps['turns'][number]> {
    for (const turn of turns) {
      const steps = await sessions.turns.steps(session, turn, -1, turn.steps + 1);
      for await (const card of turnCards(sessions, session, [turn], reasoning))
        yield { ...card, steps: steps.map(stepLine) };
    }
  }
  return page<TurnsWithSteps['turns'][number], TurnsWithSteps>({
    rows: rows(),
    position: (turn) => turn.turn_index,
    total: session.turns,
    shape: (shown) => ({ session_id: id, total_turns: session.turns, turns: shown }),
    next: worst && [callTurnSteps({ session_id: id, turn_index: worst.index })],
    link: url(pageLinks.session(id)),
    meta,
  });
}

function stepLine({ index, message, tools, tokens }: Step): TurnsWithSteps['turns'][number]['steps'][number] {
  return {
    step_index: index,
    summary: snip(message ?? tools.map(({ name }) => name).join(', '), MAX_SUMMARY_LENGTH),
    tool_calls: tools.length,
    failed_tools: tools.filter(({ status }) => status === 'failed').length,
    tokens,
  };
}

interface TurnStep {
  readonly turn: number;
  readonly step: StepCard;
}

/** The steps of all turns in order, with long texts shortened. */
async function stepsOfAllTurns(
  session_id: string,
  { sessions, after, caller, url }: Context,
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

/** The same operation under either of its two former names. */
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
