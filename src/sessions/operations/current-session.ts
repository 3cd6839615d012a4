import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { agoText, columns, countOf, shortCount } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { FLAG } from '../model/event-rows.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { assumedWindow } from '../tokens/windows.ts';
import {
  freshness,
  iso,
  projectOf,
  SESSION_ALIASES,
  type SessionServices,
  sessionId,
  snip,
} from './shared.ts';

interface RecentEvent {
  readonly event_index: number;
  readonly time: string;
  readonly event_type: string;
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly preview: string;
}

export interface CurrentSession {
  readonly session_id: string;
  readonly provider: string;
  readonly model?: string | undefined;
  readonly project?: string | undefined;
  readonly last_time: string;
  readonly context: {
    readonly tokens: number;
    readonly window?: number | undefined;
    /** The client does not say how large the context is: the usual size is meant. */
    readonly assumed?: true | undefined;
  };
  readonly totals: {
    readonly turns: number;
    readonly tool_calls: number;
    readonly failures: number;
    readonly tokens: number;
  };
  readonly turn?:
    | {
        readonly turn_index: number;
        readonly user_message: string;
        readonly outcome: string;
        readonly step_count: number;
        readonly tools: Readonly<Record<string, number>>;
        readonly failed_tools: number;
        readonly tokens: number;
      }
    | undefined;
  readonly recent: readonly RecentEvent[];
}

const RECENT = 10;
/** Looked through from the end for events worth showing. */
const LOOKED_AT = 80;

/** For people: `pinhole watch` shows this once a second. */
export const currentSession = operation<SessionServices>()({
  name: 'current_session',
  toolset: undefined,
  readOnly: true,
  summary: 'The session that was last written to: context in use, current turn, last events.',
  input: z.strictObject({ session_id: sessionId.optional(), project: z.string().optional() }),
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-current',
  command: { words: 'sessions now', examples: ['pinhole sessions now', 'pinhole sessions now --project .'] },
  perMinute: 600,

  async run({ session_id, project }, { sessions, caller }) {
    const meta = await freshness(sessions);
    const folder = projectOf(project, caller);
    const session =
      session_id === undefined
        ? await sessions.list.latest(folder, undefined)
        : await sessions.list.find(session_id);
    if (session === undefined)
      fail('session_not_found', 'There is no session yet; start an agent, or look at sessions doctor.');
    const [turn] = await sessions.turns.after(session, session.turns - 2, 1);
    const data: CurrentSession = {
      session_id: await sessions.list.shortId(session.id),
      provider: session.provider,
      model: session.model,
      project: session.projectPath,
      last_time: iso(session.endMs),
      context: contextOf(session),
      totals: {
        turns: session.turns,
        tool_calls: session.toolCalls,
        failures: session.failures,
        tokens: session.totalTokens,
      },
      turn:
        turn === undefined
          ? undefined
          : {
              turn_index: turn.index,
              user_message: snip(turn.prompt, 200),
              outcome: turn.outcome,
              step_count: turn.steps,
              tools: Object.fromEntries(turn.tools.slice(0, 8)),
              failed_tools: turn.failed,
              tokens: turn.tokens,
            },
      recent: await recentEvents(sessions, session),
    };
    return single(data, { meta });
  },

  text: (data, { now }) => {
    const { context, totals, turn } = data;
    const where = [data.provider, data.model, data.project].filter((word) => word !== undefined);
    const lines = [
      `${data.session_id}  ${where.join('  ')}  last record ${agoText(Date.parse(data.last_time), now)}`,
      `context   ${contextBar(context)}`,
      `session   ${countOf(totals.turns, 'turn')}, ${countOf(totals.tool_calls, 'call')}${failedText(totals.failures)}, ${shortCount(totals.tokens)} tok`,
    ];
    if (turn !== undefined) {
      const tools = Object.entries(turn.tools).map(([name, times]) => `${name} ${times}`);
      const what = [countOf(turn.step_count, 'step'), ...tools, `${shortCount(turn.tokens)} tok`];
      lines.push(
        `turn ${String(turn.turn_index).padEnd(4)} ${what.join(', ')}${failedText(turn.failed_tools)}  ${turn.outcome}`,
        `          "${snip(turn.user_message, 120)}"`,
      );
    }
    const recent = data.recent.map((event) => [
      `e${event.event_index}`,
      event.time.slice(11, 19),
      speaker(event),
      event.status === undefined || event.status === 'ok' ? '' : event.status,
      snip(event.preview, 160),
    ]);
    return [...lines, '', columns(recent, [0])].join('\n');
  },
});

function failedText(failed: number): string {
  return failed === 0 ? '' : ` (${failed} failed)`;
}

const SPEAKERS: Readonly<Record<string, string>> = {
  user: 'you',
  message: 'says',
  reasoning: 'thinks',
  notification: 'note',
};

/** Who speaks: a person, the model, or a tool. */
function speaker({ event_type, name }: RecentEvent): string {
  if (name === undefined) return SPEAKERS[event_type] ?? event_type;
  return event_type === 'tool_result' ? `${name} →` : name;
}

function contextOf({
  provider,
  contextTokens: tokens,
  contextWindow,
}: SessionRow): CurrentSession['context'] {
  if (contextWindow !== undefined) return { tokens, window: contextWindow };
  const window = assumedWindow(provider, tokens);
  return window === undefined ? { tokens } : { tokens, window, assumed: true };
}

const BAR = 30;

function contextBar({ tokens, window, assumed }: CurrentSession['context']): string {
  if (window === undefined || window <= 0) return `${shortCount(tokens)} tok in the last request`;
  const share = Math.min(1, tokens / window);
  const full = Math.round(share * BAR);
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
  return `${bar} ${Math.round(100 * share)} %  ${shortCount(tokens)} of ${assumed === true ? 'about ' : ''}${shortCount(window)}`;
}

async function recentEvents(sessions: Sessions, session: SessionRow): Promise<readonly RecentEvent[]> {
  const last = session.events - 1;
  const first = Math.max(0, last - LOOKED_AT);
  const events = (await sessions.events.range(session, first, last)).filter(
    (event) => (event.flags & (FLAG.mirror | FLAG.silent)) === 0,
  );
  const texts = await sessions.events.texts(session, first, last);
  return events.slice(-RECENT).map((event) => {
    const text = texts.get(event.index) ?? '';
    return {
      event_index: event.index,
      time: iso(event.ms),
      event_type: event.type,
      name: event.name,
      status: event.status,
      preview: snip(
        event.name !== undefined && text.startsWith(`${event.name} `)
          ? text.slice(event.name.length + 1)
          : text,
        160,
      ),
    };
  });
}
