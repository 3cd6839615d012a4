import { localDay } from '../contract/zone.ts';
import type { AgentTouch } from '../disk/browse/agent-touches.ts';
import type { Sessions } from '../sessions/sessions.ts';

const MAX_TOUCHES = 200;
const MAX_SESSIONS = 5;

/** The sessions that touched a path most recently, newest first. */
export async function touchedBy(
  sessions: Sessions,
  path: string,
  zone: string,
): Promise<readonly AgentTouch[]> {
  const touches = await sessions.files.touches(path, undefined, MAX_TOUCHES);
  const bySession = new Map<number, { last: number; reads: number; changes: number }>();
  for (const { session, ms, action } of touches) {
    const known = bySession.get(session.key) ?? { last: ms, reads: 0, changes: 0 };
    if (action === 'read') known.reads++;
    else known.changes++;
    bySession.set(session.key, known);
  }
  const newest = [...bySession].slice(0, MAX_SESSIONS);
  return Promise.all(
    newest.map(async ([key, { last, reads, changes }]) => ({
      session_id: await sessions.list.shortIdOf(key),
      last: localDay(last, zone),
      reads: reads || undefined,
      changes: changes || undefined,
    })),
  );
}
