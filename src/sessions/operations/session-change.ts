import type { SessionChange } from '../follow.ts';
import { countedTokens, iso } from './session-text.ts';

/** A change in a running session as the page receives it: only counts and indexes; the page requests the texts. */
export interface SessionChangeCard {
  /** Events from this index on are new. */
  readonly first_event: number;
  readonly events: number;
  /** Turns from this index on are new or have grown. */
  readonly first_turn: number;
  readonly turns: number;
  readonly steps: number;
  readonly tool_calls: number;
  readonly failures: number;
  readonly total_tokens: number | undefined;
  readonly context: { readonly tokens: number | undefined; readonly window?: number | undefined };
  readonly last_activity: string;
  /** The log was rewritten: everything must be requested again. */
  readonly rewritten?: true | undefined;
  /** Subagents changed too. */
  readonly subagents?: true | undefined;
}

export function sessionChangeCard({ session, ...change }: SessionChange): SessionChangeCard {
  return {
    first_event: change.firstEvent,
    events: session.events,
    first_turn: change.firstTurn,
    turns: session.turns,
    steps: session.steps,
    tool_calls: session.toolCalls,
    failures: session.failures,
    total_tokens: countedTokens(session, session.totalTokens),
    context: { tokens: session.contextTokens || undefined, window: session.contextWindow },
    last_activity: iso(session.endMs),
    rewritten: change.rewritten || undefined,
    subagents: change.subagents || undefined,
  };
}
