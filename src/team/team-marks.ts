import type { SessionMarks } from '../sessions/store/session-marks.ts';
import { optionalText } from '../store/column-values.ts';
import type { Database } from '../store/database.ts';

export const MARKS_TABLE = `
CREATE TABLE session_marks (
  session TEXT COLLATE "C" PRIMARY KEY,
  starred BIGINT NOT NULL,
  note TEXT
);
`;

/** The stars and notes of a team, the same on every node. They are visible to everyone who sees the session. */
export function teamMarks(db: Database): SessionMarks {
  return {
    async of(session) {
      const row = await db.get('SELECT starred, note FROM session_marks WHERE session = ?', session);
      const note = optionalText(row?.note);
      return {
        ...(row?.starred === 1 && { starred: true as const }),
        ...(note !== undefined && { note }),
      };
    },
    async starred() {
      const rows = await db.all('SELECT session FROM session_marks WHERE starred = 1 ORDER BY session');
      return rows.map(({ session }) => String(session));
    },
    async set(session, { starred, note }) {
      if (starred === undefined && note === undefined) {
        await db.run('DELETE FROM session_marks WHERE session = ?', session);
        return;
      }
      await db.run(
        'INSERT OR REPLACE INTO session_marks (session, starred, note) VALUES (?, ?, ?)',
        ...[session, starred === true ? 1 : 0, note ?? null],
      );
    },
  };
}
