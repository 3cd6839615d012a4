import type { EventOf, FromRemote, Methods, ToRemote, Transfer } from './messages.ts';

/** A call was not answered, since the other side ended or was stopped. */
export class RemoteEnded extends Error {}

/** A running thread or process, as far as they are alike. */
export interface Host {
  readonly pid?: number | undefined;
  send(message: ToRemote, transfer: Transfer): void;
  /** Whether it keeps this process alive. */
  hold(on: boolean): void;
  end(): Promise<void>;
}

/** Starts a host, which reports what it gets and, once, that it is gone. */
export type StartHost = (onMessage: (message: FromRemote) => void, onGone: (why: string) => void) => Host;

export interface RemoteOptions<News> {
  /** Ends when nobody called for this long; without it only `stop` ends it. */
  readonly idleMs?: number | undefined;
  /** A call that is cancelled ends the other side, for work that does not look at its signal. */
  readonly endOnCancel?: boolean | undefined;
  /** Calls under way do not keep this process alive. */
  readonly background?: boolean | undefined;
  /** What the other side tells without being asked. */
  readonly onNews?: ((news: News) => void) | undefined;
  /** It ended by itself. */
  readonly onGone?: (() => void) | undefined;
}

export interface CallOptions<Event> {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: Event) => void) | undefined;
  readonly transfer?: Transfer | undefined;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  readonly onEvent: ((event: never) => void) | undefined;
}

/** Something in another thread or process that answers calls. It starts with the first one. */
export class Remote<M extends Methods, News = never> {
  readonly #start: StartHost;
  readonly #options: RemoteOptions<News>;
  readonly #waiting = new Map<number, Waiting>();
  #host: Host | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;

  constructor(start: StartHost, options: RemoteOptions<News>) {
    this.#start = start;
    this.#options = options;
  }

  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  get running(): boolean {
    return this.#host !== undefined;
  }

  /** Of a process that runs. */
  get pid(): number | undefined {
    return this.#host?.pid;
  }

  /**
   * Asks the other side. Rejects when the method fails there, with the name and message of its error, when the other
   * side ends or is stopped, and, once the method has given up, with the reason of a signal.
   */
  call<Name extends keyof M & string>(
    method: Name,
    params: Parameters<M[Name]>[0],
    { signal, onEvent, transfer = [] }: CallOptions<EventOf<M[Name]>> = {},
  ): Promise<Awaited<ReturnType<M[Name]>>> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    clearTimeout(this.#timer);
    const host = this.#started();
    if (this.#options.background !== true) host.hold(true);
    const id = ++this.#last;
    const cancel = () => {
      if (this.#options.endOnCancel === true) void this.stop();
      else host.send({ cancel: id }, []);
    };
    signal?.addEventListener('abort', cancel);
    const answer = new Promise<Awaited<ReturnType<M[Name]>>>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onEvent });
    });
    try {
      host.send({ id, method, params }, transfer);
    } catch (error) {
      this.#settle(id)?.reject(error);
    }
    return answer
      .catch((error: unknown) => Promise.reject(signal?.aborted === true ? signal.reason : error))
      .finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** The same for something that is needed for one call only: it ends with it. */
  async once<Name extends keyof M & string>(
    method: Name,
    params: Parameters<M[Name]>[0],
    options?: CallOptions<EventOf<M[Name]>>,
  ): Promise<Awaited<ReturnType<M[Name]>>> {
    try {
      return await this.call(method, params, options);
    } finally {
      await this.stop();
    }
  }

  /** Ends the other side; calls under way are rejected. The next call starts it again. */
  async stop(): Promise<void> {
    const host = this.#forget();
    this.#rejectAll(new RemoteEnded('the thread was stopped'));
    await host?.end();
  }

  #started(): Host {
    if (this.#host !== undefined) return this.#host;
    const host = this.#start(
      (message) => this.#on(message),
      (why) => {
        if (this.#host !== host) return;
        this.#forget();
        this.#rejectAll(new RemoteEnded(why));
        this.#options.onGone?.();
      },
    );
    host.hold(false);
    this.#host = host;
    return host;
  }

  #on(message: FromRemote): void {
    // By the types of `call` and `serve`, which share those of the methods.
    if ('event' in message) {
      if (message.id === undefined) this.#options.onNews?.(message.event as News);
      else this.#waiting.get(message.id)?.onEvent?.(message.event as never);
      return;
    }
    const waiting = this.#settle(message.id);
    if ('value' in message) waiting?.resolve(message.value as never);
    else waiting?.reject(Object.assign(new Error(message.error.message), { name: message.error.name }));
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) {
      this.#host?.hold(false);
      const { idleMs } = this.#options;
      if (idleMs !== undefined) this.#timer = setTimeout(() => void this.stop(), idleMs).unref();
    }
    return waiting;
  }

  #forget(): Host | undefined {
    clearTimeout(this.#timer);
    const host = this.#host;
    this.#host = undefined;
    return host;
  }

  #rejectAll(error: Error): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(error);
  }
}
