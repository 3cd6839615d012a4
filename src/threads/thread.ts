import { type ResourceLimits, Worker } from 'node:worker_threads';
import { errorText } from '../contract/errors.ts';
import type { FromRemote, Methods } from './messages.ts';
import { Remote, type RemoteOptions } from './remote.ts';
import { isMemoryScarce } from './scarce-memory.ts';
import { workerFile } from './worker-file.ts';

/** Room for short-lived objects where memory is scarce; usually each thread takes 48 MB. */
const SCARCE_YOUNG_MB = 6;

export interface ThreadOptions<News> extends RemoteOptions<News> {
  readonly limits?: ResourceLimits | undefined;
}

/**
 * A `*.worker.ts` as a thread; `serve` is its other end.
 *
 * @example new Thread<IndexMethods>(new URL('./index.worker.ts', import.meta.url), { idleMs: 60_000 })
 */
export class Thread<M extends Methods, News = never> extends Remote<M, News> {
  constructor(source: URL, { limits = {}, ...options }: ThreadOptions<News> = {}) {
    super((onMessage, onGone) => {
      const worker = new Worker(workerFile(source), { resourceLimits: withinMemory(limits) });
      worker.on('message', (message: FromRemote) => onMessage(message));
      worker.on('error', (error) => onGone(errorText(error)));
      worker.on('exit', (code) => onGone(`the thread ended with ${code}`));
      return {
        send: (message, transfer) => worker.postMessage(message, transfer),
        hold: (on) => (on ? worker.ref() : worker.unref()),
        end: async () => void (await worker.terminate()),
      };
    }, options);
  }
}

function withinMemory(limits: ResourceLimits): ResourceLimits {
  return isMemoryScarce() ? { ...limits, maxYoungGenerationSizeMb: SCARCE_YOUNG_MB } : limits;
}
