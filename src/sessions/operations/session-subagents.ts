import { z } from 'zod';
import { countOf, shortCount } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import type { Sessions } from '../sessions.ts';
import type { Subagent } from '../store/subagents.ts';
import { durationSeconds, iso, SESSION_ALIASES, type SessionServices, sessionId, snip } from './shared.ts';

/** A subagent at the place where it was started. */
export interface SubagentCard {
  readonly id: string;
  readonly name?: string | undefined;
  readonly task: string;
  readonly model?: string | undefined;
  readonly turn: number;
  /** Where the call that started it is known. */
  readonly step?: number | undefined;
  readonly event?: number | undefined;
  readonly start_time: string;
  readonly duration_seconds: number;
  readonly turns: number;
  readonly tool_calls: number;
  readonly failures: number;
  readonly total_tokens: number;
  /** How its last turn ended. */
  readonly outcome?: string | undefined;
  /** How many it started itself. */
  readonly subagents?: number | undefined;
}

interface SessionSubagents {
  readonly session_id: string;
  readonly subagents: readonly SubagentCard[];
}

/** More would not be asked for at once. */
const ALL = 30_000;

/** For pictures and lists that go on: a summary names the first of them. */
export const sessionSubagents = operation<SessionServices>()({
  name: 'session_subagents',
  toolset: undefined,
  readOnly: true,
  summary: 'Sessions that a session started, in the order of their beginning, with the calls that did.',
  input: z.strictObject({ session_id: sessionId }),
  limit: { default: 100, max: 500 },
  rows: 'subagents',
  columns: [
    'id',
    'name',
    'task',
    'model',
    'turn',
    'step',
    'event',
    'start_time',
    'duration_seconds',
    'turns',
    'tool_calls',
    'failures',
    'total_tokens',
    'outcome',
    'subagents',
  ],
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/subagents',

  async run({ session_id }, { sessions }) {
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const agents = await sessions.list.subagents(session, ALL);
    const cards = await Promise.all(agents.map((agent) => subagentCard(sessions, agent)));
    return page<SubagentCard, SessionSubagents>({
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
          `${id}  ${name ?? 'subagent'}  ${countOf(tool_calls, 'call')}, ${shortCount(total_tokens)} tokens`,
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
    task: snip(session.title ?? session.snippet, 160),
    model: session.model,
    turn,
    step: call?.step,
    event: call?.event,
    start_time: iso(session.startMs),
    duration_seconds: durationSeconds(session),
    turns: session.turns,
    tool_calls: session.toolCalls,
    failures: session.failures,
    total_tokens: session.totalTokens,
    outcome,
    subagents: children || undefined,
  };
}
