import { dirname, join } from 'node:path';
import { readWhole } from '../../contract/open-file.ts';
import type { Database } from '../../store/database.ts';
import { filled, object, parseJson } from '../model/log-json.ts';
import { type CodexState, codexState } from '../providers/codex/codex-state.ts';
import type { LogFolder } from '../providers/log-files.ts';

/** Larger files are not read. */
const LARGEST = 32 << 20;
const LONGEST_NAME = 400;

/**
 * Codex keeps what it knows of threads beside the logs: names that a person gave them in `session_index.jsonl`, where
 * the last line on a thread counts, and names and parents in a database. Gives them to the sessions.
 */
export async function applyThreadFacts(
  db: Database,
  folders: readonly LogFolder[],
  redact: (text: string) => string,
  unreadable: (path: string, error: unknown) => void,
): Promise<readonly number[]> {
  const homes = new Set(folders.filter((one) => one.provider === 'codex').map((one) => dirname(one.path)));
  const changed = new Set<number>();
  for (const home of homes) {
    const { names, parents } = stateOf(home, unreadable);
    for (const [id, name] of new Map([...names, ...threadNames(join(home, 'session_index.jsonl'))])) {
      const title = redact(name).slice(0, LONGEST_NAME);
      await update(
        db,
        'title = ?',
        [title],
        "id = ? AND provider = 'codex' AND title IS NOT ?",
        [id, title],
        changed,
      );
    }
    for (const [id, parent] of parents) {
      const missing = "id = ? AND provider = 'codex' AND parent_id IS NULL";
      await update(db, "parent_id = ?, relation = 'subagent'", [parent], missing, [id], changed);
    }
  }
  return [...changed];
}

async function update(
  db: Database,
  set: string,
  values: readonly string[],
  where: string,
  wanted: readonly string[],
  changed: Set<number>,
): Promise<void> {
  const row = await db.get(`SELECT key FROM sessions WHERE ${where}`, ...wanted);
  if (row === undefined) return;
  await db.run(`UPDATE sessions SET ${set} WHERE key = ?`, ...values, Number(row.key));
  changed.add(Number(row.key));
}

function stateOf(home: string, unreadable: (path: string, error: unknown) => void): CodexState {
  try {
    return codexState(home);
  } catch (error) {
    unreadable(join(home, 'state_5.sqlite'), error);
    return { names: new Map(), parents: new Map() };
  }
}

function threadNames(path: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  try {
    for (const line of readWhole(path, { below: dirname(path) }, LARGEST)
      .toString('utf8')
      .split('\n')) {
      const entry = object(parseJson(line));
      const id = filled(entry.id) ?? filled(entry.thread_id);
      const name = filled(entry.thread_name) ?? filled(entry.name);
      if (id !== undefined && name !== undefined) names.set(id, name);
    }
  } catch {
    // Not every version writes it; a link in its place is not followed.
  }
  return names;
}
