import type { Database } from '../../store/database.ts';
import { int, optional, str } from './session-row.ts';

export interface UnknownRecords {
  readonly provider: string;
  readonly version: string | undefined;
  readonly label: string;
  readonly records: number;
  readonly sessions: number;
  /** A session with such a record. */
  readonly example: string;
}

export interface Health {
  readonly files: number;
  readonly bytes: number;
  readonly sessions: number;
  readonly events: number;
  readonly missing: number;
  readonly badLines: number;
  readonly unknown: readonly UnknownRecords[];
  /** How many logs of a folder were read. */
  logsBelow(folder: string): Promise<number>;
}

/** Reads how much was indexed, and which records the readers did not recognise, by version of the agent. */
export function indexHealth(db: Database): () => Promise<Health> {
  return async () => {
    const files = await db.get(
      'SELECT COUNT(*) AS n, SUM(size) AS bytes, SUM(missing) AS missing FROM files',
    );
    const sessions = await db.get(
      'SELECT COUNT(*) AS n, SUM(events) AS events, SUM(bad_lines) AS bad FROM sessions',
    );
    const unknown = await db.all(
      `SELECT s.provider, s.version, u.label, SUM(u.records) AS records, COUNT(*) AS sessions, MIN(s.id) AS example
       FROM unknown u JOIN sessions s ON s.key = u.session
       GROUP BY s.provider, s.version, u.label ORDER BY s.provider, records DESC, u.label`,
    );
    return {
      files: int(files?.n),
      bytes: int(files?.bytes),
      sessions: int(sessions?.n),
      events: int(sessions?.events),
      missing: int(files?.missing),
      badLines: int(sessions?.bad),
      // All paths that begin with the folder and a slash: the character after the slash is a zero.
      logsBelow: async (folder) =>
        int(
          (
            await db.get(
              'SELECT COUNT(*) AS n FROM files WHERE path > ? AND path < ?',
              `${folder}/`,
              `${folder}0`,
            )
          )?.n,
        ),
      unknown: unknown.map((row) => ({
        provider: str(row.provider),
        version: optional(row.version),
        label: str(row.label),
        records: int(row.records),
        sessions: int(row.sessions),
        example: str(row.example),
      })),
    };
  };
}
