import type { Database } from '../../store/database.ts';
import { isWorktree } from './repo-path.ts';

/** Working folders of sessions that are worktrees; the path alone may not show where the worktree's name ends. */
export async function knownWorktrees(tx: Database): Promise<ReadonlySet<string>> {
  const rows = await tx.all(
    'SELECT DISTINCT cwd FROM sessions WHERE cwd IS NOT NULL AND cwd <> project_path',
  );
  return new Set(rows.map(({ cwd }) => String(cwd)).filter(isWorktree));
}

/** Corrects the repository paths of files in a worktree that were stored before the worktree's own session was read. */
export async function callAsInRepository(tx: Database, worktree: string): Promise<void> {
  for (const [table, path] of [
    ['touches', 'path'],
    ['tools', 'file'],
  ] as const)
    await tx.run(
      `UPDATE ${table} SET repo_path = substr(${path}, ?)
       WHERE ${path} >= ? AND ${path} < ? AND length(repo_path) > length(${path}) - ?`,
      ...[worktree.length + 2, `${worktree}/`, `${worktree}0`, worktree.length + 1],
    );
}
