import { errorText } from '../../contract/errors.ts';
import type { Database } from '../../store/database.ts';
import { describe, isLog, type LogFolder } from '../providers/log-files.ts';
import { int, str } from '../store/session-row.ts';
import { ingestFile } from './ingest-file.ts';
import type { PlannedFile } from './plan-scan.ts';
import type { FromReader } from './reader-messages.ts';

type Redact = (text: string) => string;
type Tell = (message: FromReader) => void;

const PROGRESS_EVERY_MS = 200;

/** Reads logs one after the other; one that cannot be read is told and left for the next time. */
export async function readFiles(
  db: Database,
  files: readonly PlannedFile[],
  redact: Redact,
  tell: Tell,
): Promise<number> {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let done = 0;
  let bytes = 0;
  let told = 0;
  let changed: number[] = [];
  for (const { log, size, anew } of files) {
    try {
      const ingested = await ingestFile(db, log, { redact, anew: anew === true });
      if (ingested !== undefined) {
        bytes += ingested.bytes;
        changed.push(ingested.key);
      }
    } catch (error) {
      tell({
        kind: 'unreadable',
        path: log.path,
        reason: errorText(error),
      });
    }
    done += size;
    if (Date.now() - told > PROGRESS_EVERY_MS) {
      told = Date.now();
      tell({ kind: 'progress', done, total });
      tell({ kind: 'changed', keys: changed });
      changed = [];
    }
  }
  if (changed.length > 0) tell({ kind: 'changed', keys: changed });
  await readBlindReplays(db, redact, tell);
  return bytes;
}

/** Logs named by path, as a watcher gives them. */
export async function readPaths(
  db: Database,
  paths: readonly string[],
  folders: readonly LogFolder[],
  redact: Redact,
  tell: Tell,
): Promise<number> {
  const files = paths.flatMap((path): PlannedFile[] => {
    const folder = folders.find((candidate) => path.startsWith(`${candidate.path}/`));
    if (folder === undefined || !isLog(path, folder.provider)) return [];
    return [{ log: describe(path, folder.provider), size: 0 }];
  });
  return readFiles(db, files, redact, tell);
}

/** Forks that were read before the session they were copied from are read again now that it is known. */
async function readBlindReplays(db: Database, redact: Redact, tell: Tell): Promise<void> {
  const rows = await db.all(
    `SELECT f.path, s.key FROM sessions s JOIN files f ON f.session = s.key
     WHERE s.blind_replay = 1 AND EXISTS (SELECT 1 FROM sessions p WHERE p.id = s.parent_id)`,
  );
  for (const row of rows) {
    const log = describe(str(row.path), 'codex');
    try {
      await ingestFile(db, log, { redact, anew: true });
      tell({ kind: 'changed', keys: [int(row.key)] });
    } catch {
      // Gone meanwhile: the next scan takes it out.
    }
  }
}
