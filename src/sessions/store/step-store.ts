import type { Database } from '../../store/database.ts';
import { NO_USAGE, type ToolStatus, type Usage } from '../model/event.ts';
import { FLAG } from '../model/event-rows.ts';
import type { OwnPrices } from '../tokens/own-prices.ts';
import { usageBySteps } from '../tokens/totals.ts';
import type { Events } from './event-store.ts';
import { int, optional, optionalInt, type SessionRow, statusOf, str } from './session-row.ts';
import type { TurnSummary, Turns } from './turn-store.ts';

export interface StepTool {
  readonly name: string;
  readonly arguments: string;
  readonly result: string | undefined;
  readonly status: ToolStatus;
  readonly exitCode: number | undefined;
  readonly event: number;
  readonly resultEvent: number | undefined;
  /** The session that the call started. */
  readonly agent: string | undefined;
  /** Undefined while it runs. */
  readonly ms: number | undefined;
}

export interface Step {
  readonly index: number;
  readonly event: number;
  readonly reasoning: string | undefined;
  readonly message: string | undefined;
  /** The events these texts come from. */
  readonly reasoningEvents: readonly number[];
  readonly messageEvents: readonly number[];
  readonly tools: readonly StepTool[];
  readonly tokens: number;
  /** The tokens by kind. */
  readonly usage: Usage;
  /** Estimated cost in dollars; undefined for a model without a price. */
  readonly cost: number | undefined;
}

interface Draft {
  event: number;
  reasoning: string[];
  message: string[];
  reasoningEvents: number[];
  messageEvents: number[];
  calls: number[];
}

/** Reads the steps of a turn after a given one: what the model thought, said and did, with the results. */
export type ReadSteps = (
  session: SessionRow,
  turn: TurnSummary,
  after: number,
  limit: number,
) => Promise<readonly Step[]>;

export function stepStore(db: Database, turns: Turns, events: Events, prices: OwnPrices): ReadSteps {
  return async (session, turn, after, limit) => {
    const last = await turns.lastEvent(session, turn);
    const found = await events.ofSteps(session, {
      first: turn.event,
      last,
      turn: turn.index,
      from: after + 1,
      to: after + limit,
    });
    const shown = found.filter((event) => (event.flags & FLAG.mirror) === 0);
    const first = shown[0]?.index ?? turn.event;
    const tools = await toolRows(db, session.key, turn.index, after, limit);
    const lastShown = Math.max(
      shown.at(-1)?.index ?? first,
      ...[...tools.values()].map((tool) => tool.result),
    );
    const texts = await events.texts(session, first, lastShown);
    const drafts = new Map<number, Draft>();
    for (const event of shown) {
      const draft = drafts.get(event.step) ?? newDraft(event.index);
      drafts.set(event.step, draft);
      const text = texts.get(event.index) ?? '';
      if (event.type === 'reasoning') {
        draft.reasoning.push(text || '(encrypted)');
        draft.reasoningEvents.push(event.index);
      } else if (event.type === 'message' && text !== '') {
        draft.message.push(text);
        draft.messageEvents.push(event.index);
      }
      if (event.type === 'tool_call') draft.calls.push(event.index);
    }
    const tokens = await usageBySteps(db, session.key, turn.index, prices);
    return [...drafts]
      .sort(([a], [b]) => a - b)
      .map(([index, draft]) => {
        const used = tokens.get(index);
        return {
          index,
          // What the model said is more telling than what it thought before.
          event: draft.messageEvents[0] ?? draft.event,
          reasoning: draft.reasoning.join('\n') || undefined,
          message: draft.message.join('\n') || undefined,
          reasoningEvents: draft.reasoningEvents,
          messageEvents: draft.messageEvents,
          tools: draft.calls.flatMap((call) => {
            const tool = tools.get(call);
            return tool === undefined ? [] : [stepTool(tool, texts)];
          }),
          tokens: used?.total ?? 0,
          usage: used?.usage ?? NO_USAGE,
          cost: used === undefined || used.unpriced.length > 0 ? undefined : used.cost,
        };
      });
  };
}

function newDraft(event: number): Draft {
  return { event, reasoning: [], message: [], reasoningEvents: [], messageEvents: [], calls: [] };
}

interface ToolFacts {
  readonly call: number;
  readonly result: number;
  readonly name: string;
  readonly status: ToolStatus;
  readonly exitCode: number | undefined;
  readonly agent: string | undefined;
  readonly ms: number | undefined;
}

async function toolRows(
  db: Database,
  session: number,
  turn: number,
  after: number,
  limit: number,
): Promise<ReadonlyMap<number, ToolFacts>> {
  const rows = await db.all(
    `SELECT c.call, c.result, c.name, c.status, c.exit_code,
       CASE WHEN c.result >= 0 THEN COALESCE(c.duration_ms, NULLIF(c.ended_ms - c.started_ms, 0)) END AS ms, COALESCE(
       (SELECT s.id FROM sessions s WHERE c.agent_id IS NOT NULL AND s.id = c.agent_id),
       (SELECT s.id FROM sessions p JOIN sessions s ON s.parent_id = p.id
        WHERE c.call_id IS NOT NULL AND p.key = c.session AND s.spawn_call = c.call_id)) AS agent
     FROM tools c WHERE c.session = ? AND c.turn = ? AND c.step > ? AND c.step <= ?`,
    ...[session, turn, after, after + limit],
  );
  return new Map(
    rows.map((row) => [
      int(row.call),
      {
        call: int(row.call),
        result: int(row.result),
        name: str(row.name),
        status: statusOf(row.status) ?? 'pending',
        exitCode: optionalInt(row.exit_code),
        agent: optional(row.agent),
        ms: optionalInt(row.ms),
      },
    ]),
  );
}

function stepTool(tool: ToolFacts, texts: ReadonlyMap<number, string>): StepTool {
  const shown = texts.get(tool.call) ?? '';
  return {
    name: tool.name,
    arguments: shown.startsWith(`${tool.name} `) ? shown.slice(tool.name.length + 1) : shown,
    result: tool.result < 0 ? undefined : (texts.get(tool.result) ?? ''),
    status: tool.status,
    exitCode: tool.exitCode,
    event: tool.call,
    resultEvent: tool.result < 0 ? undefined : tool.result,
    agent: tool.agent,
    ms: tool.ms,
  };
}
