import { fork } from 'node:child_process';
import type { FromRemote, Methods } from './messages.ts';
import { Remote, type RemoteOptions } from './remote.ts';
import { workerFile } from './worker-file.ts';

export interface ChildOptions<News> extends RemoteOptions<News> {
  /** For Node. */
  readonly flags?: readonly string[] | undefined;
  /** Added to this process's; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A `*.worker.ts` as a process of its own, which ends with this one; `serve` is its other end. */
export class Child<M extends Methods, News = never> extends Remote<M, News> {
  constructor(source: URL, { flags = [], env = {}, ...options }: ChildOptions<News> = {}) {
    super((onMessage, onGone) => {
      const child = fork(workerFile(source), [], {
        execArgv: [...flags],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, ...env },
      });
      // Only `serve` sends.
      child.on('message', (message) => onMessage(message as FromRemote));
      child.on('error', ({ message }) => onGone(message));
      // What it has sent may come after its exit, but before its close.
      child.on('close', (code) => onGone(`the process ended with ${code ?? 'a signal'}`));
      child.unref();
      return {
        pid: child.pid,
        send(message) {
          // One that cannot be reached is gone, and says so by itself.
          if (child.connected) child.send(message, () => undefined);
        },
        hold: (on) => (on ? child.channel?.ref() : child.channel?.unref()),
        end: async () => void child.kill('SIGKILL'),
      };
    }, options);
  }
}
