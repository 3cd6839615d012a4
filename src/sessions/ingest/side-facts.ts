import type { Database } from '../../store/database.ts';
import type { LogFolder } from '../providers/log-files.ts';
import type { Provider, Unreadable } from '../providers/provider.ts';

const MAX_TITLE_LENGTH = 400;

/** Gives sessions the titles and parents that their agents keep outside the logs; returns which sessions changed. */
export async function applySideFacts(
  db: Database,
  providers: readonly Provider[],
  folders: readonly LogFolder[],
  redact: (text: string) => string,
  unreadable: Unreadable,
): Promise<readonly number[]> {
  const changed = new Set<number>();
  const update = async (sql: string, ...values: readonly string[]) => {
    for (const row of await db.all(`${sql} RETURNING key`, ...values)) changed.add(Number(row.key));
  };
  for (const { id: provider, sideFacts } of providers) {
    const own = folders.filter((folder) => folder.provider === provider).map((folder) => folder.path);
    if (sideFacts === undefined || own.length === 0) continue;
    const { titles, parents } = sideFacts(own, unreadable);
    for (const [id, name] of titles) {
      const title = redact(name).slice(0, MAX_TITLE_LENGTH);
      const sql = 'UPDATE sessions SET title = ? WHERE provider = ? AND id = ? AND title IS NOT ?';
      await update(sql, title, provider, id, title);
    }
    for (const [id, parent] of parents) {
      const sql = `UPDATE sessions SET parent_id = ?, relation = 'subagent'
        WHERE provider = ? AND id = ? AND parent_id IS NULL`;
      await update(sql, parent, provider, id);
    }
  }
  return [...changed];
}
