import { fail, PinholeError } from '../../contract/errors.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { callListSessions } from '../calls.ts';
import { shortId as shortestId } from '../ingest/short-ids.ts';
import { SESSION_COLUMNS, type SessionRow, sessionRow, str } from './session-row.ts';

const MAX_SHOWN_MATCHES = 10;

/** The upper bound of texts that begin with `prefix`. */
function after(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/** Finds sessions by the names callers use. A session may still be missing while logs are being read. */
export function sessionFinder(db: Database, reading: () => boolean, scoped = false) {
  /** The session with this id, or else those whose id begins with it. */
  async function named(name: string): Promise<readonly SqlRow[]> {
    const exact = await db.get(`SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.id = ?`, name);
    if (exact !== undefined) return [exact];
    return db.all(
      `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.id >= ? AND s.id < ? AND s.copy_of IS NULL ORDER BY s.id LIMIT ?`,
      ...[name, after(name), MAX_SHOWN_MATCHES + 1],
    );
  }

  /** The session that started last, as in lists; subagents belong to another session. */
  function newest(): Promise<readonly SqlRow[]> {
    return db.all(
      `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.copy_of IS NULL AND s.events > 0
       AND COALESCE(s.relation, '') <> 'subagent' ORDER BY s.start_ms DESC, s.key DESC LIMIT 1`,
    );
  }

  /** The shortest prefix of an id, of at least 8 characters, that no other session shares. */
  async function shortId(id: string): Promise<string> {
    const row = await db.get('SELECT short FROM sessions WHERE id = ?', id);
    return str(row?.short) || shortestId(id, []);
  }

  /** The short id of the session with this key. */
  async function shortIdOf(key: number): Promise<string> {
    const row = await db.get('SELECT short FROM sessions WHERE key = ?', key);
    return str(row?.short);
  }

  /** The session with this id, id prefix or log path; `last` is the newest. */
  async function find(given: string): Promise<SessionRow> {
    const wanted = given.trim();
    const name = wanted.replace(/^agent-/, '');
    if (wanted.includes('/')) {
      const byPath = await db.get(
        `SELECT ${SESSION_COLUMNS} FROM files f JOIN sessions s ON s.key = f.session WHERE f.path = ?`,
        wanted,
      );
      if (byPath !== undefined) return sessionRow(byPath);
    }
    const asGiven = name === 'last' ? await newest() : await named(name);
    // Agents write ids in lower case, but other tools show them in upper case.
    const rows = asGiven.length > 0 ? asGiven : await named(name.toLowerCase());
    const [only, second] = rows;
    if (only === undefined) {
      const details = { session_id: shown(wanted) };
      if (reading()) {
        const message = `No session '${shown(wanted)}' so far: logs are still being read. Ask again in a few seconds.`;
        throw new PinholeError('session_not_found', message, { details, retryable: true });
      }
      const where = scoped ? ' in these folders; those of other projects are hidden' : '';
      fail('session_not_found', `No session '${shown(wanted)}'${where}.`, {
        next: callListSessions({}),
        details,
      });
    }
    if (second !== undefined) {
      const more = rows.length > MAX_SHOWN_MATCHES;
      const matches = await Promise.all(rows.slice(0, MAX_SHOWN_MATCHES).map((row) => shortId(str(row.id))));
      const count = more ? `more than ${MAX_SHOWN_MATCHES}` : String(rows.length);
      fail(
        'ambiguous_session_prefix',
        `'${shown(wanted)}' matches ${count} sessions; give more characters.`,
        {
          details: {
            matches,
          },
        },
      );
    }
    return sessionRow(only);
  }

  return { find, shortId, shortIdOf };
}

function shown(text: string): string {
  return text.slice(0, 80);
}
