import { type ResourceLimits, Worker } from 'node:worker_threads';
import { errorText } from '../contract/errors.ts';
import type { FromRemote, Methods } from './messages.ts';
import { Remote, type RemoteOptions } from './remote.ts';
import { workerFile } from './worker-file.ts';

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
      const worker = new Worker(workerFile(source), { resourceLimits: limits });
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
