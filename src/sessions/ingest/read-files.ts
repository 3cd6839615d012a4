import { errorText } from '../../contract/errors.ts';
import type { Database } from '../../store/database.ts';
import { providerWith } from '../providers/index.ts';
import { type LogFile, type LogFolder, logAt, logFile, storedLogsAt } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { int, str } from '../store/session-row.ts';
import { ingestFile } from './ingest-file.ts';
import type { PlannedFile } from './plan-scan.ts';
import { type Archive, type FromReader, type LogSizes, logHash } from './reader-messages.ts';

type Tell = (message: FromReader) => void;

const PROGRESS_EVERY_MS = 200;

/** What reading logs needs besides the logs. */
export interface ReadingTools {
  readonly db: Database;
  readonly providers: readonly Provider[];
  readonly redact: (text: string) => string;
  readonly tell: Tell;
  /** Returns when the next log may be started. */
  readonly waitWhileHeld: () => void;
}

/** Reads logs one after the other. A log that cannot be read is reported and tried again next time. */
export async function readFiles(tools: ReadingTools, files: readonly PlannedFile[]): Promise<number> {
  const { tell } = tools;
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let done = 0;
  let bytes = 0;
  let toldAt = 0;
  let changed: number[] = [];
  // The first log may take long; without this, nothing would show that there is anything to read.
  if (total > 0) tell({ kind: 'progress', done, total });
  for (const { log, size } of files) {
    tools.waitWhileHeld();
    try {
      const ingested = await readLog(tools, log, false);
      if (ingested !== undefined) {
        bytes += ingested.bytes;
        changed.push(ingested.key);
        const { sizeBefore: before, size: now } = ingested;
        if (before !== undefined) tell({ kind: 'shrunk', path: log.path, before, now });
      }
    } catch (error) {
      tell({ kind: 'unreadable', path: log.path, reason: errorText(error) });
    }
    done += size;
    if (Date.now() - toldAt > PROGRESS_EVERY_MS) {
      toldAt = Date.now();
      tell({ kind: 'progress', done, total });
      tell({ kind: 'changed', keys: changed });
      changed = [];
    }
  }
  if (changed.length > 0) tell({ kind: 'changed', keys: changed });
  await readBlindReplays(tools);
  return bytes;
}

/** Reads the logs among the paths that a watcher reports. */
export async function readPaths(
  tools: ReadingTools,
  paths: readonly string[],
  folders: readonly LogFolder[],
  { forgotten }: Pick<Archive, 'forgotten'>,
  sizes: LogSizes = {},
): Promise<number> {
  const logs = new Map<string, LogFile>();
  const unreadable = (path: string, error: unknown) =>
    tools.tell({ kind: 'unreadable', path, reason: errorText(error) });
  for (const path of paths) {
    const log = logAt(tools.providers, folders, path);
    const stored = log === undefined ? storedLogsAt(tools.providers, folders, path, unreadable) : [log];
    for (const one of stored) if (!forgotten.includes(logHash(one.path))) logs.set(one.path, one);
  }
  return readFiles(
    tools,
    [...logs.values()].map((log) => ({ log, size: sizes[log.path] ?? 0 })),
  );
}

function readLog({ db, providers, redact }: ReadingTools, log: LogFile, again: boolean) {
  const provider = providerWith(providers, log.provider);
  if (provider === undefined) throw new Error(`no provider '${log.provider}'`);
  return ingestFile(db, log, { provider, redact, again });
}

/** Rereads forks that were read before the session they were copied from. */
async function readBlindReplays(tools: ReadingTools): Promise<void> {
  const rows = await tools.db.all(
    `SELECT f.path, f.provider, s.key FROM sessions s JOIN files f ON f.session = s.key
     WHERE s.blind_replay = 1 AND EXISTS (SELECT 1 FROM sessions p WHERE p.id = s.parent_id)`,
  );
  for (const row of rows) {
    const provider = providerWith(tools.providers, str(row.provider));
    if (provider === undefined) continue;
    try {
      await readLog(tools, logFile(provider, str(row.path)), true);
      tools.tell({ kind: 'changed', keys: [int(row.key)] });
    } catch {
      // Deleted in the meantime: the next scan removes it.
    }
  }
}
