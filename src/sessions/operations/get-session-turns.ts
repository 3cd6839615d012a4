import { z } from 'zod';
import { countOf, shortCount } from '../../contract/format.ts';
import { operation, page, type ReadonlyData, type TextStyle } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callTurnSteps } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { TurnSummary } from '../store/turn-store.ts';
import { freshness } from './index-freshness.ts';
import { DURATION, durationSeconds } from './recorded-times.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { clock, countedTokens, failedText, iso, snip, tokenSplit } from './session-text.ts';

export const turnCardSchema = z.object({
  turn_index: z.int(),
  event_index: z.int(),
  start_time: z.string(),
  user_message: z.string(),
  outcome: z.string(),
  step_count: z.int(),
  tools: z.record(z.string(), z.int()).describe('how often each tool was called'),
  failed_tools: z.int(),
  tokens: z.int().optional().describe('absent if the log does not have them per response'),
  input_tokens: z.int().optional().describe('read by the model and not from the cache'),
  cached_tokens: z.int().optional(),
  output_tokens: z.int().optional(),
  duration_seconds: DURATION,
  key_actions: z.array(z.string()),
  reasoning: z.string().optional(),
  compactions: z.int().optional(),
  rewound: z.literal(true).optional(),
  inherited: z.literal(true).optional(),
  link: z.string().optional(),
});

export const sessionTurnsSchema = z.object({
  session_id: z.string(),
  total_turns: z.int(),
  turns: z.array(turnCardSchema),
});

export type TurnCard = ReadonlyData<typeof turnCardSchema>;
type SessionTurns = ReadonlyData<typeof sessionTurnsSchema>;

export const getSessionTurnsInput = z.strictObject({
  session_id,
  include_reasoning: z.boolean().optional().describe("include the model's reasoning"),
});

export const getSessionTurns = operation<SessionServices>()({
  name: 'get_session_turns',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Turns of a session: prompt, outcome, tools, failures, tokens.',
  input: getSessionTurnsInput,
  data: sessionTurnsSchema,
  limit: { default: 10, max: 50 },
  rows: 'turns',
  rowLink: '/api/agent-sessions/{session_id}/turns/{turn_index}/steps',
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/turns',
  command: {
    words: 'sessions turns',
    glance: true,
    positional: ['session_id'],
    examples: ['pinhole sessions turns fb3cff44'],
  },

  async run({ session_id, include_reasoning }, { sessions, after, limit, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const turns = await sessions.turns.after(session, typeof after === 'number' ? after : -1, limit + 1);
    const worst = turns.find((turn) => turn.outcome === 'failed') ?? turns[0];
    return page<TurnCard, SessionTurns>({
      rows: turnCards(sessions, session, turns, include_reasoning === true),
      position: (turn) => turn.turn_index,
      total: session.turns,
      shape: (rows) => ({ session_id: id, total_turns: session.turns, turns: rows }),
      next: worst && [callTurnSteps({ session_id: id, turn_index: worst.index })],
      link: url(pageLinks.session(session.id)),
      meta,
    });
  },

  text: turnsText,
});

function turnsText({ session_id, total_turns, turns }: SessionTurns, style: TextStyle): string {
  if (turns.length === 0) return `${style.paint('id', session_id)}  no turns`;
  const lines = turns.map((turn, at) => turnText(turn, timeText(turn, turns[at - 1], style)));
  return [`${style.paint('id', session_id)}  ${countOf(total_turns, 'turn')}`, ...lines].join('\n');
}

/** The time of day; with the date for the first turn, and for the first turn of each day. */
function timeText(turn: TurnCard, before: TurnCard | undefined, style: TextStyle): string {
  const [day, time] = clock(turn.start_time, style).split(' ');
  const same = before !== undefined && clock(before.start_time, style).split(' ')[0] === day;
  return same && time !== undefined ? time : clock(turn.start_time, style);
}

function turnText(turn: TurnCard, time: string): string {
  const tools = Object.entries(turn.tools)
    .slice(0, MAX_TOOLS_IN_TEXT)
    .map(([name, times]) => `${name} ${times}`)
    .join(' ');
  const notes = [
    ...(turn.outcome === 'success' ? [] : [turn.outcome]),
    ...(turn.rewound ? ['rewound'] : []),
    ...(turn.inherited ? ['inherited'] : []),
    ...(turn.compactions ? ['compacted'] : []),
  ];
  const output = turn.output_tokens === undefined ? '' : `out ${shortCount(turn.output_tokens)} of `;
  return [
    `${turn.turn_index} ${time}`,
    countOf(turn.step_count, 'step'),
    ...(tools === '' ? [] : [`${tools}${failedText(turn.failed_tools)}`]),
    ...(turn.tokens ? [`${output}${shortCount(turn.tokens)} tok`] : []),
    ...(notes.length === 0 ? [] : [notes.join(' ')]),
    `"${snip(turn.user_message, MAX_PROMPT_LENGTH_IN_TEXT)}"`,
    ...(turn.key_actions.length === 0 ? [] : [turn.key_actions.join(', ')]),
    ...(turn.reasoning === undefined ? [] : [`reasoning "${turn.reasoning}"`]),
  ].join('  ');
}

/** Turns with long texts shortened. */
export async function* turnCards(
  sessions: Sessions,
  session: SessionRow,
  turns: readonly TurnSummary[],
  reasoning: boolean,
): AsyncGenerator<TurnCard> {
  for (const turn of turns)
    yield turnCard(
      sessions,
      session,
      turn,
      reasoning ? await firstReasoning(sessions, session, turn) : undefined,
    );
}

async function firstReasoning(
  sessions: Sessions,
  session: SessionRow,
  turn: TurnSummary,
): Promise<string | undefined> {
  const [step] = (await sessions.turns.steps(session, turn, -1, STEPS_WITH_REASONING)).filter(
    (candidate) => candidate.reasoning !== undefined,
  );
  return step?.reasoning === undefined ? undefined : snip(step.reasoning, MAX_REASONING_LENGTH);
}

const MAX_PROMPT_LENGTH = 200;
const MAX_PROMPT_LENGTH_IN_TEXT = 80;
const MAX_REASONING_LENGTH = 300;
/** Tools named per turn, the most used first. */
const MAX_TOOLS = 8;
const MAX_TOOLS_IN_TEXT = 4;
/** The first steps of a turn say what it is about. */
const STEPS_WITH_REASONING = 5;

function turnCard(
  sessions: Sessions,
  session: SessionRow,
  turn: TurnSummary,
  reasoning: string | undefined,
): TurnCard {
  return {
    turn_index: turn.index,
    event_index: turn.event,
    start_time: iso(turn.startMs),
    user_message: snip(turn.prompt, MAX_PROMPT_LENGTH),
    outcome: turn.outcome,
    step_count: turn.steps,
    tools: Object.fromEntries(turn.tools.slice(0, MAX_TOOLS)),
    failed_tools: turn.failed,
    tokens: countedTokens(session, turn.tokens),
    ...tokenSplit(turn.usage),
    duration_seconds: durationSeconds(turn, sessions, session),
    key_actions: turn.actions,
    reasoning,
    compactions: turn.compactions || undefined,
    rewound: turn.rewound || undefined,
    inherited: turn.inherited || undefined,
  };
}
