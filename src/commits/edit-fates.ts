import type { Database } from '../store/database.ts';
import type { Fate, PlacedEdit } from './charge.ts';
import { unpackHashes } from './line-hashes.ts';

interface SessionEdit {
  readonly turn: number;
  readonly step: number;
  readonly path: string;
  readonly ms: number;
  readonly commit: number | undefined;
  readonly added: Uint32Array;
  readonly removed: Uint32Array;
}

/** The edits of a session in order, and what became of each. */
export async function placedEdits(db: Database, session: string): Promise<readonly PlacedEdit[]> {
  const rows = await db.all(
    `SELECT turn, step, path, ms, "commit", added_lines, removed_lines FROM edits WHERE session = ?
     ORDER BY turn, step, event`,
    session,
  );
  const edits = rows.map(
    (row): SessionEdit => ({
      turn: Number(row.turn),
      step: Number(row.step),
      path: String(row.path),
      ms: Number(row.ms),
      commit: row.commit === null ? undefined : Number(row.commit),
      added: unpackHashes(row.added_lines),
      removed: unpackHashes(row.removed_lines),
    }),
  );
  const lastCommitted = new Map<string, number>();
  for (const path of new Set(edits.map((edit) => edit.path)))
    lastCommitted.set(path, await lastCommitOf(db, path));
  const byPath = new Map<string, SessionEdit[]>();
  for (const edit of edits) byPath.set(edit.path, [...(byPath.get(edit.path) ?? []), edit]);
  return edits.map((edit) => {
    const { turn, step, path } = edit;
    const ofFile = byPath.get(path) ?? [];
    const later = ofFile.slice(ofFile.indexOf(edit) + 1);
    const fate = fateOf(edit, later, lastCommitted.get(path) ?? 0);
    const commit = fate === 'reverted' ? later.find((one) => one.commit !== undefined)?.commit : edit.commit;
    return { turn, step, path, fate, commit };
  });
}

function fateOf(edit: SessionEdit, later: readonly SessionEdit[], lastCommitMs: number): Fate {
  if (edit.commit !== undefined) return 'committed';
  // Trivial lines are not compared, so an edit of nothing else may be in any commit.
  if (edit.added.length + edit.removed.length === 0) return 'pending';
  if (isUndone(edit, later)) return 'reverted';
  return lastCommitMs > edit.ms ? 'lost' : 'pending';
}

/**
 * Whether later edits of the same file removed what an edit added or, if it added nothing, restored what it removed.
 */
function isUndone({ added, removed }: SessionEdit, later: readonly SessionEdit[]): boolean {
  const undoing = new Set(later.flatMap((one) => [...(added.length > 0 ? one.removed : one.added)]));
  return (added.length > 0 ? added : removed).every((hash) => undoing.has(hash));
}

/** When a file was last committed, in any checkout; 0 if never. */
async function lastCommitOf(db: Database, path: string): Promise<number> {
  const parts = path.split('/');
  const names = parts.map((_, at) => parts.slice(at).join('/')).filter(Boolean);
  const row = await db.get(
    `SELECT MAX(c.authored_ms) AS ms FROM commit_files f JOIN commits c ON c.id = f."commit"
     WHERE f.path IN (${names.map(() => '?').join(', ')})`,
    ...names,
  );
  return Number(row?.ms ?? 0);
}
