import { z } from 'zod';
import type { Caller } from '../../contract/caller.ts';
import type { ReadonlyData } from '../../contract/operation.ts';
import { redact } from '../../contract/redact.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { Step, StepTool } from '../store/step-store.ts';
import { argumentsOf } from './event-text.ts';
import { cut, tokenSplit } from './session-text.ts';

const callCardSchema = z.object({
  name: z.string(),
  arguments: z.string().describe('JSON, unless it ends with …[+N bytes]'),
  result: z.string().optional(),
  status: z.string(),
  exit_code: z.int().optional(),
  event_index: z.int(),
  result_event: z.int().optional(),
  subagent: z.string().optional().describe('the session that the call started'),
  duration_ms: z.int().optional().describe('on the page only'),
});

const eventsWithWholeText = z
  .array(z.int())
  .optional()
  .describe('set if the text was cut: events with all of it');

export const stepCardSchema = z.object({
  step_index: z.int(),
  event_index: z.int().describe('what the model said, or its first event if it said nothing'),
  reasoning: z.string().optional(),
  message: z.string().optional(),
  reasoning_events: eventsWithWholeText,
  message_events: eventsWithWholeText,
  tools: z.array(callCardSchema),
  tokens: z.int().optional(),
  input_tokens: z.int().optional(),
  cached_tokens: z.int().optional(),
  output_tokens: z.int().optional(),
  cost_usd: z.number().optional().describe('on the page only, estimated from list prices'),
});

export type StepCard = ReadonlyData<typeof stepCardSchema>;
export type CallCard = StepCard['tools'][number];

/** Characters of a reasoning, message, argument or result. */
const MAX_TEXT_LENGTH = 500;
/** On the page, whole paragraphs should be readable without another call. */
const MAX_TEXT_LENGTH_ON_PAGE = 4_000;

/** A step with long texts shortened. */
export async function stepCard(
  sessions: Sessions,
  session: SessionRow,
  step: Step,
  caller: Pick<Caller, 'door'>,
): Promise<StepCard> {
  const onPage = caller.door === 'page';
  const most = onPage ? MAX_TEXT_LENGTH_ON_PAGE : MAX_TEXT_LENGTH;
  return {
    step_index: step.index,
    event_index: step.event,
    reasoning: step.reasoning === undefined ? undefined : cut(step.reasoning, most),
    message: step.message === undefined ? undefined : cut(step.message, most),
    reasoning_events: (step.reasoning?.length ?? 0) > most ? step.reasoningEvents : undefined,
    message_events: (step.message?.length ?? 0) > most ? step.messageEvents : undefined,
    tools: await Promise.all(step.tools.map((tool) => callCard(sessions, session, tool, caller))),
    tokens: step.tokens || undefined,
    ...tokenSplit(step.usage),
    cost_usd: onPage && step.cost !== undefined ? Number(step.cost.toFixed(5)) : undefined,
  };
}

async function callCard(
  sessions: Sessions,
  session: SessionRow,
  tool: StepTool,
  caller: Pick<Caller, 'door'>,
): Promise<CallCard> {
  return {
    name: tool.name,
    arguments: cut(await argumentsText(sessions, session, tool, caller), MAX_TEXT_LENGTH),
    result: tool.result === undefined || tool.result === '' ? undefined : cut(tool.result, MAX_TEXT_LENGTH),
    status: tool.status,
    exit_code: tool.exitCode,
    event_index: tool.event,
    result_event: tool.resultEvent,
    subagent: tool.agent === undefined ? undefined : await sessions.list.shortId(tool.agent),
    duration_ms: caller.door === 'page' ? tool.ms : undefined,
  };
}

/** Arguments as JSON. People see them without escapes, as does everyone when the log is gone. */
async function argumentsText(
  sessions: Sessions,
  session: SessionRow,
  tool: StepTool,
  { door }: Pick<Caller, 'door'>,
): Promise<string> {
  if (door === 'page') return tool.arguments;
  const [event] = await sessions.events.range(session, tool.event, tool.event);
  const args = event === undefined ? undefined : await argumentsOf(sessions, session, event);
  return args === undefined ? tool.arguments : redact(JSON.stringify(args));
}

/** Whether a text of a card was cut. */
export function isCut(text: string | undefined): boolean {
  return text !== undefined && /…\[\+\d+ bytes\]$/.test(text);
}
