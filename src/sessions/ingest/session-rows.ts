import type { Database } from '../../store/database.ts';
import { type AssemblerState, packState } from '../model/state.ts';
import { unknownRecords } from '../model/unknown-things.ts';
import type { LogFile } from '../providers/log-files.ts';
import { OF_SESSIONS } from '../store/session-scope.ts';
import type { Fingerprint } from './fingerprint.ts';
import { projectHash, projectOf } from './project-of.ts';
import { shortenIds } from './short-ids.ts';
import { settleResponses } from './usage-rows.ts';

export type FileMark = Fingerprint & { readonly consumed: number };

/** Removes everything about a session except its row, so that its key and id stay. */
export async function clearSession(tx: Database, key: number): Promise<void> {
  await tx.run('DELETE FROM grams WHERE rowid IN (SELECT id FROM blocks WHERE session = ?)', key);
  await tx.run('DELETE FROM bodies WHERE block IN (SELECT id FROM blocks WHERE session = ?)', key);
  for (const table of OF_SESSIONS)
    if (table !== 'files') await tx.run(`DELETE FROM ${table} WHERE session = ?`, key);
  await tx.run("UPDATE sessions SET parent_id = NULL, relation = NULL, analysed = '' WHERE key = ?", key);
}

/** Removes a session whose log was deleted; what it shared with others now belongs to them. */
export async function removeSession(tx: Database, key: number): Promise<void> {
  const shared = await tx.all(
    `SELECT response FROM usage u WHERE session = ? AND owned = 1
       AND EXISTS (SELECT 1 FROM usage o WHERE o.response = u.response AND o.session <> u.session)`,
    key,
  );
  const row = await tx.get('SELECT id, copy_of, parent_id, relation FROM sessions WHERE key = ?', key);
  await clearSession(tx, key);
  await tx.run('DELETE FROM sessions WHERE key = ?', key);
  await tx.run('DELETE FROM files WHERE session = ?', key);
  if (row !== undefined && row.copy_of === null) await promoteCopy(tx, String(row.id));
  // Sessions that a subagent started move to the session that started the subagent.
  if (row?.relation === 'subagent') {
    await tx.run(
      "UPDATE sessions SET parent_id = ? WHERE parent_id = ? AND relation = 'subagent'",
      ...[row.parent_id ?? null, String(row.id)],
    );
  }
  await settleResponses(
    tx,
    shared.map(({ response }) => String(response)),
  );
}

/** Replaces a removed session with its newest copy. */
async function promoteCopy(tx: Database, id: string): Promise<void> {
  const copy = await tx.get(
    'SELECT key FROM sessions WHERE copy_of = ? ORDER BY end_ms DESC, events DESC LIMIT 1',
    id,
  );
  if (copy !== undefined)
    await tx.run('UPDATE sessions SET id = ?, copy_of = NULL WHERE key = ?', id, Number(copy.key));
  await shortenIds(tx, id);
}

/** The session that was read from a log, if it was read. */
export async function sessionOfFile(tx: Database, path: string): Promise<number | undefined> {
  const row = await tx.get('SELECT session FROM files WHERE path = ?', path);
  return row?.session === null || row?.session === undefined ? undefined : Number(row.session);
}

export async function upsertFile(
  tx: Database,
  file: LogFile,
  session: number,
  mark: FileMark,
  rewritten: boolean,
): Promise<void> {
  await tx.run(
    `INSERT INTO files (path, provider, session, size, mtime, consumed, head, tail, archived, missing, kept_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET session = excluded.session, size = excluded.size, mtime = excluded.mtime,
       consumed = excluded.consumed, head = excluded.head, tail = excluded.tail, missing = excluded.missing`,
    ...[file.path, file.provider, session, mark.size, mark.mtime, mark.consumed, mark.head, mark.tail],
    ...[file.archived ? 1 : 0, file.keptAt === undefined ? 0 : 1, file.keptAt ?? null],
  );
  // A log that was read from the beginning does not continue its copy in the archive.
  if (rewritten) await tx.run('UPDATE files SET kept = 0 WHERE path = ?', file.path);
}

const COLUMNS = [
  'machine',
  'person',
  'project_hash',
  'project_path',
  'cwd',
  'branch',
  'version',
  'model',
  'title',
  'agent_name',
  'parent_id',
  'relation',
  'spawn_call',
  'start_ms',
  'end_ms',
  'snippet',
  'last_prompt',
  'last_message',
  'turns',
  'steps',
  'events',
  'tool_calls',
  'failures',
  'rejected',
  'interrupted',
  'compactions',
  'bad_lines',
  'unknown_records',
  'context_tokens',
  'context_window',
  'blind_replay',
  'client_usage',
  'state',
] as const;

/** Columns that other logs or side files may have set: a log without a value does not clear them. */
const LEARNT: ReadonlySet<string> = new Set(['title', 'parent_id', 'relation']);

function assigned(name: string): string {
  return LEARNT.has(name) ? `${name} = COALESCE(?, ${name})` : `${name} = ?`;
}

/** Writes the row of a session and returns its key. */
export async function upsertSession(
  tx: Database,
  key: number | undefined,
  id: string,
  file: LogFile,
  state: AssemblerState,
): Promise<number> {
  const { facts } = state;
  const { origin } = file;
  const project = origin?.project ?? (facts.cwd === undefined ? undefined : projectOf(facts.cwd));
  const unknown = unknownRecords(state);
  const values = [
    ...[origin?.machine ?? null, origin?.person ?? null],
    ...[project === undefined ? (facts.projectHash ?? null) : projectHash(project), project ?? null],
    ...[
      facts.cwd ?? null,
      facts.branch ?? null,
      facts.version ?? null,
      facts.model ?? null,
      facts.title ?? null,
    ],
    ...[facts.agentName ?? null, facts.parentId ?? null, facts.relation ?? null, file.spawnCall ?? null],
    ...[state.startMs, state.ms, state.snippet, state.lastPrompt, state.lastMessage],
    ...[state.turns, state.steps, state.events, state.toolCalls, state.failures],
    ...[state.rejected, state.interrupted, state.compactions, state.badLines, unknown, state.contextTokens],
    ...[facts.contextWindow ?? null, state.blindReplay ? 1 : 0],
    ...[facts.clientUsage === undefined ? null : JSON.stringify(facts.clientUsage), packState(state)],
  ];
  const session = key ?? (await newSession(tx, id, file, state));
  await tx.run(`UPDATE sessions SET ${COLUMNS.map(assigned).join(', ')} WHERE key = ?`, ...values, session);
  await tx.batch(
    'INSERT OR REPLACE INTO unknown (session, label, records) VALUES (?, ?, ?)',
    [...state.unknown].map(([label, records]) => [session, label, records]),
  );
  return session;
}

/**
 * A thread can be in two files: archived and not, before and after a revert, as `.json` and `.jsonl`, or when its agent
 * began another file to continue and left it without a prompt. The one in use, or else the longest, gets the id; the
 * others are copies, with a suffix. Logs of different agents, and logs whose only id is their file name, are not
 * copies: they get a number.
 */
export async function newSession(
  tx: Database,
  id: string,
  file: Pick<LogFile, 'id' | 'provider' | 'archived'>,
  state: {
    readonly facts: { readonly id?: string | undefined };
    readonly ms: number;
    readonly snippet: string;
    readonly events: number;
  },
): Promise<number> {
  const holder = await tx.get(
    `SELECT s.key, s.provider, s.end_ms, s.snippet, s.events, f.archived FROM sessions s LEFT JOIN files f ON f.session = s.key WHERE s.id = ?`,
    id,
  );
  let own = id;
  let copyOf: string | null = null;
  const named = file.id !== undefined || state.facts.id !== undefined;
  if (holder !== undefined && (!named || holder.provider !== file.provider)) own = await freeName(tx, id);
  else if (holder !== undefined) {
    const count = await tx.get('SELECT COUNT(*) AS n FROM sessions WHERE copy_of = ?', id);
    const copy = `${id}~${Number(count?.n ?? 0) + 2}`;
    const better =
      compareRank(
        [file.archived ? 0 : 1, state.snippet === '' ? 0 : 1, state.ms, state.events],
        [
          holder.archived === 1 ? 0 : 1,
          holder.snippet === '' ? 0 : 1,
          Number(holder.end_ms),
          Number(holder.events),
        ],
      ) > 0;
    if (better)
      await tx.run('UPDATE sessions SET id = ?, copy_of = ? WHERE key = ?', copy, id, Number(holder.key));
    else {
      own = copy;
      copyOf = id;
    }
  }
  const { id: key } = await tx.run(
    `INSERT INTO sessions (id, copy_of, provider, start_ms, end_ms, snippet, last_message, turns, steps, events,
       tool_calls, failures, compactions, bad_lines, unknown_records, context_tokens, state)
     VALUES (?, ?, ?, 0, 0, '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, '')`,
    ...[own, copyOf, file.provider],
  );
  await shortenIds(tx, id);
  return key;
}

/** The name with the first suffix number that no session has. */
async function freeName(tx: Database, name: string): Promise<string> {
  for (let number = 2; ; number++) {
    const numbered = `${name}-${number}`;
    if ((await tx.get('SELECT 1 FROM sessions WHERE id = ?', numbered)) === undefined) return numbered;
  }
}

function compareRank(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    if (value !== other) return value - other;
  }
  return 0;
}
