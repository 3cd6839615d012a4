import type { SubagentCard } from './types.ts';

/** Where a subagent lies under its session. */
export interface Lane {
  readonly agent: SubagentCard;
  readonly row: number;
  readonly left: number;
  readonly width: number;
}

/** Room for a name and its figures. */
const LEAST = 180;
const GAP = 4;

/**
 * Puts each subagent under the call that started it, as wide as it has events beside those of the session; those
 * that would overlap lie in rows below each other.
 */
export function laneLayout(
  agents: readonly SubagentCard[],
  eventOf: (agent: SubagentCard) => number,
  last: number,
  width: number,
): readonly Lane[] {
  const ends: number[] = [];
  return agents.map((agent) => {
    // A call and its result are two events, and so are a prompt and its answer.
    const events = 2 * (agent.tool_calls + agent.turns);
    const call = (eventOf(agent) / last) * width;
    const wide = Math.max(Math.min(LEAST, width), Math.min((events / last) * width, width - call));
    const left = Math.max(0, Math.min(call, width - wide));
    const free = ends.findIndex((end) => end + GAP <= left);
    const row = free < 0 ? ends.length : free;
    ends[row] = left + wide;
    return { agent, row, left, width: wide };
  });
}
