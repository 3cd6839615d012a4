import type { Database } from '../../store/database.ts';
import type { ToolRow } from '../model/event-rows.ts';

/**
 * Some agents put the logs of all subagents of a session side by side, and each names that session (`root`), even if
 * another subagent started it. The call that started a subagent tells its real parent. Sets the parent of the session
 * just written, and of those it started, so the order in which logs are read does not matter.
 */
export async function linkNested(
  tx: Database,
  key: number,
  root: string,
  tools: Iterable<ToolRow>,
): Promise<void> {
  const self = await tx.get('SELECT id, spawn_call FROM sessions WHERE key = ?', key);
  if (self === undefined) return;
  const id = String(self.id);
  const parent = await callerOf(tx, id, self.spawn_call === null ? undefined : String(self.spawn_call));
  if (parent !== undefined && parent !== id) await setParent(tx, id, parent, root);
  for (const { kind, agentId, callId } of tools) {
    if (kind !== 'agent' && agentId === undefined) continue;
    const children = await tx.all(
      `SELECT id FROM sessions WHERE parent_id = ? AND relation = 'subagent' AND key <> ?
         AND (id = ? OR spawn_call = ?)`,
      ...[root, key, agentId ?? null, callId ?? null],
    );
    for (const child of children) await setParent(tx, String(child.id), id, root);
  }
}

/** The subagent whose call started the session: the result names the session, or the session names the call. */
async function callerOf(tx: Database, id: string, call: string | undefined): Promise<string | undefined> {
  const row = await tx.get(
    `SELECT p.id FROM sessions p JOIN (
       SELECT session FROM tools WHERE agent_id = ?
       UNION SELECT session FROM tools WHERE kind = 'agent' AND call_id = ?) t ON p.key = t.session
     WHERE p.relation = 'subagent' AND p.copy_of IS NULL LIMIT 1`,
    ...[id, call ?? null],
  );
  return row === undefined ? undefined : String(row.id);
}

/** Sets the parent, but only within the sessions below one root, and never to a descendant of the child. */
async function setParent(tx: Database, child: string, parent: string, root: string): Promise<void> {
  const above = await tx.all(
    `WITH RECURSIVE up (id, parent_id) AS (
       SELECT id, parent_id FROM sessions WHERE id = ?
       UNION SELECT s.id, s.parent_id FROM sessions s JOIN up ON s.id = up.parent_id)
     SELECT id, parent_id FROM up`,
    parent,
  );
  if (above.some((row) => row.id === child) || !above.some((row) => row.parent_id === root)) return;
  await tx.run('UPDATE sessions SET parent_id = ? WHERE id = ?', parent, child);
}
