// Steps of bench/memory.mjs that need the sources.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumOf } from '../src/commits/charge.ts';
import { openCommits } from '../src/commits/commits.ts';
import { openSessions } from '../src/sessions/sessions.ts';
import { SESSIONS_SCHEMA } from '../src/sessions/store/sessions-schema.ts';
import { openSqlite } from '../src/store/sqlite.ts';
import { replayErrors } from './fix-replay.ts';
import { replayLocomo } from './locomo-replay.ts';
import { replayCompactions } from './recall-replay.ts';

const [, , clone = '', work = '', before = '2026-02-10', logsBeside = '', locomo = ''] = process.argv;
const CHECKPOINTS = process.env.PINHOLE_CHECKPOINTS ?? 'entire/checkpoints/v1';
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });

interface Checkpoint {
  readonly session: string;
  readonly created: string;
  readonly files: readonly string[];
}

/** Objects by id, in order; missing ones are left out. */
async function objects(ids: readonly string[], each: (id: string, content: Buffer) => void): Promise<void> {
  const child = spawn('git', ['-C', clone, 'cat-file', '--batch'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
  });
  child.stdin.end(`${ids.join('\n')}\n`);
  let rest = Buffer.alloc(0);
  let header: { id: string; size: number } | undefined;
  for await (const piece of child.stdout) {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      if (header === undefined) {
        const end = rest.indexOf(10);
        if (end < 0) break;
        const [id = '', kind, size] = rest.subarray(0, end).toString().split(' ');
        rest = rest.subarray(end + 1);
        if (kind === 'missing') continue;
        header = { id, size: Number(size) };
      }
      if (rest.length < header.size + 1) break;
      each(header.id, rest.subarray(0, header.size));
      rest = rest.subarray(header.size + 1);
      header = undefined;
    }
  }
}

/** Writes the longest log of each session to a folder as its agent had it; returns what the checkpoints say. */
async function unpack(logs: string): Promise<ReadonlyMap<string, readonly Checkpoint[]>> {
  const tree = git('ls-tree', '-r', CHECKPOINTS)
    .split('\n')
    .filter(Boolean)
    .map((line) => /^\d+ blob (\w+)\t(.+)$/.exec(line) ?? []);
  const byPath = new Map(tree.map(([, id = '', path = '']) => [path, id]));
  const metadata = new Map(
    tree.flatMap(([, id = '', path = '']) => (path.endsWith('/metadata.json') ? [[id, path]] : [])),
  );
  const checkpoints = new Map<string, Checkpoint[]>();
  const logIds = new Map<string, string>();
  await objects([...metadata.keys()], (id, content) => {
    const said = JSON.parse(content.toString());
    if (typeof said.session_id !== 'string') return;
    const session = said.session_id.replace(/^\d{4}-\d\d-\d\d-/, '');
    const created = String(said.created_at ?? '');
    checkpoints.set(said.checkpoint_id, [
      ...(checkpoints.get(said.checkpoint_id) ?? []),
      { session, created, files: said.files_touched ?? [] },
    ]);
    const log = byPath.get((metadata.get(id) ?? '').replace('metadata.json', 'full.jsonl'));
    if (log !== undefined && created !== '' && created < before) logIds.set(log, session);
  });
  const sizes = new Map<string, number>();
  mkdirSync(logs, { recursive: true });
  await objects([...logIds.keys()], (id, content) => {
    const session = logIds.get(id) ?? '';
    if (content.length <= (sizes.get(session) ?? 0)) return;
    sizes.set(session, content.length);
    writeFileSync(join(logs, `${session}.jsonl`), content);
  });
  return checkpoints;
}

const logs = join(work, 'claude', 'projects', '-home-dev-cli');
const checkpoints = await unpack(logs);
const home = join(work, 'home');
const sessions = await openSessions({
  home,
  log: () => {},
  env: { HOME: work, CLAUDE_CONFIG_DIR: join(work, 'claude') },
  watch: false,
});
await sessions.reading.refresh();
const commits = await openCommits({ home, sessions, log: console.error });
const began = process.cpuUsage();
const repository = await commits.refresh(clone);
const used = process.cpuUsage(began);
const rows = await commits.db.all(
  `SELECT c.hash, c.author, c.subject, c.authored_ms, c.committed_ms, c.checkpoints, l.session, l.certainty, l.lines, l.of_lines,
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
// The numbers in `recall` were chosen on these sessions: the two halves show how much they depend on a project.
const projects = new Map<string, number>();
for (const { projectHash = '', compactions } of shorts)
  projects.set(projectHash, (projects.get(projectHash) ?? 0) + compactions);
const [largest] = [...projects].sort(([, a], [, b]) => b - a)[0] ?? [];
const halves = [
  await replayCompactions(db, sessions, ({ projectHash }) => projectHash === largest),
  await replayCompactions(db, sessions, ({ projectHash }) => projectHash !== largest),
];
const fixes = await replayErrors(db, sessions, () => true);
const made = logsBeside === '' ? undefined : await replayBeside(logsBeside);
const chat = locomo === '' ? undefined : await replayLocomo(locomo);
await db.close();

/** The compactions of logs that other programs made. */
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

writeFileSync(
  join(work, 'result.json'),
  JSON.stringify({
    cpuMs: (used.user + used.system) / 1000,
    sessions: logsThere.size,
    charged,
    compactions: { real, halves, made },
    fixes,
    chat,
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
      };
    }),
  }),
);
await commits.close();
await sessions.close();
