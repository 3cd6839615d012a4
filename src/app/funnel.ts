import type { OperationUse } from '../store/audit.ts';

/** The way down in the sessions toolset, from breadth to detail. */
const LEVELS = {
  find: ['list_sessions', 'search_event_previews', 'file_history', 'get_project_info'],
  summary: ['get_session_summary', 'analyze_session', 'compare_sessions'],
  turns: ['get_session_turns'],
  steps: ['get_turn_steps'],
  events: ['get_event_details', 'get_session_full', 'get_reasoning_chain'],
} as const;

export interface FunnelLevel {
  readonly level: keyof typeof LEVELS;
  readonly calls: number;
  /** Connections that called an operation of this level. */
  readonly callers: number;
  /** Of the connections on the level above, those that came here after it. */
  readonly from_above?: number;
}

/** How far agents go down, level by level: the higher the share that stops early, the better answers fit. */
export function funnelOf(uses: readonly OperationUse[]): readonly FunnelLevel[] {
  let above: ReadonlyMap<string, number> | undefined;
  // Checked against LEVELS by the type of its keys.
  return (Object.keys(LEVELS) as (keyof typeof LEVELS)[]).map((level) => {
    const names: readonly string[] = LEVELS[level];
    const own = uses.filter(({ operation }) => names.includes(operation));
    const first = new Map<string, number>();
    for (const use of own)
      first.set(use.caller, Math.min(use.first, first.get(use.caller) ?? Number.POSITIVE_INFINITY));
    const before = above;
    above = first;
    const followed = [...first].filter(
      ([caller, at]) => at > (before?.get(caller) ?? Number.POSITIVE_INFINITY),
    );
    return {
      level,
      calls: own.reduce((sum, { calls }) => sum + calls, 0),
      callers: first.size,
      ...(before === undefined ? {} : { from_above: followed.length }),
    };
  });
}

/** `find 12 calls by 5 → summary 9 by 4 (4 of 5) → …` */
export function funnelText(levels: readonly FunnelLevel[]): string {
  return levels
    .map(({ level, calls, callers, from_above }, i) => {
      const share =
        from_above === undefined ? '' : ` (${from_above} of ${levels[i - 1]?.callers ?? 0} went on)`;
      return `${level} ${calls} by ${callers}${share}`;
    })
    .join(' → ');
}
