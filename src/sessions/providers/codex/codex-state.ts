import { statSync } from 'node:fs';
import { join } from 'node:path';
import { filled } from '../../model/log-json.ts';
import { type Rows, readForeign } from '../../read/foreign-database.ts';

/** What Codex keeps about its threads outside the logs. */
export interface CodexState {
  /** Names of threads that are not just the beginning of the first message. */
  readonly names: ReadonlyMap<string, string>;
  /** The thread that started each subagent. */
  readonly parents: ReadonlyMap<string, string>;
}

const NOTHING: CodexState = { names: new Map(), parents: new Map() };
const MAX_STATE_BYTES = 512 << 20;

/** The last state of each file, so that an unchanged file is not read again. */
const known = new Map<string, { readonly stamp: string; readonly state: CodexState }>();

/** Reads `state_5.sqlite` of a Codex home. Throws if it cannot be read. */
export function codexState(home: string): CodexState {
  const file = join(home, 'state_5.sqlite');
  const stamp = stampOf(file);
  if (stamp === undefined) return NOTHING;
  const before = known.get(file);
  if (before?.stamp === stamp) return before.state;
  const state = readForeign(file, readState);
  known.set(file, { stamp, state });
  return state;
}

/** Sizes and times of the file and its journal; undefined if there is no file. */
function stampOf(file: string): string | undefined {
  const [main, journal] = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (main === undefined) return undefined;
  if (main.size > MAX_STATE_BYTES) throw new Error('the file is too large');
  return [main.size, main.mtimeMs, journal?.size, journal?.mtimeMs].join();
}

function readState(rows: Rows): CodexState {
  const names = new Map<string, string>();
  const parents = new Map<string, string>();
  // Columns differ between versions.
  for (const row of rows('SELECT * FROM threads')) {
    const id = filled(row.id);
    const name = filled(row.name) ?? titleOf(row);
    if (id !== undefined && name !== undefined) names.set(id, name);
  }
  const linked = rows("SELECT 1 FROM sqlite_master WHERE name = 'thread_spawn_edges'").length > 0;
  for (const row of linked ? rows('SELECT * FROM thread_spawn_edges') : []) {
    const child = filled(row.child_thread_id);
    const parent = filled(row.parent_thread_id);
    if (child !== undefined && parent !== undefined && child !== parent) parents.set(child, parent);
  }
  return { names, parents };
}

/** The title of a thread, unless it is just the beginning of the first message, as in threads without a name. */
function titleOf(row: Readonly<Record<string, unknown>>): string | undefined {
  const title = filled(row.title)?.trim();
  const first = filled(row.first_user_message)?.trim() ?? '';
  return title === undefined || title === '' || first.startsWith(title.replace(/(?:…|\.{3})$/, ''))
    ? undefined
    : title;
}
