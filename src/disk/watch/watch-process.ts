import { type ChildProcess, fork } from 'node:child_process';
import { workerFile } from '../../contract/worker.ts';
import type { Refused, WatchHost, WatchNews, WatchOrder } from './folder-watch.ts';

export type ToWatching =
  | ({ readonly type: 'add'; readonly turn: number } & WatchOrder)
  | { readonly type: 'drop'; readonly index: number; readonly ids: readonly number[] }
  | { readonly type: 'flush'; readonly turn: number };

export type FromWatching =
  | { readonly type: 'added'; readonly turn: number; readonly refused: readonly Refused[] }
  | { readonly type: 'flushed'; readonly turn: number }
  | { readonly type: 'heard'; readonly index: number; readonly ids: readonly number[] }
  | { readonly type: 'lost'; readonly index: number; readonly ids: readonly number[] }
  | { readonly type: 'overflow' };

const FLAGS = ['--single-threaded', '--max-semi-space-size=1'];

/** Watches folders in another process; `ended` is called when that one dies. */
export class WatchProcess implements WatchHost {
  readonly #child: ChildProcess;
  readonly #news: WatchNews;
  readonly #waiting = new Map<number, (refused: readonly Refused[]) => void>();
  #turn = 0;
  #closed = false;

  constructor(news: WatchNews, queue: number, ended: () => void) {
    this.#news = news;
    const file = workerFile(new URL('./watching.worker.ts', import.meta.url));
    this.#child = fork(file, [String(queue)], {
      execArgv: FLAGS,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) => this.#on(message as FromWatching));
    this.#child.on('error', () => this.#end(ended));
    this.#child.on('exit', () => this.#end(ended));
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** The process itself, to be measured. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  add(order: WatchOrder): Promise<readonly Refused[]> {
    return this.#ask((turn) => ({ type: 'add', turn, ...order }));
  }

  drop(index: number, ids: readonly number[]): void {
    this.#send({ type: 'drop', index, ids });
  }

  async flush(): Promise<void> {
    await this.#ask((turn) => ({ type: 'flush', turn }));
  }

  close(): void {
    this.#closed = true;
    this.#child.kill('SIGKILL');
  }

  #ask(message: (turn: number) => ToWatching): Promise<readonly Refused[]> {
    const turn = ++this.#turn;
    return new Promise((resolve) => {
      if (!this.#child.connected) return resolve([]);
      this.#waiting.set(turn, resolve);
      // Held open only while someone waits for the answer.
      this.#child.channel?.ref();
      this.#send(message(turn));
    });
  }

  #send(message: ToWatching): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #on(message: FromWatching): void {
    if (message.type === 'overflow') this.#news.overflow();
    else if (message.type === 'heard') this.#news.heard(message.index, message.ids);
    else if (message.type === 'lost') this.#news.lost(message.index, message.ids);
    else this.#answer(message.turn, message.type === 'added' ? message.refused : []);
  }

  #answer(turn: number, refused: readonly Refused[]): void {
    this.#waiting.get(turn)?.(refused);
    this.#waiting.delete(turn);
    if (this.#waiting.size === 0) this.#child.channel?.unref();
  }

  #end(ended: () => void): void {
    const closed = this.#closed;
    this.#closed = true;
    // All that was asked for is refused now; the marks are taken off by `ended`.
    for (const turn of [...this.#waiting.keys()]) this.#answer(turn, []);
    if (!closed) ended();
  }
}
