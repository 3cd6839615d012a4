import { useMemo } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import type { CallCard } from './types.ts';

/** The step of a session that made a call. */
export interface AskingStep {
  readonly session: string;
  readonly turn: number;
  readonly event: number;
}

interface LoggedCall extends AskingStep {
  readonly ms: number;
  readonly tool: string;
}

/** An agent logs a call when it begins, on the same clock as ours. */
const NEAR_MS = 3_000;
const MAX_CALLS = 1_000;

/** Finds the step behind each of these calls: the agent's own log has the same call at about the same time. */
export function useAskingSteps(
  days: number,
  calls: readonly Pick<CallCard, 'door'>[],
): (call: CallCard) => AskingStep | undefined {
  const query = `SELECT session, turn, event, at, tool FROM calls WHERE tool LIKE '%pinhole%' AND at > ago('${days}d') ORDER BY at DESC LIMIT ${MAX_CALLS}`;
  const { answer } = useAnswer('sql', calls.some(fromAgent) ? { query, limit: MAX_CALLS } : undefined);
  const logged = useMemo(
    () =>
      answer?.data.rows.map(
        ([session, turn, event, at, tool]): LoggedCall => ({
          session: String(session),
          turn: Number(turn),
          event: Number(event),
          // Times in tables are local.
          ms: Date.parse(String(at).replace(' ', 'T')),
          tool: String(tool),
        }),
      ) ?? [],
    [answer],
  );
  return (call) => stepOf(call, logged);
}

/** Only an agent's call is in an agent's log. */
function fromAgent({ door }: Pick<CallCard, 'door'>): boolean {
  return door === 'mcp';
}

/** The nearest logged call of the same operation. */
export function stepOf(
  call: Pick<CallCard, 'timestamp' | 'operation' | 'door'>,
  logged: readonly LoggedCall[],
): AskingStep | undefined {
  if (!fromAgent(call)) return undefined;
  const at = Date.parse(call.timestamp);
  const near = logged
    .filter(({ tool, ms }) => tool.endsWith(call.operation) && Math.abs(ms - at) <= NEAR_MS)
    .sort((a, b) => Math.abs(a.ms - at) - Math.abs(b.ms - at));
  return near[0];
}
