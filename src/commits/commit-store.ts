import type { Database, SqlRow } from '../store/database.ts';
import { checkpointReasons, notedIn } from './git/named-sessions.ts';
import { unpackHashes } from './line-hashes.ts';
import { type Certainty, isSameFile } from './link-commit.ts';

/** A commit and the session it comes from, if known. */
export interface LinkedCommit {
  /** Its number in the index, and the numbers of its copies on other branches, which a rebase makes. */
  readonly ids: readonly number[];
  readonly hash: string;
  readonly author: string;
  readonly authoredMs: number;
  readonly subject: string;
  readonly files: number;
  /** What other tools noted about it. */
  readonly notes: readonly string[];
  readonly link: CommitLink | undefined;
}

export interface CommitLink {
  readonly session: string;
  readonly certainty: Certainty;
  readonly lines: number;
  readonly ofLines: number;
  /** Added lines that the session wrote in the same file, out of all added lines that are distinctive. */
  readonly written: number;
  readonly ofWritten: number;
  readonly reasons: readonly string[];
}

/** An edit of a file, and its session. */
export interface FileEdit {
  readonly session: string;
  /** The session that a person started: the same one, unless a subagent made the edit. */
  readonly main: string;
  readonly path: string;
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  /** Hashes of the lines it wrote. */
  readonly added: Uint32Array;
}

const COLUMNS = `(SELECT group_concat(o.id) FROM commits o WHERE o.repository = c.repository AND o.authored_ms = c.authored_ms
    AND o.subject = c.subject) AS ids, c.hash, c.author, c.authored_ms, c.subject, c.checkpoints, c.noted,
  (SELECT COUNT(*) FROM commit_files f WHERE f."commit" = c.id) AS files,
  l.session, l.certainty, l.lines, l.of_lines, l.written, l.of_written, l.reasons`;
const FROM = 'commits c LEFT JOIN links l ON l."commit" = c.id';

/** The last part of a path, used to find edits of a file in any checkout. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function commitStore(db: Database) {
  return {
    /** The commits with these hashes, in the given order; those not in the index are left out. */
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

    /** The commits of a session, oldest first; a rebased commit is shown once, in its latest form. */
    async ofSession(repository: number, session: string): Promise<readonly LinkedCommit[]> {
      const rows = await db.all(
        `SELECT ${COLUMNS} FROM ${FROM} WHERE c.repository = ? AND l.session = ?
         ORDER BY c.authored_ms, c.committed_ms`,
        ...[repository, session],
      );
      return lastCopies(rows);
    },

    /** The edits of a file in any checkout, newest first; given a session, only its own and those of its subagents. */
    async editsOfFile(path: string, main?: string): Promise<readonly FileEdit[]> {
      const rows = await db.all(
        `SELECT e.session, e.path, e.event, e.turn, e.step, e.ms, e.added_lines, s.main
         FROM edits e JOIN edited_sessions s ON s.session = e.session
         WHERE e.name = ?${main === undefined ? '' : ' AND s.main = ?'} ORDER BY e.ms DESC`,
        ...[nameOf(path), ...(main === undefined ? [] : [main])],
      );
      return rows
        .filter((row) => isSameFile(String(row.path), path))
        .map((row) => ({
          session: String(row.session),
          main: String(row.main),
          path: String(row.path),
          event: Number(row.event),
          turn: Number(row.turn),
          step: Number(row.step),
          ms: Number(row.ms),
          added: unpackHashes(row.added_lines),
        }));
    },

    /** The commits that changed a file, newest first. */
    async ofFile(repository: number, path: string): Promise<readonly LinkedCommit[]> {
      const rows = await db.all(
        `SELECT ${COLUMNS} FROM ${FROM} JOIN commit_files f ON f."commit" = c.id
         WHERE c.repository = ? AND f.path = ? ORDER BY c.authored_ms DESC, c.committed_ms DESC`,
        ...[repository, path],
      );
      return lastCopies(rows);
    },

    /** The sessions with edits that are in one of these commits. */
    async sessionsIn(commits: readonly number[]): Promise<readonly string[]> {
      const rows = await db.all(
        `SELECT DISTINCT session FROM edits WHERE "commit" IN (${commits.map(() => '?').join(', ')})`,
        ...commits,
      );
      return rows.map(({ session }) => String(session));
    },
  };
}

/** Keeps only the last row of a commit that was rebased. */
function lastCopies(rows: readonly SqlRow[]): readonly LinkedCommit[] {
  return [...new Map(rows.map((row) => [`${row.authored_ms} ${row.subject}`, linkedCommit(row)])).values()];
}

function linkedCommit(row: SqlRow): LinkedCommit {
  const { session } = row;
  return {
    ids: String(row.ids).split(',').map(Number),
    hash: String(row.hash),
    author: String(row.author),
    authoredMs: Number(row.authored_ms),
    subject: String(row.subject),
    files: Number(row.files),
    notes: [
      ...new Set(
        [
          ...notedIn(String(row.noted)),
          ...checkpointReasons(String(row.checkpoints).split(' ').filter(Boolean)),
        ].map(({ reason }) => reason),
      ),
    ],
    link:
      typeof session !== 'string'
        ? undefined
        : {
            session,
            certainty: CERTAINTIES.find((name) => name === row.certainty) ?? 'uncertain',
            lines: Number(row.lines),
            ofLines: Number(row.of_lines),
            written: Number(row.written),
            ofWritten: Number(row.of_written),
            reasons: String(row.reasons).split('\n').filter(Boolean),
          },
  };
}

const CERTAINTIES: readonly Certainty[] = ['certain', 'likely', 'uncertain'];
