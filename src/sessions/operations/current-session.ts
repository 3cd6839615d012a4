import { z } from 'zod';
import { gauge } from '../../contract/bar.ts';
import { fail } from '../../contract/errors.ts';
import { agoText, columns, countOf, shortCount } from '../../contract/format.ts';
import type { TextStyle } from '../../contract/operation.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { callSessionsDoctor } from '../calls.ts';
import { FLAG } from '../model/event-rows.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { freshness } from './index-freshness.ts';
import { machine, person, project, projectOf, SESSION_ALIASES, session_id } from './session-inputs.ts';
import { countedTokens, failedText, iso, snip } from './session-text.ts';

const recentEventSchema = z.object({
  event_index: z.int(),
  timestamp: z.string(),
  event_type: z.string(),
  name: z.string().optional(),
  status: z.string().optional(),
  preview: z.string(),
});

const contextSchema = z.object({
  tokens: z.int().optional(),
  window: z.int().optional(),
  assumed: z
    .literal(true)
    .optional()
    .describe('the log does not say how large the window is: the usual size'),
});

const currentSessionSchema = z.object({
  session_id: z.string(),
  provider: z.string(),
  model: z.string().optional(),
  project: z.string().optional(),
  last_activity: z.string(),
  context: contextSchema,
  totals: z.object({ turns: z.int(), tool_calls: z.int(), failures: z.int(), tokens: z.int().optional() }),
  turn: z
    .object({
      turn_index: z.int(),
      user_message: z.string(),
      outcome: z.string(),
      step_count: z.int(),
      tools: z.record(z.string(), z.int()),
      failed_tools: z.int(),
      tokens: z.int().optional(),
    })
    .optional(),
  recent: z.array(recentEventSchema),
});

type RecentEvent = ReadonlyData<typeof recentEventSchema>;
type ContextUse = ReadonlyData<typeof contextSchema>;
type CurrentSession = ReadonlyData<typeof currentSessionSchema>;

const RECENT_EVENTS = 10;
/** How many events, from the end, are searched for ones worth showing. */
const EVENTS_SEARCHED = 80;
const MAX_PROMPT_LENGTH = 200;
const MAX_PROMPT_LENGTH_IN_TEXT = 120;
const MAX_PREVIEW_LENGTH = 160;
const MAX_TOOLS = 8;

/** For people: `pinhole watch` shows this every second. */
export const currentSession = operation<SessionServices>()({
  name: 'current_session',
  toolset: undefined,
  readOnly: true,
  summary: 'The most recently active session: context in use, current turn, latest events.',
  input: z.strictObject({
    session_id: session_id.optional(),
    project: project.optional(),
    machine: machine.optional(),
    person: person.optional(),
  }),
  data: currentSessionSchema,
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-current',
  command: { words: 'sessions now', examples: ['pinhole sessions now', 'pinhole sessions now --project .'] },
  perMinute: 600,

  async run({ session_id, project, machine, person }, { sessions, caller }) {
    const meta = await freshness(sessions);
    const session =
      session_id === undefined
        ? await sessions.list.latest({ project: projectOf(project, caller), machine, person })
        : await sessions.list.find(session_id);
    if (session === undefined)
      fail('session_not_found', 'No session found. Start an agent, or check which log folders are read.', {
        next: callSessionsDoctor({}),
      });
    const [turn] = await sessions.turns.after(session, session.turns - 2, 1);
    const data: CurrentSession = {
      session_id: await sessions.list.shortId(session.id),
      provider: session.provider,
      model: session.model,
      project: session.projectPath,
      last_activity: iso(session.endMs),
      context: contextOf(sessions, session),
      totals: {
        turns: session.turns,
        tool_calls: session.toolCalls,
        failures: session.failures,
        tokens: countedTokens(session, session.totalTokens),
      },
      turn:
        turn === undefined
          ? undefined
          : {
              turn_index: turn.index,
              user_message: snip(turn.prompt, MAX_PROMPT_LENGTH),
              outcome: turn.outcome,
              step_count: turn.steps,
              tools: Object.fromEntries(turn.tools.slice(0, MAX_TOOLS)),
              failed_tools: turn.failed,
              tokens: countedTokens(session, turn.tokens),
            },
      recent: await recentEvents(sessions, session),
    };
    return single(data, { meta });
  },

  text: (data, { now, terminal, paint }) => {
    const { context, totals, turn } = data;
    const where = [data.provider, data.model, data.project].filter((word) => word !== undefined);
    const lines = [
      paint(
        'heading',
        `${data.session_id}  ${where.join('  ')}  last active ${agoText(Date.parse(data.last_activity), now)}`,
      ),
      `context   ${contextBar(context, terminal)}`,
      `session   ${countOf(totals.turns, 'turn')}, ${countOf(totals.tool_calls, 'call')}${failedText(totals.failures)}${tokensText(totals.tokens)}`,
    ];
    if (turn !== undefined) {
      const tools = Object.entries(turn.tools).map(([name, times]) => `${name} ${times}`);
      const what = [countOf(turn.step_count, 'step'), ...tools];
      lines.push(
        `turn ${String(turn.turn_index).padEnd(4)} ${what.join(', ')}${tokensText(turn.tokens)}${failedText(turn.failed_tools)}  ${turn.outcome}`,
        `          "${snip(turn.user_message, MAX_PROMPT_LENGTH_IN_TEXT)}"`,
      );
    }
    const recent = data.recent.map((event) => {
      const bad = event.status === 'failed' || event.status === 'cancelled';
      const cells = [
        `e${event.event_index}`,
        event.timestamp.slice(11, 19),
        speaker(event),
        event.status === undefined || event.status === 'ok' ? '' : event.status,
        snip(event.preview, MAX_PREVIEW_LENGTH),
      ];
      return bad ? cells.map((cell) => paint('problem', cell)) : cells;
    });
    return [...lines, '', columns(recent, [0])].join('\n');
  },
});

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

function contextOf(sessions: Sessions, session: SessionRow): ContextUse {
  const { contextTokens, contextWindow } = session;
  const tokens = contextTokens || undefined;
  if (contextWindow !== undefined) return { tokens, window: contextWindow };
  const window = sessions.usage.assumedWindow(session);
  return window === undefined ? { tokens } : { tokens, window, assumed: true };
}

function tokensText(tokens: number | undefined): string {
  return tokens === undefined ? '' : `, ${shortCount(tokens)} tok`;
}

const BAR_WIDTH = 30;

function contextBar({ tokens, window, assumed }: ContextUse, terminal: TextStyle['terminal']): string {
  if (tokens === undefined) return 'no tokens in its log';
  if (window === undefined || window <= 0) return `${shortCount(tokens)} tok in the last request`;
  const share = Math.min(1, tokens / window);
  const bar = terminal === undefined ? '' : `${gauge(share, BAR_WIDTH, terminal)} `;
  return `${bar}${Math.round(100 * share)} %  ${shortCount(tokens)} of ${assumed === true ? 'about ' : ''}${shortCount(window)}`;
}

async function recentEvents(sessions: Sessions, session: SessionRow): Promise<readonly RecentEvent[]> {
  const last = session.events - 1;
  const first = Math.max(0, last - EVENTS_SEARCHED);
  const events = (await sessions.events.range(session, first, last)).filter(
    (event) => (event.flags & (FLAG.mirror | FLAG.silent)) === 0,
  );
  const texts = await sessions.events.texts(session, first, last);
  return events.slice(-RECENT_EVENTS).map((event) => {
    const text = texts.get(event.index) ?? '';
    return {
      event_index: event.index,
      timestamp: iso(event.ms),
      event_type: event.type,
      name: event.name,
      status: event.status,
      preview: snip(
        event.name !== undefined && text.startsWith(`${event.name} `)
          ? text.slice(event.name.length + 1)
          : text,
        MAX_PREVIEW_LENGTH,
      ),
    };
  });
}
