import type { EventRow, ToolRow, TouchRow, TurnRow, UsageRow } from './event-rows.ts';

/** Rows that reading added or changed since they were last taken. */
export interface Gathered {
  readonly events: EventRow[];
  readonly tools: Set<ToolRow>;
  readonly turns: Set<TurnRow>;
  readonly touches: TouchRow[];
  readonly usage: UsageRow[];
  /** Compactions whose context the agent counted itself. */
  readonly compacted: { event: number; tokens: number }[];
  /** Turns that the user undid. */
  readonly rewound: { from: number; to: number }[];
  /** Events from `event` on now belong to `turn`, because a possible prompt turned out to be one. */
  readonly moved: { event: number; turn: number }[];
  /** Answers that were written before their calls. */
  readonly paired: { event: number; row: ToolRow }[];
}

export function emptyGathered(): Gathered {
  return {
    events: [],
    tools: new Set(),
    turns: new Set(),
    touches: [],
    usage: [],
    compacted: [],
    rewound: [],
    moved: [],
    paired: [],
  };
}
