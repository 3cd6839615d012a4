import { z } from 'zod';
import { shortCount } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callTurnSteps } from '../calls.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { TurnSummary } from '../store/turn-store.ts';
import { freshness, iso, rowLink, SESSION_ALIASES, type SessionServices, sessionId, snip } from './shared.ts';

export interface TurnCard {
  readonly turn_index: number;
  readonly event_index: number;
  readonly start_time: string;
  readonly user_message: string;
  readonly outcome: string;
  readonly step_count: number;
  readonly tools: Readonly<Record<string, number>>;
  readonly failed_tools: number;
  readonly tokens: number;
  readonly duration_seconds: number;
  readonly key_actions: readonly string[];
  readonly reasoning?: string | undefined;
  readonly compactions?: number | undefined;
  readonly rewound?: true | undefined;
  readonly inherited?: true | undefined;
  readonly link?: string | undefined;
}

export interface Turns {
  readonly session_id: string;
  readonly total_turns: number;
  readonly turns: readonly TurnCard[];
}

export const getSessionTurnsInput = z.strictObject({
  session_id: sessionId,
  include_reasoning: z.boolean().optional(),
});

export const getSessionTurns = operation<SessionServices>()({
  name: 'get_session_turns',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Turns of a session: prompt, outcome, tools, failures, tokens.',
  input: getSessionTurnsInput,
  limit: { default: 10, max: 50 },
  rows: 'turns',
  columns: [
    'turn_index',
    'event_index',
    'start_time',
    'user_message',
    'outcome',
    'step_count',
    'tools',
    'failed_tools',
    'tokens',
    'duration_seconds',
    'key_actions',
    'reasoning',
    'compactions',
    'rewound',
    'inherited',
    'link',
  ],
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/turns',
  command: {
    words: 'sessions turns',
    positional: ['session_id'],
    examples: ['pinhole sessions turns fb3cff44'],
  },

  async run({ session_id, include_reasoning }, { sessions, after, limit, caller, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const turns = await sessions.turns.after(session, typeof after === 'number' ? after : -1, limit + 1);
    const worst = turns.find((turn) => turn.outcome === 'failed') ?? turns[0];
    return page<TurnCard, Turns>({
      rows: cards(sessions, session, turns, include_reasoning === true),
      position: (turn) => turn.turn_index,
      total: session.turns,
      shape: (rows) => ({
        session_id: id,
        total_turns: session.turns,
        turns: rows.map((turn) => ({
          ...turn,
          link: rowLink({ caller, url }, id, 'turns', turn.turn_index, 'steps'),
        })),
      }),
      next: worst && [callTurnSteps({ session_id: id, turn_index: worst.index })],
      link: url(pageLinks.session(session.id)),
      meta,
    });
  },

  text: turnsText,
});

/** Turns as aligned lines. */
export function turnsText({ session_id, total_turns, turns }: Turns): string {
  const first = turns[0];
  const last = turns.at(-1);
  if (first === undefined || last === undefined) return `${session_id}  no turns`;
  const lines = turns.map((turn) => {
    const tools = Object.entries(turn.tools)
      .slice(0, 4)
      .map(([name, times]) => `${name} ${times}`)
      .join(' ');
    const failed = turn.failed_tools > 0 ? ` (${turn.failed_tools} failed)` : '';
    const key = turn.key_actions.length > 0 ? `  key: ${turn.key_actions.join(', ')}` : '';
    const note = `${turn.rewound ? ' rewound' : ''}${turn.inherited ? ' inherited' : ''}${turn.compactions ? ' compacted' : ''}`;
    return `${turn.turn_index} ${turn.start_time.slice(11, 16)}  ${turn.step_count} steps  ${tools}${failed}  ${shortCount(turn.tokens)} tok  ${turn.outcome}${note}  "${snip(turn.user_message, 80)}"${key}`;
  });
  return [`${session_id}  turns ${first.turn_index}-${last.turn_index} of ${total_turns}`, ...lines].join(
    '\n',
  );
}

async function* cards(
  sessions: Sessions,
  session: SessionRow,
  turns: readonly TurnSummary[],
  reasoning: boolean,
): AsyncGenerator<TurnCard> {
  for (const turn of turns)
    yield turnCard(turn, reasoning ? await firstReasoning(sessions, session, turn) : undefined);
}

async function firstReasoning(
  sessions: Sessions,
  session: SessionRow,
  turn: TurnSummary,
): Promise<string | undefined> {
  const [step] = (await sessions.turns.steps(session, turn, -1, 5)).filter(
    (candidate) => candidate.reasoning !== undefined,
  );
  return step?.reasoning === undefined ? undefined : snip(step.reasoning, 300);
}

const TOOLS = 8;

function turnCard(turn: TurnSummary, reasoning: string | undefined): TurnCard {
  return {
    turn_index: turn.index,
    event_index: turn.event,
    start_time: iso(turn.startMs),
    user_message: snip(turn.prompt, 200),
    outcome: turn.outcome,
    step_count: turn.steps,
    tools: Object.fromEntries(turn.tools.slice(0, TOOLS)),
    failed_tools: turn.failed,
    tokens: turn.tokens,
    duration_seconds: Math.max(0, Math.round((turn.endMs - turn.startMs) / 1000)),
    key_actions: turn.actions,
    reasoning,
    compactions: turn.compactions || undefined,
    rewound: turn.rewound || undefined,
    inherited: turn.inherited || undefined,
  };
}
