import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../contract/errors.ts';
import { PROVIDERS } from '../providers/index.ts';
import type { FromReader, ReaderOptions, ToReader } from './reader-messages.ts';
import { openRequestServer } from './serve-requests.ts';

/** Reads logs into the index, so that the thread that answers requests never waits for it. */
const port = parentPort;
if (port === null) throw new Error('log-reader.worker runs as a worker thread');
const options: ReaderOptions = workerData;
const stopped = () => Atomics.load(options.stop, 0) === 1;
const tell = (message: FromReader) => {
  // Thrown between two pieces of work; a transaction that it passes through rolls back.
  if (stopped()) throw new Error('stopped');
  port.postMessage(message);
};
/** Blocks this thread: it has nothing else to do. */
const waitWhileHeld = () => {
  for (let now = Atomics.load(options.held, 0); now > 0 && !stopped(); now = Atomics.load(options.held, 0))
    Atomics.wait(options.held, 0, now);
};
const server = await openRequestServer(options.database, PROVIDERS, tell, waitWhileHeld);

port.on('message', (request: ToReader) => {
  if (request.kind === 'stop') void end();
  else
    server
      .serve(request)
      .catch((error: unknown) => {
        if (!stopped()) tell({ kind: 'unreadable', path: '', reason: errorText(error) });
        return 0;
      })
      .then((bytes) => {
        if (!stopped()) tell({ kind: 'done', bytes });
      });
});

/** The thread ends by itself once nothing is open: stopping it inside SQLite would crash the process. */
async function end(): Promise<void> {
  await server.close();
  port?.close();
}

tell({ kind: 'ready' });
