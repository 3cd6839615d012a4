import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { TOOL_STATUSES } from '../model/event.ts';
import type { SessionServices } from '../services.ts';
import { roomFor } from './room.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';

const column = z.array(z.number());
const STATUSES: readonly string[] = TOOL_STATUSES;

/** Columns of the same length: entry `i` of each belongs to the same call or response. */
const timelineSchema = z.object({
  session_id: z.string(),
  context_window: z.int().optional().describe('assumed from the agent where the log does not say'),
  names: z.array(z.string()).describe('tool names, by the numbers in calls.name'),
  kinds: z.array(z.string()).describe('kinds of tools, by the numbers in calls.kind'),
  calls: z.object({
    event: column,
    turn: column,
    step: column,
    name: column,
    kind: column,
    status: column.describe(STATUSES.map((status, number) => `${number} ${status}`).join(', ')),
    time: column,
    duration: column.describe('milliseconds; -1 where it is not known'),
  }),
  responses: z.object({
    event: column,
    turn: column,
    step: column,
    time: column,
    context: column,
    output: column,
  }),
});

/** The size of a call or response as JSON, with some margin; what does not fit is omitted at the end. */
const MARK_BYTES = 60;

/** A column of numbers has no empty cells. */
const UNKNOWN_DURATION = -1;

/** For charts; agents read turns and steps. */
export const sessionTimeline = operation<SessionServices>()({
  name: 'session_timeline',
  toolset: undefined,
  readOnly: true,
  summary: 'Timeline data: the tool calls and responses of a session in order, column by column.',
  input: z.strictObject({ session_id }),
  data: timelineSchema,
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/timeline',

  async run({ session_id }, { sessions, budget, caller }) {
    const session = await sessions.list.find(session_id);
    const timeline = await sessions.analysis.timeline(session);
    const most = Math.floor(roomFor(caller, budget) / 2 / MARK_BYTES);
    const calls = timeline.calls.slice(0, most);
    const responses = timeline.responses.slice(0, most);
    const names = [...new Set(calls.map((call) => call.name))];
    const kinds = [...new Set(calls.map((call) => call.kind))];
    return single<ReadonlyData<typeof timelineSchema>>({
      session_id: await sessions.list.shortId(session.id),
      context_window: session.contextWindow ?? sessions.usage.assumedWindow(session),
      names,
      kinds,
      calls: {
        event: calls.map((call) => call.event),
        turn: calls.map((call) => call.turn),
        step: calls.map((call) => call.step),
        name: calls.map((call) => names.indexOf(call.name)),
        kind: calls.map((call) => kinds.indexOf(call.kind)),
        status: calls.map((call) => STATUSES.indexOf(call.status)),
        time: calls.map((call) => call.ms),
        duration: calls.map((call) => call.tookMs ?? UNKNOWN_DURATION),
      },
      responses: {
        event: responses.map((response) => response.event),
        turn: responses.map((response) => response.turn),
        step: responses.map((response) => response.step),
        time: responses.map((response) => response.ms),
        context: responses.map((response) => response.context),
        output: responses.map((response) => response.output),
      },
    });
  },

  text: ({ session_id, calls, responses }) =>
    `${session_id}  ${countOf(calls.event.length, 'call')}, ${countOf(responses.event.length, 'response')}`,
});
