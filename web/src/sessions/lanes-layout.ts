import type { SubagentCard } from './types.ts';

/** Where a subagent is drawn below the strips of its session. */
export interface Lane {
  readonly agent: SubagentCard;
  readonly row: number;
  readonly left: number;
  readonly width: number;
}

/** Enough for a name and its figures. */
const MIN_WIDTH = 180;
const GAP = 4;

/**
 * Puts each subagent below the call that started it. Its width is its number of events, on the session's scale.
 * Subagents that would overlap go into further rows.
 */
export function laneLayout(
  agents: readonly SubagentCard[],
  eventOf: (agent: SubagentCard) => number,
  last: number,
  width: number,
): readonly Lane[] {
  const ends: number[] = [];
  return agents.map((agent) => {
    // A call and its result are two events, and so are a prompt and the response.
    const events = 2 * (agent.tool_calls + agent.turns);
    const call = (eventOf(agent) / last) * width;
    const wide = Math.max(Math.min(MIN_WIDTH, width), Math.min((events / last) * width, width - call));
    const left = Math.max(0, Math.min(call, width - wide));
    const free = ends.findIndex((end) => end + GAP <= left);
    const row = free < 0 ? ends.length : free;
    ends[row] = left + wide;
    return { agent, row, left, width: wide };
  });
}
