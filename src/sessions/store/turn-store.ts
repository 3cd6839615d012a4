import { fail } from '../../contract/errors.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { NO_USAGE, type Usage } from '../model/event.ts';
import { list, parseJson } from '../model/log-json.ts';
import type { OwnPrices } from '../tokens/own-prices.ts';
import type { TokenTotal } from '../tokens/token-total.ts';
import { usageByTurns } from '../tokens/totals.ts';
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
  /** The last thing the model said. */
  readonly reply: string;
  readonly tokens: number;
  /** The tokens by kind, without those that count for an earlier session. */
  readonly usage: Usage;
  /** Estimated dollars, for models with a known price. */
  readonly cost: number;
}

function turnSummary(row: SqlRow, total: TokenTotal | undefined): TurnSummary {
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
    reply: str(row.reply),
    tokens: total?.total ?? 0,
    usage: total?.usage ?? NO_USAGE,
    cost: total?.cost ?? 0,
  };
}

export type Turns = ReturnType<typeof turnStore>;

export function turnStore(db: Database, prices: OwnPrices) {
  return {
    /** Turns of a session after a given one, in order. */
    async after(session: SessionRow, after: number, limit: number): Promise<readonly TurnSummary[]> {
      const rows = await db.all(
        'SELECT * FROM turns WHERE session = ? AND idx > ? ORDER BY idx LIMIT ?',
        ...[session.key, after, limit],
      );
      const last = int(rows.at(-1)?.idx ?? after);
      const totals = await usageByTurns(db, session.key, after + 1, last, prices);
      return rows.map((row) => turnSummary(row, totals.get(int(row.idx))));
    },

    async at(session: SessionRow, index: number): Promise<TurnSummary> {
      const [turn] = await this.after(session, index - 1, 1);
      return turn?.index === index ? turn : noTurn(session, index);
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
