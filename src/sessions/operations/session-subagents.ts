import { z } from 'zod';
import { countOf, shortCount } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { Subagent } from '../store/subagents.ts';
import { DURATION, durationSeconds } from './recorded-times.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { iso, snip } from './session-text.ts';

const subagentCardSchema = z.object({
  id: z.string(),
  name: z.string().optional(),
  task: z.string(),
  model: z.string().optional(),
  turn: z.int().describe('the turn in which it was started'),
  step: z.int().optional().describe('of the call that started it, if that is known'),
  event: z.int().optional().describe('of the call that started it, if that is known'),
  start_time: z.string(),
  duration_seconds: DURATION,
  turns: z.int(),
  tool_calls: z.int(),
  failures: z.int(),
  total_tokens: z.int().optional().describe('absent if the log has none'),
  outcome: z.string().optional().describe('how its last turn ended'),
  subagents: z.int().optional().describe('how many subagents it started itself'),
});

const subagentsSchema = z.object({ session_id: z.string(), subagents: z.array(subagentCardSchema) });

type SubagentCard = ReadonlyData<typeof subagentCardSchema>;

/** More than anyone reads. */
const MAX_SUBAGENTS = 30_000;
const MAX_TASK_LENGTH = 160;

/** The whole list; a summary shows only its beginning. */
export const sessionSubagents = operation<SessionServices>()({
  name: 'session_subagents',
  toolset: undefined,
  readOnly: true,
  summary: 'Subagents of a session, oldest first, with the call that started each.',
  input: z.strictObject({ session_id }),
  data: subagentsSchema,
  limit: { default: 100, max: 500 },
  rows: 'subagents',
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/subagents',

  async run({ session_id }, { sessions }) {
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const agents = await sessions.list.subagents(session, MAX_SUBAGENTS);
    const cards = await Promise.all(agents.map((agent) => subagentCard(sessions, agent)));
    return page<SubagentCard, ReadonlyData<typeof subagentsSchema>>({
      rows: cards,
      position: (card) => card.id,
      shape: (subagents) => ({ session_id: id, subagents }),
      total: cards.length,
      keep: {},
    });
  },

  text: ({ subagents }) =>
    subagents
      .map(
        ({ id, name, tool_calls, total_tokens }) =>
          `${id}  ${name ?? 'subagent'}  ${countOf(tool_calls, 'call')}${total_tokens === undefined ? '' : `, ${shortCount(total_tokens)} tok`}`,
      )
      .join('\n') || 'No subagents.',
});

async function subagentCard(
  sessions: Sessions,
  { session, turn, call, children, outcome }: Subagent,
): Promise<SubagentCard> {
  return {
    id: await sessions.list.shortId(session.id),
    name: session.agentName,
    task: snip(session.title ?? session.snippet, MAX_TASK_LENGTH),
    model: session.model,
    turn,
    step: call?.step,
    event: call?.event,
    start_time: iso(session.startMs),
    duration_seconds: durationSeconds(session, sessions, session),
    turns: session.turns,
    tool_calls: session.toolCalls,
    failures: session.failures,
    total_tokens: session.totalTokens || undefined,
    outcome,
    subagents: children || undefined,
  };
}
