import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../contract/engine.ts';

/** Everything in this process, as far as an engine needs it. */
export interface LocalApp {
  readonly engine: Engine;
  /** Whether it works on something that no call waits for. */
  busy(): boolean;
  close(limitMs: number): Promise<boolean>;
}

export interface LocalEngine extends Engine {
  isOpen(): boolean;
  /** With `finish`, once the work that calls began is done. */
  close(finish: boolean): Promise<void>;
}

/** Others can use the data only when this process gives it up: it keeps it no longer than it is used. */
const IDLE_MS = 60_000;
const CLOSE_MS = 3_000;
const POLL_MS = 50;

/** An engine in this process, opened by the first call and closed when no more calls come. */
export function localEngine(open: () => Promise<LocalApp>, idleMs = IDLE_MS): LocalEngine {
  let house: Promise<LocalApp> | undefined;
  let calls = 0;
  let timer: NodeJS.Timeout | undefined;

  const close = async () => {
    clearTimeout(timer);
    const closing = house;
    house = undefined;
    await (await closing?.catch(() => undefined))?.close(CLOSE_MS);
  };
  const closeWhenIdle = async () => {
    if (calls > 0) return;
    if ((await house?.catch(() => undefined))?.busy()) wait();
    else await close();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void closeWhenIdle(), idleMs).unref();
  };

  return {
    isOpen: () => house !== undefined,
    async run(operation, input, call) {
      calls++;
      try {
        house ??= open();
        return await (await house).engine.run(operation, input, call);
      } catch (error) {
        // Not opened: the next call tries again.
        house = undefined;
        throw error;
      } finally {
        calls--;
        wait();
      }
    },
    async close(finish) {
      const opened = await house?.catch(() => undefined);
      while (finish && opened?.busy()) await sleep(POLL_MS);
      await close();
    },
  };
}
