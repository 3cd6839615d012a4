import { fitRecall, type Recalled } from '../src/sessions/recall/recall-fit.ts';
import { recallText } from '../src/sessions/recall/recall-text.ts';
import type { Sessions } from '../src/sessions/sessions.ts';
import type { SessionRow } from '../src/sessions/store/session-row.ts';
import type { Database } from '../src/store/database.ts';

/** How many actions after a compaction count. */
const NEXT_ACTIONS = 20;
/** Room for the sections: an answer has 2,000 bytes, and its head takes about 160 if the path is long. */
const SECTION_BYTES = 1_840;

export interface Replay {
  compactions: number;
  bytes: number;
  files: { wanted: number; named: number; known: number; knownNamed: number };
  commands: { wanted: number; named: number; known: number; knownNamed: number };
}

/** Replays every compaction: compares what `recall` says right after it with what the agent did next. */
export async function replayCompactions(
  db: Database,
  sessions: Sessions,
  isWanted: (session: SessionRow) => boolean,
): Promise<Replay> {
  const counts = () => ({ wanted: 0, named: 0, known: 0, knownNamed: 0 });
  const replay: Replay = { compactions: 0, bytes: 0, files: counts(), commands: counts() };
  for (const session of await sessions.list.page({ subagents: true }, undefined, 100_000)) {
    if (session.compactions === 0 || !isWanted(session)) continue;
    for (let before = session.events; ; ) {
      const { compactedAt } = await sessions.recall.windowOf(session, before);
      if (compactedAt === undefined) break;
      before = compactedAt;
      await replayOne(db, sessions, session, compactedAt, replay);
    }
  }
  return replay;
}

async function replayOne(
  db: Database,
  sessions: Sessions,
  session: SessionRow,
  at: number,
  replay: Replay,
): Promise<void> {
  const next = await db.all(
    'SELECT call, program, command, kind FROM tools WHERE session = ? AND call > ? ORDER BY call LIMIT ?',
    ...[session.key, at, NEXT_ACTIONS],
  );
  const last = Number(next.at(-1)?.call ?? at);
  const edited = await db.all(
    "SELECT DISTINCT path FROM touches WHERE session = ? AND event > ? AND event <= ? AND action <> 'read'",
    ...[session.key, at, last],
  );
  const programs = [...new Set(next.flatMap(({ program }) => (program === null ? [] : [String(program)])))];
  if (edited.length + programs.length === 0) return;
  const facts = await sessions.recall.facts(session, await sessions.recall.windowOf(session, at + 1));
  const fits = (chosen: Recalled) => Buffer.byteLength(recallText(chosen)) <= SECTION_BYTES;
  const recalled = fitRecall(facts, session.cwd ?? session.projectPath, fits);
  replay.compactions++;
  replay.bytes = Math.max(replay.bytes, Buffer.byteLength(recallText(recalled)));
  const isFileNamed = (path: string) =>
    recalled.files.some((file) => path === file.path || path.endsWith(`/${file.path}`)) ||
    recalled.related.some((one) => path === one || path.endsWith(`/${one}`));
  const wereTouched = new Set(
    (await db.all('SELECT DISTINCT path FROM touches WHERE session = ? AND event <= ?', session.key, at)).map(
      ({ path }) => String(path),
    ),
  );
  const ran = new Set(
    (
      await db.all(
        'SELECT DISTINCT program FROM tools WHERE session = ? AND call <= ? AND program IS NOT NULL',
        session.key,
        at,
      )
    ).map(({ program }) => String(program)),
  );
  const isProgramNamed = (program: string) =>
    [...recalled.also_ran, ...recalled.usual].includes(program) ||
    recalled.ran.some(({ command }) => command.includes(program));
  count(
    replay.files,
    edited.map(({ path }) => String(path)),
    isFileNamed,
    wereTouched,
  );
  count(replay.commands, programs, isProgramNamed, ran);
  if (process.env.PINHOLE_BENCH_MISSES)
    for (const path of edited.map(({ path }) => String(path)))
      if (!isFileNamed(path))
        console.error(session.id.slice(0, 8), at, wereTouched.has(path) ? 'known' : 'new', path);
  if (process.env.PINHOLE_BENCH_MISSES)
    for (const program of programs)
      if (!isProgramNamed(program))
        console.error(session.id.slice(0, 8), at, ran.has(program) ? 'known' : 'new', program);
}

function count(
  sum: Replay['files'],
  wanted: readonly string[],
  isNamed: (one: string) => boolean,
  known: ReadonlySet<string>,
): void {
  for (const one of wanted) {
    const named = isNamed(one) ? 1 : 0;
    sum.wanted++;
    sum.named += named;
    if (!known.has(one)) continue;
    sum.known++;
    sum.knownNamed += named;
  }
}
