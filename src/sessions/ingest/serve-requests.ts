import { availableParallelism } from 'node:os';
import { errorText } from '../../contract/errors.ts';
import { redact } from '../../contract/redact.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { keepLogs } from '../archive/keep-logs.ts';
import type { Provider } from '../providers/provider.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { answeringFolders, type Patience } from './answering-folders.ts';
import { type PlannedFile, planScan } from './plan-scan.ts';
import { type ReadingTools, readFiles, readPaths } from './read-files.ts';
import type { Archive, FromReader, LogSizes, ReadRequest, ScanRequest } from './reader-messages.ts';
import { applySideFacts } from './side-facts.ts';

/** A log that is being written is copied to the archive in pieces of this size, not line by line. */
const MIN_KEPT_BYTES = 256 << 10;
/** After this long without a change, the rest of each log is copied too. */
const QUIET_MS = 3_000;
/** Below this a second thread costs more than it saves. */
const MIN_SHARED_BYTES = 48 << 20;

export interface RequestServer {
  /** Serves a request after all earlier ones; resolves to the number of bytes read. */
  serve(request: ScanRequest | ReadRequest): Promise<number>;
  close(): Promise<void>;
}

/** Reads logs into the index, one request after the other. `tell` may throw to stop between two pieces of work. */
export async function openRequestServer(
  database: string,
  providers: readonly Provider[],
  tell: (message: FromReader) => void,
  waitWhileHeld: () => void = () => {},
  patience?: Patience,
): Promise<RequestServer> {
  const db = await openSqlite(database, SESSIONS_SCHEMA);
  // Large writes in a row: fewer checkpoints, and room for the merges of the search index.
  await db.run('PRAGMA wal_autocheckpoint = 4000');
  await db.run('PRAGMA cache_size = -32000');
  const tools: ReadingTools = { db, providers, redact, tell, waitWhileHeld };
  const cannotRead = (path: string, error: unknown) =>
    tell({ kind: 'unreadable', path, reason: errorText(error) });
  let queue: Promise<unknown> = Promise.resolve();
  let quiet: NodeJS.Timeout | undefined;

  async function scan({ folders: all, archive }: ScanRequest): Promise<number> {
    const folders = await answeringFolders(all, cannotRead, patience);
    const plan = await planScan(db, providers, folders, archive);
    for (const [folder, error] of plan.unreadable) cannotRead(folder, error);
    if (plan.removed.length > 0) tell({ kind: 'changed', keys: plan.removed });
    const shared = plan.bytes > MIN_SHARED_BYTES && availableParallelism() > 1;
    const { mine, others } = shared ? halved(plan.files) : { mine: plan.files, others: [] };
    if (others.length > 0) tell({ kind: 'share', sizes: sizesOf(others) });
    const bytes = await readFiles(tools, mine);
    const learnt = await applySideFacts(db, providers, folders, redact, cannotRead);
    if (learnt.length > 0) tell({ kind: 'changed', keys: learnt });
    if (archive.on) await keepLogs(db, providers, archive);
    return bytes;
  }

  async function read({ paths, folders, archive, sizes }: ReadRequest): Promise<number> {
    const bytes = await readPaths(tools, paths, folders, archive, sizes);
    if (archive.on) {
      await keepLogs(db, providers, archive, MIN_KEPT_BYTES);
      keepWhenQuiet(archive);
    }
    return bytes;
  }

  function keepWhenQuiet(archive: Archive): void {
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      queue = queue.then(() => keepLogs(db, providers, archive)).catch(() => {});
    }, QUIET_MS);
  }

  return {
    serve(request) {
      const work = queue.then(() => (request.kind === 'scan' ? scan(request) : read(request)));
      queue = work.catch(() => {});
      return work;
    },
    async close() {
      await queue;
      clearTimeout(quiet);
      await db.close();
    },
  };
}

/** Two halves of about the same size: the smaller one takes the next file. */
function halved(files: readonly PlannedFile[]): {
  readonly mine: readonly PlannedFile[];
  readonly others: readonly PlannedFile[];
} {
  const mine: PlannedFile[] = [];
  const others: PlannedFile[] = [];
  let ahead = 0;
  for (const file of files) {
    if (ahead <= 0) mine.push(file);
    else others.push(file);
    ahead += ahead <= 0 ? file.size : -file.size;
  }
  return { mine, others };
}

function sizesOf(files: readonly PlannedFile[]): LogSizes {
  return Object.fromEntries(files.map(({ log, size }) => [log.path, size]));
}
