import type { Database, SqlRow } from '../store/database.ts';
import { lineHash, unpackHashes } from './line-hashes.ts';
import { type Certainty, isSameFile } from './link-commit.ts';

/** A commit and the session that it comes from, if one is known. */
export interface LinkedCommit {
  readonly id: number;
  readonly hash: string;
  readonly author: string;
  readonly authoredMs: number;
  readonly subject: string;
  readonly files: number;
  readonly link: CommitLink | undefined;
}

export interface CommitLink {
  readonly session: string;
  readonly certainty: Certainty;
  readonly lines: number;
  readonly ofLines: number;
  readonly reasons: readonly string[];
}

/** An edit that wrote a line, and the session that it is in. */
export interface WritingEdit {
  readonly session: string;
  /** The session that a person started; the same unless a subagent made the edit. */
  readonly main: string;
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
}

const COLUMNS = `c.id, c.hash, c.author, c.authored_ms, c.subject,
  (SELECT COUNT(*) FROM commit_files f WHERE f."commit" = c.id) AS files,
  l.session, l.certainty, l.lines, l.of_lines, l.reasons`;
const FROM = 'commits c LEFT JOIN links l ON l."commit" = c.id';

export type CommitStore = ReturnType<typeof commitStore>;

/** Questions to the index of commits. */
export function commitStore(db: Database) {
  return {
    /** The commits with these hashes, in their order; those that are not in the index are left out. */
    async withHashes(repository: number, hashes: readonly string[]): Promise<readonly LinkedCommit[]> {
      const found: LinkedCommit[] = [];
      for (const hash of hashes) {
        const row = await db.get(
          `SELECT ${COLUMNS} FROM ${FROM} WHERE c.repository = ? AND c.hash = ?`,
          ...[repository, hash],
        );
        if (row !== undefined) found.push(linkedCommit(row));
      }
      return found;
    },

    /** The commits of a session, oldest first; one that was rebased is shown once, as it was committed last. */
    async ofSession(repository: number, session: string): Promise<readonly LinkedCommit[]> {
      const rows = await db.all(
        `SELECT ${COLUMNS} FROM ${FROM} WHERE c.repository = ? AND l.session = ?
         ORDER BY c.authored_ms, c.committed_ms`,
        ...[repository, session],
      );
      const byChange = new Map(rows.map((row) => [`${row.authored_ms} ${row.subject}`, linkedCommit(row)]));
      return [...byChange.values()];
    },

    /** The last edit of a file before a time that wrote a line, in one session or in any. */
    async writing(
      path: string,
      line: string,
      untilMs: number,
      session?: string,
    ): Promise<WritingEdit | undefined> {
      const hash = lineHash(line);
      if (hash === undefined) return undefined;
      const name = path.slice(path.lastIndexOf('/') + 1);
      const rows = await db.all(
        `SELECT e.*, s.main FROM edits e JOIN edited_sessions s ON s.session = e.session
         WHERE e.ms <= ? AND substr(e.path, -?) = ? ${session === undefined ? '' : 'AND s.main = ?'} ORDER BY e.ms DESC`,
        ...[untilMs, name.length, name, ...(session === undefined ? [] : [session])],
      );
      const row = rows.find(
        (each) => isSameFile(String(each.path), path) && unpackHashes(each.added_lines).includes(hash),
      );
      return (
        row && {
          session: String(row.session),
          main: String(row.main),
          event: Number(row.event),
          turn: Number(row.turn),
          step: Number(row.step),
          ms: Number(row.ms),
        }
      );
    },

    /** The sessions below a main one that edited files, itself included. */
    async sessionsOf(main: string): Promise<readonly string[]> {
      const rows = await db.all('SELECT session FROM edited_sessions WHERE main = ?', main);
      return rows.map(({ session }) => String(session));
    },

    /** Where edits of a session were made, and the commit that each ended in. */
    async editsOf(
      session: string,
    ): Promise<
      readonly { readonly turn: number; readonly step: number; readonly commit: number | undefined }[]
    > {
      const rows = await db.all(
        'SELECT turn, step, "commit" FROM edits WHERE session = ? ORDER BY turn, step, event',
        session,
      );
      return rows.map((row) => ({
        turn: Number(row.turn),
        step: Number(row.step),
        commit: row.commit === null ? undefined : Number(row.commit),
      }));
    },

    /** The sessions with edits that ended in a commit. */
    async sessionsIn(commit: number): Promise<readonly string[]> {
      const rows = await db.all('SELECT DISTINCT session FROM edits WHERE "commit" = ?', commit);
      return rows.map(({ session }) => String(session));
    },
  };
}

function linkedCommit(row: SqlRow): LinkedCommit {
  const { session } = row;
  return {
    id: Number(row.id),
    hash: String(row.hash),
    author: String(row.author),
    authoredMs: Number(row.authored_ms),
    subject: String(row.subject),
    files: Number(row.files),
    link:
      typeof session !== 'string'
        ? undefined
        : {
            session,
            certainty: CERTAINTIES.find((name) => name === row.certainty) ?? 'uncertain',
            lines: Number(row.lines),
            ofLines: Number(row.of_lines),
            reasons: String(row.reasons).split('\n').filter(Boolean),
          },
  };
}

const CERTAINTIES: readonly Certainty[] = ['certain', 'likely', 'uncertain'];
