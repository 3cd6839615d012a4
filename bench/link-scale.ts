// Links 10,000 commits of a real repository (PINHOLE_SCALE) with 500 sessions made from them: every other commit is
// written by a session, with its real lines; people wrote the others. Prints JSON.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openCommits } from '../src/commits/commits.ts';
import { openSessions } from '../src/sessions/sessions.ts';

// The commits must not be made as the user who runs this.
process.env.GIT_CONFIG_GLOBAL = '/dev/null';
const [, , source = '', work = ''] = process.argv;
const COMMITS = 10_000;
const SESSIONS = 500;
const FILES = 10;
const LINES = 200;
const BEFORE_COMMIT_MS = 5 * 60_000;

interface Change {
  readonly hash: string;
  readonly ms: number;
  readonly files: { readonly path: string; readonly added: string[]; readonly removed: string[] }[];
}

const root = join(work, 'checkout');
const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', source, root]);

/** The newest commits and their changes, newest first. */
async function* changes(): AsyncGenerator<Change> {
  const log = spawn('git', [
    '-C',
    root,
    'log',
    '--no-merges',
    '-p',
    '-U0',
    '--no-color',
    `-n${COMMITS}`,
    '--format=%x1e%H %at',
  ]);
  let change: Change | undefined;
  for await (const line of createInterface({ input: log.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    const file = change?.files.at(-1);
    if (line.startsWith('\x1e')) {
      if (change !== undefined) yield change;
      const [hash = '', seconds] = line.slice(1).split(' ');
      change = { hash, ms: Number(seconds) * 1000, files: [] };
    } else if (line.startsWith('+++ b/')) change?.files.push({ path: line.slice(6), added: [], removed: [] });
    else if (file !== undefined && line.startsWith('+') && file.added.length < LINES)
      file.added.push(line.slice(1));
    else if (
      file !== undefined &&
      line.startsWith('-') &&
      !line.startsWith('---') &&
      file.removed.length < LINES
    )
      file.removed.push(line.slice(1));
  }
  if (change !== undefined) yield change;
}

/** The records of a Claude Code session that made these changes, oldest first. */
function log(id: string, made: readonly Change[]): string {
  let count = 0;
  const record = (type: string, ms: number, message: unknown) =>
    JSON.stringify({
      ...{
        type,
        uuid: `${id}-${count}`,
        parentUuid: count++ === 0 ? null : `${id}-${count - 2}`,
        isSidechain: false,
      },
      ...{ sessionId: id, cwd: root, version: '2.1.197', timestamp: new Date(ms).toISOString(), message },
    });
  const usage = { input_tokens: 900, output_tokens: 120, cache_read_input_tokens: 20_000 };
  return made
    .flatMap(({ hash, ms, files }) => [
      record('user', ms - BEFORE_COMMIT_MS, {
        role: 'user',
        content: `please make the change ${hash.slice(0, 8)}`,
      }),
      ...files.slice(0, FILES).flatMap(({ path, added, removed }, at) => {
        const use = `toolu_${hash.slice(0, 12)}_${at}`;
        const input = {
          file_path: join(root, path),
          old_string: removed.join('\n'),
          new_string: added.join('\n'),
        };
        const content = [{ type: 'tool_use', id: use, name: 'Edit', input }];
        const head = {
          id: `msg_${use}`,
          type: 'message',
          role: 'assistant',
          model: 'claude-opus-4-5',
          usage,
        };
        return [
          record('assistant', ms - BEFORE_COMMIT_MS + (2 * at + 1) * 1000, { ...head, content }),
          record('user', ms - BEFORE_COMMIT_MS + (2 * at + 2) * 1000, {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: use, content: 'The file has been updated.' }],
          }),
        ];
      }),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

const folder = join(work, 'claude', 'projects', '-checkout');
mkdirSync(folder, { recursive: true });
const truth = new Map<string, string>();
const people = new Set<string>();
let group: Change[] = [];
let made = 0;
const perSession = COMMITS / 2 / SESSIONS;
const sessionId = (n: number) => `5ca1e000-0000-4000-8000-${String(n).padStart(12, '0')}`;
let at = 0;
let oldest = Number.POSITIVE_INFINITY;
for await (const change of changes()) {
  oldest = Math.min(oldest, change.ms);
  if (at++ % 2 === 1 || change.files.length === 0) {
    people.add(change.hash);
    continue;
  }
  group.unshift(change);
  truth.set(change.hash, sessionId(made));
  if (group.length < perSession) continue;
  writeFileSync(join(folder, `${sessionId(made)}.jsonl`), log(sessionId(made), group));
  made++;
  group = [];
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const childCpu = () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return (userCPUTime + systemCPUTime) / 1000;
};
const home = join(work, 'home');
const env = { HOME: work, CLAUDE_CONFIG_DIR: join(work, 'claude') };
const sessions = await openSessions({ home, log: () => {}, env, watch: false });
await sessions.reading.refresh();
const commits = await openCommits({ home, sessions, log: console.error });

async function measured<T>(act: () => Promise<T>) {
  const [from, started] = [cpu(), performance.now()];
  await act();
  return {
    cpuMs: Math.round(cpu() - from),
    ms: Math.round(performance.now() - started),
    mb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  };
}

const before = Math.round(process.memoryUsage.rss() / 2 ** 20);
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);
const first = await measured(() => commits.refresh(root));
clearInterval(watch);
const unchanged = await measured(() => commits.refresh(root));

// One more commit, from a new session.
const now = Date.now();
const text = 'a line that only the newest session has written\n';
writeFileSync(join(work, 'new.txt'), text);
const blob = git('hash-object', '-w', join(work, 'new.txt')).trim();
git('read-tree', 'HEAD');
git('update-index', '--add', '--cacheinfo', `100644,${blob},new-file.txt`);
git('-c', 'user.name=Mia', '-c', 'user.email=mia@example.com', 'commit', '-q', '-m', 'newest');
const oneCommit = await measured(() => commits.refresh(root));
const newest = sessionId(made);
writeFileSync(
  join(folder, `${newest}.jsonl`),
  log(newest, [
    { hash: '0'.repeat(40), ms: now, files: [{ path: 'new-file.txt', added: [text.trim()], removed: [] }] },
  ]),
);
await sessions.reading.refresh();
const oneSession = await measured(() => commits.refresh(root));

const rows = await commits.db.all(
  `SELECT c.hash, c.subject, l.session, l.certainty FROM commits c LEFT JOIN links l ON l."commit" = c.id`,
);
const linked = rows.filter(({ certainty }) => certainty === 'certain' || certainty === 'likely');
const right = linked.filter(({ hash, session }) => truth.get(String(hash)) === session);
const last = rows.find(({ subject }) => subject === 'newest');
console.log(
  JSON.stringify({
    ...{
      commits: rows.length,
      sessions: made + 1,
      truth: truth.size,
      linked: linked.length,
      right: right.length,
      people: people.size,
      peopleLinked: linked.filter(({ hash }) => people.has(String(hash))).length,
    },
    ...{ before, peak: Math.round(peak / 2 ** 20), first, unchanged, oneCommit, oneSession },
    newestLinked: last?.session === newest,
    edits: Number((await commits.db.get('SELECT COUNT(*) AS n FROM edits'))?.n),
    all: Math.round(childCpu()),
  }),
);
await commits.close();
await sessions.close();
