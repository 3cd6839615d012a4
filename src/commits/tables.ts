import { sep } from 'node:path';
import { notCopied } from '../sessions/table-parts.ts';
import type { SqlSubject, SqlTable } from '../store/sql-table.ts';

import { SAME_MOMENT_MS } from './link-commit.ts';

/* The tables about commits. `{sessions}` is the index of sessions, limited to the rows that the caller may see. */

const commits: SqlTable = {
  name: 'commits',
  row: 'commit since the first session: without merges, and as git printed it where no repository here has it',
  columns: {
    repo: { type: 'text', meaning: 'folder of the repository', rare: true },
    hash: { type: 'text', meaning: '' },
    at: { type: 'time', meaning: 'when it was written; a rebase does not change it' },
    author: { type: 'text', meaning: '', rare: true },
    subject: { type: 'text', meaning: 'first line of the message' },
    session: { type: 'text', meaning: 'the session that it comes from; NULL if none is known' },
    certainty: { type: 'text', values: ['certain', 'likely', 'uncertain'], meaning: '', rare: true },
    reasons: { type: 'text', meaning: 'why this session', rare: true },
    committed: { type: 'time', meaning: 'when it got this hash', rare: true },
  },
  select: `SELECT r.root, c.hash, c.authored_ms, c.author, c.subject, s.short,
    CASE WHEN s.short IS NULL THEN NULL ELSE l.certainty END, CASE WHEN s.short IS NULL THEN NULL ELSE l.reasons END,
    c.committed_ms
    FROM {db}.commits c JOIN {db}.repositories r ON r.id = c.repository
    LEFT JOIN {db}.links l ON l."commit" = c.id LEFT JOIN {sessions}.sessions s ON s.id = l.session
    UNION ALL SELECT s.project_path, m.hash, t.ended_ms, NULL, m.subject, s.short, 'certain',
    'git printed it in the session', t.ended_ms
    FROM {sessions}.said_commits m JOIN {sessions}.sessions s ON s.key = m.session
    JOIN {sessions}.tools t ON t.session = m.session AND t.call = m.call
    WHERE ${notCopied('t.turn', 't.step').replaceAll('{db}', '{sessions}')}
    AND NOT EXISTS (SELECT 1 FROM {db}.commits c WHERE c.hash >= m.hash AND c.hash < m.hash || 'g')
    AND NOT EXISTS (SELECT 1 FROM {db}.links l JOIN {db}.commits c ON c.id = l."commit" WHERE l.session = s.id
      AND c.subject = m.subject AND abs(c.authored_ms - t.ended_ms) < ${SAME_MOMENT_MS})`,
};

const files: SqlTable = {
  name: 'commit_files',
  row: 'file that a commit changed',
  columns: {
    repo: { type: 'text', meaning: 'folder of the repository', rare: true },
    hash: { type: 'text', meaning: 'of the commit', rare: true },
    path: { type: 'text', meaning: 'path in the repository, as repo_path of edits', rare: true },
    added: { type: 'integer', meaning: 'lines', rare: true },
    removed: { type: 'integer', meaning: 'lines', rare: true },
  },
  select: `SELECT r.root, c.hash, f.path, f.added, f.removed FROM {db}.commit_files f
    JOIN {db}.commits c ON c.id = f."commit" JOIN {db}.repositories r ON r.id = c.repository`,
};

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Only the repositories in these folders. */
function within(schema: string, folders: readonly string[]): string {
  const inside = folders.map((folder) => {
    const below = folder.endsWith(sep) ? folder : folder + sep;
    return `root = ${quoted(folder)} OR substr(root, 1, ${[...below].length}) = ${quoted(below)}`;
  });
  const view = (table: string, sql: string) =>
    `DROP VIEW IF EXISTS temp.only_${table}; CREATE TEMP VIEW only_${table} AS ${sql}`;
  const ofCommits = (table: string) =>
    view(table, `SELECT t.* FROM temp.only_commits o CROSS JOIN ${schema}.${table} t ON t."commit" = o.id`);
  return [
    view('repositories', `SELECT * FROM ${schema}.repositories WHERE ${inside.join(' OR ') || '0'}`),
    view(
      'commits',
      `SELECT t.* FROM temp.only_repositories o CROSS JOIN ${schema}.commits t ON t.repository = o.id`,
    ),
    ...['links', 'commit_files'].map(ofCommits),
  ].join(';\n');
}

/** What commits contribute to `sql`. */
export const COMMIT_TABLES: SqlSubject = { tables: [commits, files], within };
