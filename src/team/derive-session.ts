import { addRecords, freshState } from '../sessions/ingest/ingest-file.ts';
import { SessionWriter } from '../sessions/ingest/session-writer.ts';
import { unpackState } from '../sessions/model/state.ts';
import { providerWith } from '../sessions/providers/index.ts';
import type { LogFile } from '../sessions/providers/log-files.ts';
import type { Provider } from '../sessions/providers/provider.ts';
import type { RawRecord } from '../sessions/read/lines.ts';
import { int, str } from '../sessions/store/session-row.ts';
import type { PostgresDatabase } from '../store/postgres.ts';
import { type CollectMessage, type CollectRecord, collectMessage } from './collect-message.ts';
import { writePrices, writeTexts } from './query/index-texts.ts';
import { INDEX_VERSION } from './team-store.ts';

interface Addition {
  readonly message: Pick<CollectMessage, 'machine' | 'person' | 'log' | 'from' | 'to' | 'records'>;
  readonly provider: Provider;
  readonly redact: (text: string) => string;
  /** Whether the log is read from the beginning: then its session is emptied first. */
  readonly again: boolean;
}

/** Adds records of a log to its session, just as on a single machine, but from lines instead of a file. */
export async function addToSession(
  tx: PostgresDatabase,
  log: number,
  { message, provider, redact, again }: Addition,
): Promise<void> {
  // The session gets the number of the log as its key.
  await tx.own("SELECT set_config('pinhole.log', $1, true)", [String(log)]);
  const file = logFileOf(message);
  const session = await tx.get('SELECT key, state FROM sessions WHERE key = ?', log);
  const resumed = session !== undefined && !again;
  const writer = new SessionWriter(tx, file, session === undefined ? undefined : log, { provider, redact });
  await writer.open(resumed);
  const state = resumed ? unpackState(str(session.state)) : freshState(file);
  if (state === undefined) {
    // The state is from another version, so the whole log is read again.
    await tx.run('UPDATE logs SET derived = 0 WHERE id = ?', log);
    return;
  }
  if (file.clientUsage !== undefined) state.facts.clientUsage = file.clientUsage;
  const byPlace = new Map(message.records.map((record) => [record.at, record]));
  await addRecords(
    writer,
    file,
    state,
    {
      start: message.from,
      records: message.records.map(rawRecord),
      spilled: (path, raw) => byPlace.get(raw.offset)?.spilled?.[path],
      mark: (consumed) => ({ size: consumed, mtime: 0, head: '', tail: '', consumed }),
    },
    { provider, redact },
  );
  await writeTexts(tx, log, !resumed);
  await writePrices(tx, log);
  const { title, startedBy } = message.log.place;
  if (title !== undefined) await tx.run('UPDATE sessions SET title = ? WHERE key = ?', title, log);
  if (startedBy !== undefined)
    await tx.run(
      "UPDATE sessions SET parent_id = ?, relation = 'subagent' WHERE key = ? AND parent_id IS NULL",
      ...[startedBy, log],
    );
}

function rawRecord({ at, length, text, cut }: CollectRecord): RawRecord {
  return { bytes: Buffer.from(text), offset: at, length, ...(cut === true && { tooLong: true }) };
}

/** The log with what its machine knows about it; nothing is looked up on this disk. */
function logFileOf({ machine, person, log }: Addition['message']): LogFile {
  const { path, provider, project, root } = log;
  const { title, startedBy, ...place } = log.place;
  const repo = project?.split('/').at(-1);
  return {
    ...place,
    provider,
    path: `${machine.id}:${path}`,
    origin: {
      machine: machine.name,
      person,
      project,
      placeOf: (file) =>
        root !== undefined && file.startsWith(`${root}/`)
          ? { repo, path: file.slice(root.length + 1) }
          : { repo: undefined, path: file },
    },
  };
}

/** How much of a log is read at once. */
const PORTION_BYTES = 4 << 20;
const PORTION_LINES = 5_000;

/** Reads logs again that were read for another version of the index. Other nodes take other logs. */
export async function deriveAgain(
  db: PostgresDatabase,
  providers: readonly Provider[],
  redact: (text: string) => string,
  signal: AbortSignal,
  report: (done: number, total: number) => void = () => {},
): Promise<number> {
  const total = await logsToRead(db);
  for (let done = 0; ; done++) {
    signal.throwIfAborted();
    report(done, total);
    const found = await db.transaction((tx) => deriveNext(tx, providers, redact));
    if (!found) return done;
  }
}

/** How many logs were read for another version of the index. */
export async function logsToRead(db: PostgresDatabase): Promise<number> {
  return int((await db.get('SELECT COUNT(*) AS n FROM logs WHERE derived <> ?', INDEX_VERSION))?.n);
}

async function deriveNext(
  tx: PostgresDatabase,
  providers: readonly Provider[],
  redact: (text: string) => string,
): Promise<boolean> {
  const row = await tx.get(
    'SELECT l.*, m.name AS machine_name FROM logs l JOIN machines m ON m.id = l.machine WHERE l.derived <> ? ORDER BY l.id LIMIT 1',
    INDEX_VERSION,
  );
  if (row === undefined) return false;
  const id = int(row.id);
  const provider = providerWith(providers, str(row.provider));
  let from = 0;
  while (provider !== undefined) {
    const records = await linesFrom(tx, id, from);
    if (records.length === 0 && from > 0) break;
    const last = records.at(-1);
    const to = last === undefined ? 0 : last.at + last.length;
    const message = {
      machine: { id: str(row.machine), name: str(row.machine_name) },
      person: str(row.person),
      log: {
        path: str(row.path),
        provider: provider.id,
        run: str(row.run),
        place: collectMessage.shape.log.shape.place.parse(JSON.parse(str(row.place))),
        ...(row.project !== null && { project: str(row.project) }),
        ...(row.root !== null && { root: str(row.root) }),
      },
      from,
      to,
      records,
    };
    await addToSession(tx, id, { message, provider, redact, again: from === 0 });
    if (records.length === 0) break;
    from = to;
  }
  await tx.run('UPDATE logs SET derived = ? WHERE id = ?', INDEX_VERSION, id);
  return true;
}

async function linesFrom(tx: PostgresDatabase, log: number, from: number): Promise<CollectRecord[]> {
  const rows = await tx.own(
    `SELECT pos, length, body, spilled, too_long FROM (
       SELECT *, SUM(octet_length(body)) OVER (ORDER BY pos) AS size FROM (
         SELECT * FROM lines WHERE log = $1 AND pos >= $2 ORDER BY pos LIMIT ${PORTION_LINES}) some) sized
     WHERE size <= ${PORTION_BYTES} OR size = octet_length(body) ORDER BY pos`,
    [log, from],
  );
  return rows.map((row) => ({
    at: int(row.pos),
    length: int(row.length),
    text: str(row.body),
    ...(row.spilled !== null && { spilled: JSON.parse(str(row.spilled)) }),
    ...(int(row.too_long) === 1 && { cut: true as const }),
  }));
}
