import { z } from 'zod';
import { providerWith } from '../providers/index.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { iso } from './session-text.ts';

export const DURATION = z.int().optional().describe('absent if the agent does not record when it answers');
export const END_TIME = z.string().optional().describe('absent if the agent does not record when it answers');

/** How long a session or one of its turns took; undefined if its agent does not record when it answers. */
export function durationSeconds(
  { startMs, endMs }: Pick<SessionRow, 'startMs' | 'endMs'>,
  { providers }: Sessions,
  { provider }: SessionRow,
): number | undefined {
  const seconds = Math.max(0, Math.round((endMs - startMs) / 1000));
  const untimed = seconds === 0 && providerWith(providers, provider)?.unrecorded?.answerTimes !== undefined;
  return untimed ? undefined : seconds;
}

/** When a session ended; undefined if its agent does not record it. */
export function endTime(sessions: Sessions, session: SessionRow): string | undefined {
  return durationSeconds(session, sessions, session) === undefined ? undefined : iso(session.endMs);
}
