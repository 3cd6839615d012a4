import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import { SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';

/** Columns of the same length; place `i` of each belongs to the same call or response. */
interface SessionTimeline {
  readonly session_id: string;
  readonly context_window?: number | undefined;
  /** Names and kinds by number. */
  readonly names: readonly string[];
  readonly kinds: readonly string[];
  readonly calls: {
    readonly event: readonly number[];
    readonly turn: readonly number[];
    readonly step: readonly number[];
    readonly name: readonly number[];
    readonly kind: readonly number[];
    /** 0 ok, 1 failed, 2 cancelled, 3 pending. */
    readonly status: readonly number[];
    readonly time: readonly number[];
  };
  readonly responses: {
    readonly event: readonly number[];
    readonly turn: readonly number[];
    readonly step: readonly number[];
    readonly time: readonly number[];
    readonly context: readonly number[];
    readonly output: readonly number[];
  };
}

const STATUSES = ['ok', 'failed', 'cancelled', 'pending'];
/** So many bytes of JSON a mark takes; what does not fit the caller's budget is left out at the end. */
const MARK_BYTES = 48;

/** For pictures: an agent reads turns and steps. */
export const sessionTimeline = operation<SessionServices>()({
  name: 'session_timeline',
  toolset: undefined,
  readOnly: true,
  summary: 'Tool calls and responses of a session in order, as columns: what a picture of it shows.',
  input: z.strictObject({ session_id: sessionId }),
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/timeline',

  async run({ session_id }, { sessions, caller }) {
    const session = await sessions.list.find(session_id);
    const timeline = await sessions.analysis.timeline(session);
    const most = Math.floor((caller.budget * 0.4) / MARK_BYTES);
    const calls = timeline.calls.slice(0, most);
    const responses = timeline.responses.slice(0, most);
    const names = [...new Set(calls.map((call) => call.name))];
    const kinds = [...new Set(calls.map((call) => call.kind))];
    return single<SessionTimeline>({
      session_id: await sessions.list.shortId(session.id),
      context_window: session.contextWindow,
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
    `${session_id}  ${calls.event.length} calls, ${responses.event.length} responses`,
});
