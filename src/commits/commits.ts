import { join } from 'node:path';
import { DAY_MS } from '../contract/time.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Database } from '../store/database.ts';
import { openRebuildable } from '../store/rebuildable-database.ts';
import { type Charge, chargeEdits, placeKey } from './charge.ts';
import { commitStore } from './commit-store.ts';
import { COMMITS_SCHEMA } from './commits-schema.ts';
import { placedEdits } from './edit-fates.ts';
import { userOf } from './git/git-user.ts';
import { linkSince } from './link-all.ts';
import { refreshCommits } from './refresh-commits.ts';
import { refreshEdits } from './refresh-edits.ts';

const INDEX_FILE = 'commits.db';
/** Older commits cannot come from any session. */
const BEFORE_FIRST_MS = DAY_MS;

export interface CommitsDeps {
  readonly home: string;
  readonly sessions: Sessions;
  readonly log: (line: string) => void;
}

/** Finds the sessions that the commits of a repository come from. */
export type Commits = Awaited<ReturnType<typeof openCommits>>;

export async function openCommits({ home, sessions, log }: CommitsDeps) {
  const file = join(home, INDEX_FILE);
  const db = await openRebuildable(file, COMMITS_SCHEMA, log);
  const store = commitStore(db);
  const closing = new AbortController();
  const running = new Map<string, Promise<number | undefined>>();

  let readMark: string | undefined;

  /** Usually no session has grown since the last call. */
  async function readEdits(): Promise<void> {
    const mark = await sessions.files.changes.mark();
    if (mark === readMark) return;
    const newEdits = await refreshEdits(db, sessions, closing.signal);
    // Every repository links its commits again on its next query.
    if (newEdits !== undefined) await markUnlinked(db, newEdits);
    readMark = mark;
  }

  async function refresh(root: string): Promise<number | undefined> {
    const { signal } = closing;
    await readEdits();
    const first = await db.get('SELECT MIN(start_ms) AS ms FROM edited_sessions');
    const sinceMs = first?.ms === null || first === undefined ? Date.now() : Number(first.ms);
    const repository = await refreshCommits(db, root, sinceMs - BEFORE_FIRST_MS, signal);
    if (repository === undefined) return undefined;
    if (repository.newSinceMs !== undefined) await markUnlinked(db, repository.newSinceMs, repository.id);
    const row = await db.get('SELECT unlinked_ms FROM repositories WHERE id = ?', repository.id);
    if (row?.unlinked_ms !== null && row !== undefined) {
      await linkSince(db, repository.id, Number(row.unlinked_ms), await userOf(root, signal), signal);
      await db.run('UPDATE repositories SET unlinked_ms = NULL WHERE id = ?', repository.id);
    }
    return repository.id;
  }

  return {
    db,
    file,
    ...store,
    /** What a session spent, by commit, file and waste. */
    async charges(id: string): Promise<readonly Charge[]> {
      const session = await sessions.list.find(id);
      const [spent, failed, edits] = await Promise.all([
        sessions.usage.bySteps(session),
        sessions.files.changes.failedSteps(session),
        placedEdits(db, id),
      ]);
      return chargeEdits(spent, edits, new Set(failed.map(({ turn, step }) => placeKey(turn, step))));
    },
    /** Deletes what is known about a session; its commits then have no session. */
    async forget(session: string): Promise<void> {
      readMark = undefined;
      await db.run('PRAGMA secure_delete = ON');
      for (const table of ['edits', 'said_commits', 'edited_sessions', 'links'])
        await db.run(`DELETE FROM ${table} WHERE session = ?`, session);
      await db.run('PRAGMA secure_delete = OFF');
    },
    /**
     * Brings a repository up to date; returns its id in the index, or undefined if there is no repository at this root.
     */
    refresh(root: string): Promise<number | undefined> {
      const known = running.get(root);
      if (known !== undefined) return known;
      const started = refresh(root).finally(() => running.delete(root));
      running.set(root, started);
      return started;
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(running.values());
      await db.close();
    },
  };
}

/** Marks the commits since a time for linking again: those of one repository, or of all. */
async function markUnlinked(db: Database, ms: number, repository?: number): Promise<void> {
  await db.run(
    `UPDATE repositories SET unlinked_ms = MIN(COALESCE(unlinked_ms, ?), ?)${repository === undefined ? '' : ' WHERE id = ?'}`,
    ...[ms, ms, ...(repository === undefined ? [] : [repository])],
  );
}
