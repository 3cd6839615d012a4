import type { Worker, WorkerOptions } from 'node:worker_threads';
import { startWorker } from '../../contract/worker.ts';

/** A question to a thread, and its answer. */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

/** What a thread can be asked: names with one parameter and an answer. */
export type Methods = Record<string, (params: never) => unknown>;

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that answers calls; it starts with the first one and ends when nobody called for a while. */
export class Thread<M extends Methods> {
  readonly #source: URL;
  readonly #idleMs: number;
  readonly #limits: WorkerOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;

  constructor(source: URL, idleMs: number, youngMb?: number) {
    this.#source = source;
    this.#idleMs = idleMs;
    this.#limits = youngMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMb } };
  }

  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  /** Asks the thread; rejects when it fails or is stopped. */
  call<Name extends keyof M & string>(
    method: Name,
    params: Parameters<M[Name]>[0],
  ): Promise<Awaited<ReturnType<M[Name]>>> {
    clearTimeout(this.#timer);
    const worker = this.#started();
    worker.ref();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const call: Call = { id, method, params };
      worker.postMessage(call);
    });
  }

  /** Ends the thread; calls under way are rejected. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#rejectAll(new Error('the thread was stopped'));
    await worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = startWorker(this.#source, this.#limits);
    worker.on('message', (reply: Reply) => this.#settle(worker, reply));
    worker.on('error', (error) =>
      this.#lost(worker, error instanceof Error ? error : new Error(String(error))),
    );
    worker.on('exit', (code) => this.#lost(worker, new Error(`the thread ended with ${code}`)));
    this.#worker = worker;
    return worker;
  }

  #settle(worker: Worker, reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve(reply.value as never); // the method's own answer, by the types of `call`
    if (this.#waiting.size > 0) return;
    worker.unref();
    this.#timer = setTimeout(() => void this.stop(), this.#idleMs).unref();
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#rejectAll(error);
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
