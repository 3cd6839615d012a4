import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from '../../store/database.ts';
import { filled, object, parseJson } from '../model/json.ts';
import type { LogFolder } from '../providers/find.ts';

/** Larger ones are none. */
const LARGEST = 32 << 20;

/**
 * Codex keeps the names that a person gave to threads beside the logs: `session_index.jsonl`, where the last line on a
 * thread counts. Gives them to the sessions as titles.
 */
export async function applyThreadNames(
  db: Database,
  folders: readonly LogFolder[],
  redact: (text: string) => string,
): Promise<readonly number[]> {
  const homes = new Set(folders.filter((one) => one.provider === 'codex').map((one) => dirname(one.path)));
  const changed: number[] = [];
  for (const home of homes) {
    for (const [id, name] of threadNames(join(home, 'session_index.jsonl'))) {
      const title = redact(name);
      const row = await db.get(
        "SELECT key FROM sessions WHERE id = ? AND provider = 'codex' AND title IS NOT ?",
        ...[id, title],
      );
      if (row === undefined) continue;
      await db.run('UPDATE sessions SET title = ? WHERE key = ?', title, Number(row.key));
      changed.push(Number(row.key));
    }
  }
  return changed;
}

function threadNames(path: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  try {
    if (statSync(path).size > LARGEST) return names;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const entry = object(parseJson(line));
      const id = filled(entry.id) ?? filled(entry.thread_id);
      const name = filled(entry.thread_name) ?? filled(entry.name);
      if (id !== undefined && name !== undefined) names.set(id, name);
    }
  } catch {
    // Not every version writes it.
  }
  return names;
}
