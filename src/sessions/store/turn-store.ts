import { fail } from '../../contract/errors.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { list, parseJson } from '../model/log-json.ts';
import { int, type SessionRow, str } from './session-row.ts';

export interface TurnSummary {
  readonly index: number;
  readonly event: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly prompt: string;
  readonly outcome: string;
  readonly steps: number;
  readonly calls: number;
  readonly failed: number;
  readonly tools: readonly (readonly [string, number])[];
  readonly actions: readonly string[];
  readonly compactions: number;
  readonly rewound: boolean;
  readonly inherited: boolean;
  readonly tokens: number;
  readonly split: TokenSplit;
}

/** Tokens of a turn or step by what they cost; what was written to the cache counts as input. */
export interface TokenSplit {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** The columns of a {@link TokenSplit}. */
export const SPLIT = `SUM(u.input + u.cache_write + u.tool) AS split_input, SUM(u.cached) AS split_cached,
  SUM(u.output) AS split_output`;

export function tokenSplit(row: SqlRow): TokenSplit {
  return { input: int(row.split_input), cached: int(row.split_cached), output: int(row.split_output) };
}

const TURNS = `SELECT t.*, u.* FROM turns t LEFT JOIN (
    SELECT u.session AS usage_session, u.turn AS usage_turn, ${SPLIT} FROM usage u
    WHERE u.session = ? AND u.owned = 1 GROUP BY u.turn
  ) u ON u.usage_session = t.session AND u.usage_turn = t.idx`;

function turnSummary(row: SqlRow): TurnSummary {
  const split = tokenSplit(row);
  return {
    index: int(row.idx),
    event: int(row.event),
    startMs: int(row.start_ms),
    endMs: int(row.end_ms),
    prompt: str(row.prompt),
    outcome: str(row.outcome),
    steps: int(row.steps),
    calls: int(row.calls),
    failed: int(row.failed),
    tools: list(parseJson(str(row.tools))).flatMap((pair) => {
      const [name, times] = list(pair);
      return typeof name === 'string' && typeof times === 'number' ? [[name, times] as const] : [];
    }),
    actions: list(parseJson(str(row.actions))).filter((action) => typeof action === 'string'),
    compactions: int(row.compactions),
    rewound: int(row.rewound) === 1,
    inherited: int(row.inherited) === 1,
    tokens: split.input + split.cached + split.output,
    split,
  };
}

export type Turns = ReturnType<typeof turnStore>;

/** The turns of sessions. */
export function turnStore(db: Database) {
  return {
    /** Turns of a session after a given one, in order. */
    async after(session: SessionRow, after: number, limit: number): Promise<readonly TurnSummary[]> {
      const rows = await db.all(
        `${TURNS} WHERE t.session = ? AND t.idx > ? ORDER BY t.idx LIMIT ?`,
        ...[session.key, session.key, after, limit],
      );
      return rows.map(turnSummary);
    },

    async at(session: SessionRow, index: number): Promise<TurnSummary> {
      const row = await db.get(
        `${TURNS} WHERE t.session = ? AND t.idx = ?`,
        ...[session.key, session.key, index],
      );
      return row === undefined ? noTurn(session, index) : turnSummary(row);
    },

    /** The last event of a turn: the one before the next turn begins, or the session's last. */
    async lastEvent(session: SessionRow, turn: TurnSummary): Promise<number> {
      const next = await db.get(
        'SELECT event FROM turns WHERE session = ? AND idx = ?',
        session.key,
        turn.index + 1,
      );
      return next === undefined ? session.events - 1 : int(next.event) - 1;
    },
  };
}

function noTurn(session: SessionRow, index: number): never {
  const range = session.turns === 0 ? 'no turns' : `turns 0..${session.turns - 1}`;
  return fail(
    'invalid_turn_index',
    `Turn ${index} does not exist; session ${session.id.slice(0, 8)} has ${range}.`,
    { details: { requested_index: index, max_index: session.turns - 1 } },
  );
}
