import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS } from '../contract/time.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { EditIndex, type LinkableEdit } from './edit-index.ts';
import { notedIn } from './git/named-sessions.ts';
import type { ChangedFile, Commit } from './git/read-commits.ts';
import { unpackHashes } from './line-hashes.ts';
import { LineRarity, RARITY_MS } from './line-rarity.ts';
import {
  type Evidence,
  isSameFile,
  knownAuthors,
  type LinkableSession,
  linkCommit,
  MAX_AGE_MS,
} from './link-commit.ts';

const COMMITS_PER_BATCH = 100;

type StoredEdit = LinkableEdit & { readonly key: readonly [session: string, event: number, path: string] };

/** Links the commits of a repository since a time with sessions, and edits with the commit that contains them. */
export async function linkSince(
  db: Database,
  repository: number,
  sinceMs: number,
  user: Evidence['user'],
  signal: AbortSignal,
): Promise<void> {
  const evidence = { ...(await gather(db, repository, sinceMs)), user };
  const heads = await db.all(
    'SELECT * FROM commits WHERE repository = ? AND committed_ms >= ? ORDER BY authored_ms',
    ...[repository, sinceMs],
  );
  const owned = new Map<StoredEdit, { commit: number; lines: number }>();
  for (let from = 0; from < heads.length; from += COMMITS_PER_BATCH) {
    signal.throwIfAborted();
    const batch = heads.slice(from, from + COMMITS_PER_BATCH);
    await db.transaction(async (tx) => {
      for (const head of batch) {
        const id = Number(head.id);
        const commit = commitOf(head, await tx.all('SELECT * FROM commit_files WHERE "commit" = ?', id));
        await tx.run('DELETE FROM links WHERE "commit" = ?', id);
        for (const link of linkCommit(commit, evidence)) {
          await tx.run(
            `INSERT INTO links ("commit", session, certainty, lines, of_lines, written, of_written, reasons)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
            ...[id, link.session, link.certainty, link.lines, link.ofLines],
            ...[link.written, link.ofWritten, link.reasons.join('\n')],
          );
          if (link.certainty !== 'uncertain') claimEdits(commit, id, link.session, evidence, owned);
        }
      }
    });
    await nextTurn();
  }
  await db.transaction(async (tx) => {
    await tx.run(
      `UPDATE edits SET "commit" = NULL WHERE "commit" IN (SELECT id FROM commits WHERE repository = ? AND committed_ms >= ?)`,
      ...[repository, sinceMs],
    );
    await tx.batch(
      'UPDATE edits SET "commit" = ? WHERE session = ? AND event = ? AND path = ?',
      [...owned].map(([{ key }, { commit }]) => [commit, ...key]),
    );
  });
}

async function gather(
  db: Database,
  repository: number,
  sinceMs: number,
): Promise<Evidence & { readonly index: EditIndex<StoredEdit> }> {
  const sessionRows = await db.all('SELECT * FROM edited_sessions');
  const main = new Map(sessionRows.map((row) => [String(row.session), String(row.main)]));
  const sessions = new Map<string, LinkableSession>();
  for (const row of sessionRows) {
    const known = sessions.get(String(row.main));
    sessions.set(String(row.main), {
      person: known?.person || String(row.person),
      startMs: Math.min(known?.startMs ?? Number.POSITIVE_INFINITY, Number(row.start_ms)),
      endMs: Math.max(known?.endMs ?? 0, Number(row.end_ms)),
    });
  }
  const rows = await db.all(
    'SELECT session, event, path, ms, whole, added_lines, removed_lines FROM edits WHERE ms >= ? ORDER BY ms',
    sinceMs - MAX_AGE_MS,
  );
  const edits: readonly StoredEdit[] = rows.map((row) => ({
    key: [String(row.session), Number(row.event), String(row.path)],
    session: main.get(String(row.session)) ?? String(row.session),
    path: String(row.path),
    ms: Number(row.ms),
    whole: Number(row.whole) === 1,
    added: unpackHashes(row.added_lines),
    removed: unpackHashes(row.removed_lines),
  }));
  const said = (await db.all('SELECT * FROM said_commits')).map((row) => ({
    session: main.get(String(row.session)) ?? String(row.session),
    ms: Number(row.ms),
    hash: String(row.hash),
    subject: String(row.subject),
  }));
  const commits = await db.all('SELECT hash, author FROM commits WHERE repository = ?', repository);
  const authors = knownAuthors(
    commits.map(({ hash, author }) => ({ hash: String(hash), author: String(author) })),
    { said, sessions },
  );
  const index = new EditIndex(edits);
  return { index, rarity: await rarityOf(db, repository, sinceMs, index), sessions, said, authors };
}

/** How common the lines of edits are in the commits of a year. */
async function rarityOf(
  db: Database,
  repository: number,
  sinceMs: number,
  index: EditIndex,
): Promise<LineRarity> {
  const rarity = new LineRarity();
  const wanted = new Set(index.edits.flatMap(({ added, removed }) => [...added, ...removed]));
  const heads = await db.all(
    'SELECT id, authored_ms FROM commits WHERE repository = ? AND committed_ms >= ? ORDER BY authored_ms',
    ...[repository, sinceMs - RARITY_MS],
  );
  for (const [at, { id, authored_ms }] of heads.entries()) {
    const files = await db.all('SELECT * FROM commit_files WHERE "commit" = ?', Number(id));
    rarity.add({ authoredMs: Number(authored_ms), files: files.map(changedFile) }, (hash) =>
      wanted.has(hash),
    );
    if (at % COMMITS_PER_BATCH === 0) await nextTurn();
  }
  return rarity;
}

function commitOf(head: SqlRow, files: readonly SqlRow[]): Commit {
  return {
    hash: String(head.hash),
    author: String(head.author),
    email: String(head.email),
    authoredMs: Number(head.authored_ms),
    committedMs: Number(head.committed_ms),
    subject: String(head.subject),
    checkpoints: String(head.checkpoints).split(' ').filter(Boolean),
    noted: notedIn(String(head.noted)),
    files: files.map(changedFile),
  };
}

function changedFile(row: SqlRow): ChangedFile {
  return {
    path: String(row.path),
    added: Number(row.added),
    removed: Number(row.removed),
    addedLines: unpackHashes(row.added_lines),
    removedLines: unpackHashes(row.removed_lines),
  };
}

/**
 * Assigns a session's edits to the commit that has most of their lines; copies of a commit on other branches get none.
 */
function claimEdits(
  { files, authoredMs }: Commit,
  commit: number,
  session: string,
  { index }: { readonly index: EditIndex<StoredEdit> },
  owned: Map<StoredEdit, { commit: number; lines: number }>,
): void {
  const lines = new Map<StoredEdit, number>();
  for (const { path, addedLines, removedLines } of files) {
    const count = (edit: StoredEdit) => {
      if (edit.session === session && edit.ms <= authoredMs + DAY_MS && isSameFile(edit.path, path))
        lines.set(edit, (lines.get(edit) ?? 0) + 1);
    };
    for (const hash of addedLines) for (const edit of index.adding(hash)) count(edit);
    for (const hash of removedLines) for (const edit of index.removing(hash)) count(edit);
  }
  for (const [edit, count] of lines)
    if (count > (owned.get(edit)?.lines ?? 0)) owned.set(edit, { commit, lines: count });
}
