import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../contract/engine.ts';

/** An app that is open in this process, as far as an engine needs it. */
export interface LocalApp {
  readonly engine: Engine;
  /** Whether work is under way that no call is waiting for. */
  busy(): boolean;
  close(limitMs: number): Promise<boolean>;
}

export interface LocalEngine extends Engine {
  isOpen(): boolean;
  /** With `finish`, only after the work that calls started is done. */
  close(finish: boolean): Promise<void>;
}

/** No other process can use the data while this one holds it, so it is given up soon after the last call. */
const IDLE_MS = 60_000;
const CLOSE_MS = 3_000;
const POLL_MS = 50;

/** An engine in this process: opened by the first call, closed when no more calls come. */
export function localEngine(open: () => Promise<LocalApp>, idleMs = IDLE_MS): LocalEngine {
  let app: Promise<LocalApp> | undefined;
  let calls = 0;
  let timer: NodeJS.Timeout | undefined;

  const close = async () => {
    clearTimeout(timer);
    const closing = app;
    app = undefined;
    await (await closing?.catch(() => undefined))?.close(CLOSE_MS);
  };
  const closeWhenIdle = async () => {
    if (calls > 0) return;
    if ((await app?.catch(() => undefined))?.busy()) wait();
    else await close();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void closeWhenIdle(), idleMs).unref();
  };

  return {
    isOpen: () => app !== undefined,
    async run(operation, input, call) {
      calls++;
      try {
        app ??= open();
        return await (await app).engine.run(operation, input, call);
      } catch (error) {
        // It could not be opened; the next call tries again.
        app = undefined;
        throw error;
      } finally {
        calls--;
        wait();
      }
    },
    async close(finish) {
      const opened = await app?.catch(() => undefined);
      while (finish && opened?.busy()) await sleep(POLL_MS);
      await close();
    },
  };
}
