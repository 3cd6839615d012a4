import { decompress } from 'fzstd';
import { filled, isObject, type JsonObject, parseJson } from '../../model/log-json.ts';
import { checkTables, type Rows, readForeign } from '../../read/foreign-database.ts';
import type { SessionStore, StoredSession } from '../provider.ts';

/** Since 2026.7.2; before, the database had no conversations. */
export const OPENCLAW_DATABASE = 'openclaw-agent.sqlite';

const MAX_EVENT_BYTES = 4 << 20;
const NEEDED = { transcript_events: ['session_id', 'seq', 'event_json', 'created_at'] } as const;

/** Sessions in the database of an OpenClaw agent: the lines of pi, one per row; large ones are packed with zstd. */
export const openclawStore: SessionStore = {
  files: /\.sqlite$/,
  sessions: (file) => readForeign(file, sessionsOf),
  *records(file, session, from) {
    yield* readForeign(file, (rows) => recordsOf(rows, session, from));
  },
};

function sessionsOf(rows: Rows): readonly StoredSession[] {
  if (tables(rows, 'session%').length === 0) return [];
  checkTables(rows, NEEDED);
  // The number of the last event is in an index; counting or the newest time would read every event.
  return rows(
    `SELECT s.session_id, s.last, e.created_at FROM
       (SELECT session_id, MAX(seq) AS last FROM transcript_events GROUP BY session_id) s
     JOIN transcript_events e ON e.session_id = s.session_id AND e.seq = s.last`,
  ).map((row) => ({
    id: String(row.session_id),
    size: Number(row.last),
    changedMs: Number(row.created_at),
  }));
}

function recordsOf(rows: Rows, session: string, from: number): readonly JsonObject[] {
  const events = rows(
    'SELECT * FROM transcript_events WHERE session_id = ? ORDER BY seq LIMIT -1 OFFSET ?',
    session,
    from,
  ).map(({ event_json, event_zstd }) => {
    const event = parseJson(event_zstd instanceof Uint8Array ? unpacked(event_zstd) : String(event_json));
    return isObject(event) ? event : { type: 'unreadable' };
  });
  const [header, ...rest] = events;
  return from > 0 || header === undefined ? events : [{ ...header, ...startedBy(rows, session) }, ...rest];
}

function unpacked(bytes: Uint8Array): string {
  if (bytes.length > MAX_EVENT_BYTES) throw new Error('an event is too large');
  return Buffer.from(decompress(bytes)).toString('utf8');
}

/** The session that started this one, or that it was copied from. */
function startedBy(rows: Rows, session: string): JsonObject {
  if (tables(rows, 'session_nodes').length === 0) return {};
  const [found] = rows(
    `SELECT p.current_session_id AS spawnedBy, n.fork_source_session_id AS forkedFrom
     FROM session_nodes n LEFT JOIN session_nodes p ON p.session_key = n.spawned_by
     WHERE n.current_session_id = ?`,
    session,
  );
  return Object.fromEntries(Object.entries(found ?? {}).filter(([, id]) => filled(id) !== undefined));
}

function tables(rows: Rows, like: string): readonly unknown[] {
  return rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE ?", like);
}

/** Names that people gave their sessions. */
export function openclawTitles(file: string): ReadonlyMap<string, string> {
  return readForeign(file, (rows) => {
    if (tables(rows, 'session_nodes').length === 0) return new Map();
    const named = rows(
      'SELECT current_session_id AS id, COALESCE(label, display_name) AS title FROM session_nodes',
    );
    return new Map(
      named.flatMap(({ id, title }): [string, string][] => {
        const name = filled(title);
        return name === undefined ? [] : [[String(id), name]];
      }),
    );
  });
}
