// Steps of bench/memory.mjs that need the sources.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumOf } from '../src/commits/charge.ts';
import { openCommits } from '../src/commits/commits.ts';
import { openSessions } from '../src/sessions/sessions.ts';
import { SESSIONS_SCHEMA } from '../src/sessions/store/sessions-schema.ts';
import { openSqlite } from '../src/store/sqlite.ts';
import { replayBlame } from './blame-replay.ts';
import { unpackCheckpoints } from './entire-checkpoints.ts';
import { replayErrors } from './fix-replay.ts';
import { replayLocomo } from './locomo-replay.ts';
import { replayMeaning } from './meaning-replay.ts';
import { replayCompactions } from './recall-replay.ts';

// The commits must not be made as the user who runs this.
process.env.GIT_CONFIG_GLOBAL = '/dev/null';
const [, , clone = '', work = '', before = '2026-02-10', logsBeside = '', locomo = ''] = process.argv;
const logs = join(work, 'claude', 'projects', '-home-dev-cli');
const checkpoints = await unpackCheckpoints(clone, logs, before);
const lastLogs = new Map<string, string>();
for (const { session, created, hasLog } of [...checkpoints.values()].flat())
  if (hasLog && created > (lastLogs.get(session) ?? '')) lastLogs.set(session, created);
const home = join(work, 'home');
const sessions = await openSessions({
  home,
  log: () => {},
  env: { HOME: work, CLAUDE_CONFIG_DIR: join(work, 'claude') },
  watch: false,
});
await sessions.reading.refresh();
const commits = await openCommits({ home, sessions, log: console.error });
// Without the branch that holds the truth: its sessions would be taken over as they are.
const withoutTruth = join(work, 'commits.git');
execFileSync('git', ['clone', '-q', '--mirror', '--shared', clone, withoutTruth]);
execFileSync('git', ['-C', withoutTruth, 'update-ref', '-d', 'refs/heads/entire/checkpoints/v1']);
const began = process.cpuUsage();
const repository = await commits.refresh(withoutTruth);
const used = process.cpuUsage(began);
const rows = await commits.db.all(
  `SELECT c.hash, c.author, c.subject, c.authored_ms, c.committed_ms, c.checkpoints, l.session, l.certainty, l.written, l.of_written,
     (SELECT SUM(added) FROM commit_files f WHERE f."commit" = c.id) AS added,
     (SELECT group_concat(path, char(10)) FROM commit_files f WHERE f."commit" = c.id) AS files
   FROM commits c LEFT JOIN links l ON l."commit" = c.id WHERE c.repository = ?`,
  repository ?? 0,
);
const shorts = await sessions.list.page({ subagents: true }, undefined, 100_000);
const logsThere = new Set(shorts.map(({ id }) => id));
const charged = { sum: 0, total: 0, failed: 0, reverted: 0, lost: 0, committed: 0 };
for (const session of shorts) {
  charged.total += (await sessions.usage.ofSession(session)).total;
  const charges = await commits.charges(session.id);
  const { tokens, wasted } = sumOf(charges);
  charged.sum += tokens;
  charged.committed += sumOf(charges.filter(({ commit }) => commit !== undefined)).tokens;
  for (const kind of ['failed', 'reverted', 'lost'] as const) charged[kind] += wasted[kind].tokens;
}
const db = await openSqlite(join(home, 'sessions.db'), SESSIONS_SCHEMA);
const real = await replayCompactions(db, sessions, () => true);
// The constants in `recall` were tuned on these sessions: the two halves show how much they depend on a project.
const projects = new Map<string, number>();
for (const { projectHash = '', compactions } of shorts)
  projects.set(projectHash, (projects.get(projectHash) ?? 0) + compactions);
const [largest] = [...projects].sort(([, a], [, b]) => b - a)[0] ?? [];
const halves = [
  await replayCompactions(db, sessions, ({ projectHash }) => projectHash === largest),
  await replayCompactions(db, sessions, ({ projectHash }) => projectHash !== largest),
];
const fixes = await replayErrors(db, sessions, () => true);
const meant = await replayMeaning(home, sessions);
const made = logsBeside === '' ? undefined : await replayBeside(logsBeside);
const chat = locomo === '' ? undefined : await replayLocomo(locomo);
await db.close();

/** Compactions in logs that other programs wrote. */
async function replayBeside(folder: string) {
  const place = join(work, 'beside');
  mkdirSync(place);
  const folders = ['claude_code', 'codex', 'gemini'].map((provider) => ({
    provider,
    path: join(folder, provider),
  }));
  const others = await openSessions({ home: place, log: () => {}, folders, watch: false });
  await others.reading.refresh();
  const index = await openSqlite(join(place, 'sessions.db'), SESSIONS_SCHEMA);
  const replay = await replayCompactions(index, others, () => true);
  await index.close();
  await others.close();
  return replay;
}

await commits.close();
await sessions.close();
const blame = await replayBlame(home, clone, work, before, {
  ...{ HOME: work, CLAUDE_CONFIG_DIR: join(work, 'claude') },
});

writeFileSync(
  join(work, 'result.json'),
  JSON.stringify({
    cpuMs: (used.user + used.system) / 1000,
    sessions: logsThere.size,
    charged,
    compactions: { real, halves, made },
    fixes,
    meant,
    chat,
    blame,
    recallable: shorts.find(({ compactions }) => compactions > 0)?.id,
    commits: rows.map((row) => {
      const known = String(row.checkpoints)
        .split(' ')
        .filter(Boolean)
        .flatMap((id) => checkpoints.get(id) ?? []);
      return {
        ...row,
        truth: [
          ...new Set(known.filter(({ created }) => created < before).map(({ session }) => session)),
        ].filter((id) => logsThere.has(id)),
        created: known.map(({ created }) => created),
        touched: known.flatMap(({ files }) => files),
        // Later logs of a session contain everything in earlier ones.
        hasLog: known.some(({ session, created }) => (lastLogs.get(session) ?? '') >= created),
        entire: known.flatMap(({ session, created, agent, committed }) =>
          session === row.session && created < before && agent !== undefined && committed !== undefined
            ? [{ agent, committed }]
            : [],
        ),
      };
    }),
  }),
);
