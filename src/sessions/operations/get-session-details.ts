import { z } from 'zod';
import { type CallContext, operation, type Result } from '../../contract/operation.ts';
import { getSessionFull } from './get-session-full.ts';
import { getSessionSummary } from './get-session-summary.ts';
import { getSessionTurns } from './get-session-turns.ts';
import { getTurnSteps } from './get-turn-steps.ts';
import { SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';

const LEVELS = ['summary', 'turns', 'steps', 'full'] as const;

const input = z.strictObject({
  session_id: sessionId,
  detail_level: z.enum(LEVELS).default('summary'),
  turn_index: z.int().min(0).optional(),
  include_reasoning: z.boolean().optional(),
});

/** The operation that took this one's place, for each level of detail. */
async function atLevel(
  given: z.output<typeof input>,
  ctx: CallContext & SessionServices,
): Promise<Result<unknown>> {
  const { session_id, detail_level, include_reasoning } = given;
  if (detail_level === 'turns') return getSessionTurns.run({ session_id, include_reasoning }, ctx);
  if (detail_level === 'full') return getSessionFull.run({ session_id }, ctx);
  if (detail_level === 'steps')
    return getTurnSteps.run({ session_id, turn_index: given.turn_index ?? 0 }, ctx);
  return getSessionSummary.run({ session_id }, ctx);
}

function legacy(name: 'get_session_details' | 'get_session_by_id') {
  return operation<SessionServices>()({
    name,
    toolset: 'legacy',
    readOnly: true,
    summary: 'Deprecated: use get_session_summary and its kin.',
    input,
    limit: { default: 10, max: 50 },
    aliases: { ...SESSION_ALIASES, turn: 'turn_index' },
    perMinute: 60,
    run: atLevel,
    text: (data) => JSON.stringify(data),
  });
}

export const getSessionDetails = legacy('get_session_details');
export const getSessionById = legacy('get_session_by_id');
