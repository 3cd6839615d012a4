import { isObject } from '../../contract/guards.ts';

/** A session that another tool noted for a commit. */
export interface NamedSession {
  /** The agent's id of the session; undefined if the note has none. */
  readonly session: string | undefined;
  readonly reason: string;
}

const MAX_NAMED_SESSIONS = 20;

/**
 * The sessions in a git-ai note (`refs/notes/ai`, authorship 3.0.0): files and line ranges, a line `---`, then JSON in
 * which each of the `prompts` and `sessions` has an `agent_id`.
 */
export function sessionsInNote(note: string): readonly NamedSession[] {
  const start = note.indexOf('{', Math.max(0, note.indexOf('\n---')));
  if (start < 0) return [];
  const said = parsed(note.slice(start));
  const agents = [said.prompts, said.sessions]
    .flatMap((group) => (isObject(group) ? Object.values(group) : []))
    .flatMap((one) => (isObject(one) && isObject(one.agent_id) ? [one.agent_id] : []));
  const named = new Map<string, NamedSession>();
  for (const { id, tool, model } of agents) {
    const session = typeof id === 'string' && id !== '' ? id : undefined;
    const who = [tool, model].filter((word) => typeof word === 'string').join(' ');
    named.set(`${session} ${who}`, { session, reason: `git-ai noted ${who || 'an agent'}` });
  }
  return [...named.values()].slice(0, MAX_NAMED_SESSIONS);
}

/** Entire's trailers name checkpoints. They are shown even if the branch with their sessions is not available here. */
export function checkpointReasons(checkpoints: readonly string[]): readonly NamedSession[] {
  return checkpoints
    .slice(0, MAX_NAMED_SESSIONS)
    .map((id) => ({ session: undefined, reason: `Entire made checkpoint ${id.slice(0, 40)}` }));
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Reads them from a column of the index. */
export function notedIn(json: string): readonly NamedSession[] {
  const { noted } = parsed(`{"noted":${json || '[]'}}`);
  return (Array.isArray(noted) ? noted : []).flatMap((one) =>
    isObject(one) && typeof one.reason === 'string'
      ? [{ session: typeof one.session === 'string' ? one.session : undefined, reason: one.reason }]
      : [],
  );
}
