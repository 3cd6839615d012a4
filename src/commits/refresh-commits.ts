import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../store/database.ts';
import { checkpointSessions } from './git/entire-checkpoints.ts';
import { type Commit, listCommits, readChanges } from './git/read-commits.ts';
import { refsByGit, refsMark } from './git/refs-mark.ts';
import { packHashes } from './line-hashes.ts';

export interface KnownRepository {
  readonly id: number;
  /** The time of the earliest new commit; undefined if there is none. */
  readonly newSinceMs: number | undefined;
}

const COMMITS_PER_BATCH = 200;

/** Reads the commits of a repository that are not in the index yet; undefined if there is no repository. */
export async function refreshCommits(
  db: Database,
  root: string,
  sinceMs: number,
  signal: AbortSignal,
): Promise<KnownRepository | undefined> {
  const refs = refsMark(root) ?? (await refsByGit(root, signal));
  if (refs === undefined) return undefined;
  const known = await db.get('SELECT id, since_ms, refs FROM repositories WHERE root = ?', root);
  if (known !== undefined && known.refs === refs && Number(known.since_ms) <= sinceMs)
    return { id: Number(known.id), newSinceMs: undefined };
  const since = Math.min(sinceMs, Number(known?.since_ms ?? sinceMs));
  const heads = await listCommits(root, since, signal);
  if (heads === undefined) return undefined;
  const id = known === undefined ? await addRepository(db, root, since) : Number(known.id);
  const stored = await db.all('SELECT hash FROM commits WHERE repository = ?', id);
  const there = new Set(stored.map(({ hash }) => String(hash)));
  const unread = heads.filter(({ hash }) => !there.has(hash));
  const made = await checkpointSessions(
    root,
    unread.flatMap(({ checkpoints }) => checkpoints),
    signal,
  );
  const fresh = new Map(
    unread.map((head) => [
      head.hash,
      { ...head, noted: [...head.noted, ...head.checkpoints.flatMap((id) => made.get(id) ?? [])] },
    ]),
  );
  let read: Commit[] = [];
  for await (const change of readChanges(root, [...fresh.keys()], signal)) {
    const head = fresh.get(change.hash);
    if (head !== undefined) read.push({ ...head, files: change.files });
    if (read.length < COMMITS_PER_BATCH) continue;
    await store(db, id, read);
    read = [];
    await nextTurn();
  }
  await store(db, id, read);
  await db.run('UPDATE repositories SET refs = ?, since_ms = ? WHERE id = ?', refs, since, id);
  const times = [...fresh.values()].map(({ authoredMs }) => authoredMs);
  return { id, newSinceMs: times.length === 0 ? undefined : Math.min(...times) };
}

async function addRepository(db: Database, root: string, sinceMs: number): Promise<number> {
  const { id } = await db.run(
    "INSERT INTO repositories (root, since_ms, refs) VALUES (?, ?, '')",
    root,
    sinceMs,
  );
  return id;
}

async function store(db: Database, repository: number, commits: readonly Commit[]): Promise<void> {
  if (commits.length === 0) return;
  await db.transaction(async (tx) => {
    for (const {
      hash,
      author,
      email,
      authoredMs,
      committedMs,
      subject,
      checkpoints,
      noted,
      files,
    } of commits) {
      const { id } = await tx.run(
        `INSERT INTO commits (repository, hash, author, email, authored_ms, committed_ms, subject, checkpoints, noted)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[
          repository,
          hash,
          author,
          email,
          authoredMs,
          committedMs,
          subject,
          checkpoints.join(' '),
          JSON.stringify(noted),
        ],
      );
      await tx.batch(
        `INSERT OR REPLACE INTO commit_files ("commit", path, added, removed, added_lines, removed_lines)
         VALUES (?, ?, ?, ?, ?, ?)`,
        files.map(({ path, added, removed, addedLines, removedLines }) => [
          ...[id, path, added, removed],
          ...[packHashes(addedLines), packHashes(removedLines)],
        ]),
      );
    }
  });
}
