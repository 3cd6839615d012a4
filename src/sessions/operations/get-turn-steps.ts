import { z } from 'zod';
import { fail, inputMessage } from '../../contract/errors.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { TurnSummary } from '../store/turn-store.ts';
import { freshness } from './index-freshness.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { isCut, type StepCard, stepCard, stepCardSchema } from './step-card.ts';
import { stepsText } from './steps-text.ts';

export const turnStepsSchema = z.object({
  session_id: z.string(),
  turn_index: z.int(),
  total_steps: z.int(),
  steps: z.array(stepCardSchema),
});

export type TurnSteps = ReadonlyData<typeof turnStepsSchema>;

/** Steps are read from the index in portions, since a page shows only a few. */
export const STEPS_PER_READ = 16;

export const getTurnStepsInput = z.strictObject({
  session_id,
  turn_index: z.int().optional().describe('number of the turn, from 0; -1 is the last'),
  from_step: z.int().optional().describe('first step to show; -3 shows the last 3'),
  around_event: z.int().optional().describe('show the steps around this event, in whichever turn it is'),
});

export const getTurnSteps = operation<SessionServices>()({
  name: 'get_turn_steps',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Steps of a turn: reasoning, message, tool calls with results.',
  input: getTurnStepsInput,
  data: turnStepsSchema,
  limit: { default: 20, max: 100 },
  rows: 'steps',
  aliases: {
    ...SESSION_ALIASES,
    turn: 'turn_index',
    step: 'from_step',
    event: 'around_event',
    event_index: 'around_event',
  },
  http: 'GET /api/agent-sessions/{session_id}/turns/{turn_index}/steps',
  command: {
    words: 'sessions steps',
    positional: ['session_id', 'turn_index'],
    examples: [
      'pinhole sessions steps fb3cff44 2',
      'pinhole sessions steps fb3cff44 --turn-index=-1 --from-step=-3',
    ],
  },

  async run(input, { sessions, after, limit, caller, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(input.session_id);
    const id = await sessions.list.shortId(session.id);
    const { turn, first } = await startOf(input, sessions, session);
    const begin = typeof after === 'number' ? after : first - 1;
    const read = async (last: number) => {
      const steps = await sessions.turns.steps(session, turn, last, STEPS_PER_READ);
      return Promise.all(steps.map((step) => stepCard(sessions, session, step, caller)));
    };
    const head = await read(begin);
    async function* rows(): AsyncGenerator<StepCard> {
      yield* head;
      for (let last = begin + STEPS_PER_READ; last < turn.steps - 1; last += STEPS_PER_READ)
        yield* await read(last);
    }
    const shown = head.slice(0, limit);
    const cut = shown.map((step) => eventOfCut(step)).find((event) => event !== undefined);
    return page<StepCard, TurnSteps>({
      rows: rows(),
      position: (step) => step.step_index,
      total: begin < 0 ? turn.steps : undefined,
      shape: (steps) => ({ session_id: id, turn_index: turn.index, total_steps: turn.steps, steps }),
      next: cut === undefined ? undefined : [callEventDetails({ session_id: id, event_index: cut })],
      whole: (step) => callEventDetails({ session_id: id, event_index: step.event_index }),
      link: url(pageLinks.session(id, { turn: turn.index })),
      meta,
    });
  },

  text: stepsText,
});

interface Start {
  readonly turn: TurnSummary;
  readonly first: number;
}

/** The requested turn, and the first step to show. */
async function startOf(
  input: z.output<typeof getTurnStepsInput>,
  sessions: Sessions,
  session: SessionRow,
): Promise<Start> {
  const { turn_index, from_step, around_event } = input;
  if (around_event !== undefined) {
    const event = await sessions.events.at(session, fromEnd(around_event, session.events));
    const turn = await sessions.turns.at(session, Math.max(0, event.turn));
    return { turn, first: Math.max(0, event.step - 1) };
  }
  if (turn_index === undefined)
    fail('invalid_parameter', inputMessage`Give ${{ input: 'turn_index' }} or ${{ input: 'around_event' }}.`);
  const turn = await sessions.turns.at(session, fromEnd(turn_index, session.turns));
  return { turn, first: Math.max(0, fromEnd(from_step ?? 0, turn.steps)) };
}

/** A negative number counts from the end. */
function fromEnd(number: number, count: number): number {
  return number < 0 ? count + number : number;
}

/** The event with the full text, if a step shows only its beginning. */
function eventOfCut({ message_events, reasoning_events, tools }: StepCard): number | undefined {
  for (const tool of tools) {
    if (isCut(tool.result)) return tool.result_event;
    if (isCut(tool.arguments)) return tool.event_index;
  }
  return message_events?.[0] ?? reasoning_events?.[0];
}
