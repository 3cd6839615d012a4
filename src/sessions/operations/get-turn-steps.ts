import { z } from 'zod';
import { shortCount } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { Step } from '../store/step-store.ts';
import { freshness } from './index-freshness.ts';
import { SESSION_ALIASES, session_id, turn_index } from './session-inputs.ts';
import { cut, snip } from './session-text.ts';

const callCardSchema = z.object({
  name: z.string(),
  arguments: z.string(),
  result: z.string().optional(),
  status: z.string(),
  exit_code: z.int().optional(),
  event_index: z.int(),
  result_event: z.int().optional(),
  subagent: z.string().optional().describe('the session that the call started'),
});

const eventsWithWholeText = z
  .array(z.int())
  .optional()
  .describe('set if the text was cut: events with all of it');

export const stepCardSchema = z.object({
  step_index: z.int(),
  event_index: z.int(),
  reasoning: z.string().optional(),
  message: z.string().optional(),
  reasoning_events: eventsWithWholeText,
  message_events: eventsWithWholeText,
  tools: z.array(callCardSchema),
  tokens: z.int(),
});

export const turnStepsSchema = z.object({
  session_id: z.string(),
  turn_index: z.int(),
  steps: z.array(stepCardSchema),
});

export type StepCard = ReadonlyData<typeof stepCardSchema>;
type TurnSteps = ReadonlyData<typeof turnStepsSchema>;

/** Characters of a reasoning, message, argument or result. */
const MAX_TEXT = 500;
/** Characters of the same on one line of text. */
const MAX_PROSE_LINE = 300;
const MAX_CALL_LINE = 200;
/** Steps are read from the index in portions, since a page shows few of them. */
export const STEPS_PER_READ = 16;

export const getTurnStepsInput = z.strictObject({ session_id, turn_index });

export const getTurnSteps = operation<SessionServices>()({
  name: 'get_turn_steps',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Steps of a turn: reasoning, message, tool calls with results.',
  input: getTurnStepsInput,
  data: turnStepsSchema,
  limit: { default: 20, max: 100 },
  rows: 'steps',
  aliases: { ...SESSION_ALIASES, turn: 'turn_index' },
  http: 'GET /api/agent-sessions/{session_id}/turns/{turn_index}/steps',
  command: {
    words: 'sessions steps',
    positional: ['session_id', 'turn_index'],
    examples: ['pinhole sessions steps fb3cff44 2'],
  },

  async run({ session_id, turn_index }, { sessions, after, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const turn = await sessions.turns.at(session, turn_index);
    async function* rows(): AsyncGenerator<StepCard> {
      for (let last = typeof after === 'number' ? after : -1; last < turn.steps - 1; last += STEPS_PER_READ) {
        for (const step of await sessions.turns.steps(session, turn, last, STEPS_PER_READ))
          yield await stepCard(sessions, step);
      }
    }
    return page<StepCard, TurnSteps>({
      rows: rows(),
      position: (step) => step.step_index,
      total: turn.steps,
      shape: (steps) => ({ session_id: id, turn_index, steps }),
      whole: (step) => callEventDetails({ session_id: id, event_index: step.event_index }),
      link: url(pageLinks.session(id, { turn: turn_index })),
      meta,
    });
  },

  text: stepsText,
});

function stepsText({ session_id, turn_index, steps }: TurnSteps): string {
  const lines = [`${session_id}  turn ${turn_index}`];
  for (const step of steps) {
    lines.push(`${turn_index}.${step.step_index} e${step.event_index}  ${shortCount(step.tokens)} tok`);
    if (step.reasoning) lines.push(`  thinks: ${snip(step.reasoning, MAX_PROSE_LINE)}`);
    if (step.message) lines.push(`  says: ${snip(step.message, MAX_PROSE_LINE)}`);
    for (const tool of step.tools) {
      const code = tool.exit_code === undefined ? '' : ` exit ${tool.exit_code}`;
      const started = tool.subagent === undefined ? '' : ` → ${tool.subagent}`;
      lines.push(
        `  e${tool.event_index} ${tool.name} ${snip(tool.arguments, MAX_CALL_LINE)}  ${tool.status}${code}${started}`,
      );
      if (tool.result) lines.push(`    ${snip(tool.result, MAX_CALL_LINE)}`);
    }
  }
  return lines.join('\n');
}

/** A step with its long texts cut. */
export async function stepCard(sessions: Sessions, step: Step): Promise<StepCard> {
  return {
    step_index: step.index,
    event_index: step.event,
    reasoning: step.reasoning === undefined ? undefined : cut(step.reasoning, MAX_TEXT),
    message: step.message === undefined ? undefined : cut(step.message, MAX_TEXT),
    reasoning_events: (step.reasoning?.length ?? 0) > MAX_TEXT ? step.reasoningEvents : undefined,
    message_events: (step.message?.length ?? 0) > MAX_TEXT ? step.messageEvents : undefined,
    tools: await Promise.all(
      step.tools.map(async (tool) => ({
        name: tool.name,
        arguments: cut(tool.arguments, MAX_TEXT),
        result: tool.result === undefined || tool.result === '' ? undefined : cut(tool.result, MAX_TEXT),
        status: tool.status,
        exit_code: tool.exitCode,
        event_index: tool.event,
        result_event: tool.resultEvent,
        subagent: tool.agent === undefined ? undefined : await sessions.list.shortId(tool.agent),
      })),
    ),
    tokens: step.tokens,
  };
}
