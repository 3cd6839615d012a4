import { type OpenApp, openApp } from '../app/open-app.ts';
import { OPERATIONS } from '../app/operations.ts';
import { type Engine, failure } from '../contract/engine.ts';
import { PinholeError } from '../contract/errors.ts';
import { guestFolder } from './guest-folder.ts';
import { holdData, holderOf } from './holder.ts';
import type { LocalApp } from './local-engine.ts';

const NO_SERVER = () => '';

/**
 * Everything in this process, for where no background process can be reached. Nobody has the data: then this process
 * has it as long as the house is open. Somebody has: then this one is a guest, who reads and changes nothing.
 */
export async function openLocalApp(home: string, log: (line: string) => void): Promise<OpenApp & LocalApp> {
  const lock = holdData(home, 'command');
  if (lock === undefined) return openGuestApp(home, log);
  const house = await openApp({ home, log, baseUrl: NO_SERVER, jobs: 'run' }).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  return {
    ...house,
    busy: () => house.services.jobs.busy(),
    close: async (limitMs) => {
      const clean = await house.close(limitMs);
      lock.release();
      return clean;
    },
  };
}

async function openGuestApp(home: string, log: (line: string) => void): Promise<OpenApp & LocalApp> {
  const folder = guestFolder(home);
  const options = { home: folder.path, log, baseUrl: NO_SERVER, jobs: 'pause', sessionsOf: home } as const;
  const house = await openApp(options).catch((error: unknown) => {
    folder.remove();
    throw error;
  });
  return {
    ...house,
    engine: guestEngine(house.engine, home, log),
    busy: () => false,
    close: async (limitMs) => {
      const clean = await house.close(limitMs);
      folder.remove();
      return clean;
    },
  };
}

/** Changes would be lost, and whoever has the data would know nothing of them. */
function guestEngine(engine: Engine, home: string, log: (line: string) => void): Engine {
  const reads = new Set<string>(OPERATIONS.filter(({ readOnly }) => readOnly).map(({ name }) => name));
  return {
    async run(operation, input, call) {
      if (reads.has(operation)) return engine.run(operation, input, call);
      const holder = holderOf(home);
      const who = holder === undefined || holder === 'unknown' ? 'another process' : `process ${holder.pid}`;
      const message = `Only ${who} can change the data folder ${home}, and it cannot be reached from here. Run this where it can be reached, or end it with: pinhole stop`;
      return failure(new PinholeError('conflict', message, { retryable: true }), call.caller, log);
    },
  };
}
