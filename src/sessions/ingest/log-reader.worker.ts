import { availableParallelism } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../contract/errors.ts';
import { redact } from '../../contract/redact.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { keepLogs } from '../archive/keep-logs.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { planScan } from './plan-scan.ts';
import { readFiles, readPaths } from './read-files.ts';
import type { FromReader, ReaderOptions, ToReader } from './reader-messages.ts';
import { applyThreadFacts } from './thread-facts.ts';

/** Reads logs into the index, so that the owner's thread never waits for it. */
const port = parentPort;
if (port === null) throw new Error('reader.worker runs as a worker thread');
const options: ReaderOptions = workerData;
const db = await openSqlite(options.database, SESSIONS_SCHEMA);
// Large writes in a row: fewer checkpoints, and room for the merges of the search index.
await db.run('PRAGMA wal_autocheckpoint = 4000');
await db.run('PRAGMA cache_size = -32000');
const tell = (message: FromReader) => {
  // Told between two pieces of work; thrown through the transaction, which takes back what is not whole.
  if (Atomics.load(options.stop, 0) === 1) throw new Error('stopped');
  port.postMessage(message);
};

const cannotRead = (path: string, error: unknown) =>
  tell({ kind: 'unreadable', path, reason: errorText(error) });

/** A log that is being written is copied in pieces of this size, not line by line. */
const WORTH_KEEPING = 256 << 10;
/** Nothing was written for so long: what is left of the logs is copied too. */
const QUIET_MS = 3_000;
/** Below this a second thread costs more than it brings. */
const WORTH_SHARING = 48 << 20;

async function serve(request: Exclude<ToReader, { kind: 'stop' }>): Promise<number> {
  if (request.kind === 'read') {
    const bytes = await readPaths(db, request.paths, request.folders, redact, tell);
    if (request.archive.on) {
      await keepLogs(db, request.archive.folder, WORTH_KEEPING);
      keepWhenQuiet(request.archive.folder);
    }
    return bytes;
  }
  const plan = await planScan(db, request.folders, request.archive);
  for (const [folder, error] of plan.unreadable) cannotRead(folder, error);
  if (plan.removed.length > 0) tell({ kind: 'changed', keys: plan.removed });
  let files = plan.files;
  if (plan.bytes > WORTH_SHARING && availableParallelism() > 1) {
    const mine: typeof files = [];
    const others: string[] = [];
    let ahead = 0;
    for (const file of files) {
      // Whichever side has less takes the next one: both end at about the same time.
      if (ahead <= 0) mine.push(file);
      else others.push(file.log.path);
      ahead += ahead <= 0 ? file.size : -file.size;
    }
    files = mine;
    tell({ kind: 'share', paths: others });
  }
  const bytes = await readFiles(db, files, redact, tell);
  const named = await applyThreadFacts(db, request.folders, redact, cannotRead);
  if (named.length > 0) tell({ kind: 'changed', keys: named });
  if (request.archive.on) await keepLogs(db, request.archive.folder);
  return bytes;
}

let queue: Promise<void> = Promise.resolve();
let quiet: NodeJS.Timeout | undefined;

function keepWhenQuiet(archive: string): void {
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    queue = queue.then(() => keepLogs(db, archive)).catch(() => {});
  }, QUIET_MS);
}

port.on('message', (request: ToReader) => {
  queue = queue.then(() => (request.kind === 'stop' ? end() : answer(request)));
});

async function answer(request: Exclude<ToReader, { kind: 'stop' }>): Promise<void> {
  let bytes = 0;
  try {
    bytes = await serve(request);
  } catch (error) {
    if (Atomics.load(options.stop, 0) === 1) return;
    cannotRead('', error);
  }
  if (Atomics.load(options.stop, 0) === 0) tell({ kind: 'done', bytes });
}

/** The thread ends by itself once nothing is open: stopping it inside SQLite would take the process down. */
async function end(): Promise<void> {
  clearTimeout(quiet);
  await db.close();
  port?.close();
}

tell({ kind: 'ready' });
