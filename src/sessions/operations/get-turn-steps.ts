import { z } from 'zod';
import { shortCount } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { Sessions } from '../sessions.ts';
import type { Step } from '../store/step-store.ts';
import { cut, freshness, SESSION_ALIASES, type SessionServices, sessionId, snip } from './shared.ts';

interface ToolCard {
  readonly name: string;
  readonly arguments: string;
  readonly result?: string | undefined;
  readonly status: string;
  readonly exit_code?: number | undefined;
  readonly event_index: number;
  readonly result_event?: number | undefined;
  /** The session that the call started. */
  readonly subagent?: string | undefined;
}

export interface StepCard {
  readonly step_index: number;
  readonly event_index: number;
  readonly reasoning?: string | undefined;
  readonly message?: string | undefined;
  /** Where a text was cut: the events that have it whole. */
  readonly reasoning_events?: readonly number[] | undefined;
  readonly message_events?: readonly number[] | undefined;
  readonly tools: readonly ToolCard[];
  readonly tokens: number;
}

export interface Steps {
  readonly session_id: string;
  readonly turn_index: number;
  readonly steps: readonly StepCard[];
}

const TEXT = 500;
/** Steps are taken from the index in portions: a page shows few of them. */
const PORTION = 16;

export const getTurnStepsInput = z.strictObject({ session_id: sessionId, turn_index: z.int().min(0) });

export const getTurnSteps = operation<SessionServices>()({
  name: 'get_turn_steps',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Steps of a turn: reasoning, message, tool calls with results.',
  input: getTurnStepsInput,
  limit: { default: 20, max: 100 },
  rows: 'steps',
  columns: [
    'step_index',
    'event_index',
    'reasoning',
    'message',
    'reasoning_events',
    'message_events',
    'tools',
    'tokens',
  ],
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
      for (let last = typeof after === 'number' ? after : -1; last < turn.steps - 1; last += PORTION) {
        for (const step of await sessions.turns.steps(session, turn, last, PORTION))
          yield await stepCard(sessions, step);
      }
    }
    return page<StepCard, Steps>({
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

/** Steps as indented lines. */
export function stepsText({ session_id, turn_index, steps }: Steps): string {
  const lines = [`${session_id}  turn ${turn_index}`];
  for (const step of steps) {
    lines.push(`${turn_index}.${step.step_index} e${step.event_index}  ${shortCount(step.tokens)} tok`);
    if (step.reasoning) lines.push(`  thinks: ${snip(step.reasoning, 300)}`);
    if (step.message) lines.push(`  says: ${snip(step.message, 300)}`);
    for (const tool of step.tools) {
      const code = tool.exit_code === undefined ? '' : ` exit ${tool.exit_code}`;
      const started = tool.subagent === undefined ? '' : ` → ${tool.subagent}`;
      lines.push(
        `  e${tool.event_index} ${tool.name} ${snip(tool.arguments, 200)}  ${tool.status}${code}${started}`,
      );
      if (tool.result) lines.push(`    ${snip(tool.result, 200)}`);
    }
  }
  return lines.join('\n');
}

/** One step with its long texts cut. */
export async function stepCard(sessions: Sessions, step: Step): Promise<StepCard> {
  return {
    step_index: step.index,
    event_index: step.event,
    reasoning: step.reasoning === undefined ? undefined : cut(step.reasoning, TEXT),
    message: step.message === undefined ? undefined : cut(step.message, TEXT),
    reasoning_events: (step.reasoning?.length ?? 0) > TEXT ? step.reasoningEvents : undefined,
    message_events: (step.message?.length ?? 0) > TEXT ? step.messageEvents : undefined,
    tools: await Promise.all(
      step.tools.map(async (tool) => ({
        name: tool.name,
        arguments: cut(tool.arguments, TEXT),
        result: tool.result === undefined || tool.result === '' ? undefined : cut(tool.result, TEXT),
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
