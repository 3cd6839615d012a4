import { type OpenApp, openApp } from '../app/open-app.ts';
import { OPERATIONS } from '../app/operations.ts';
import { type Engine, failure } from '../contract/engine.ts';
import { PinholeError } from '../contract/errors.ts';
import { holdData, holderOf } from './data-holder.ts';
import { guestFolder } from './guest-folder.ts';
import type { LocalApp } from './local-engine.ts';

const NO_SERVER = () => '';

/**
 * Opens the app in this process, for when no background process can be reached. If no other process holds the data,
 * this one holds it until it closes the app. Otherwise it works on a copy, which can be read but not changed.
 */
export async function openLocalApp(home: string, log: (line: string) => void): Promise<OpenApp & LocalApp> {
  const lock = holdData(home, 'command');
  if (lock === undefined) return openGuestApp(home, log);
  const app = await openApp({ home, log, baseUrl: NO_SERVER, jobs: 'run' }).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  return {
    ...app,
    busy: () => app.services.jobs.busy(),
    close: async (limitMs) => {
      const clean = await app.close(limitMs);
      lock.release();
      return clean;
    },
  };
}

async function openGuestApp(home: string, log: (line: string) => void): Promise<OpenApp & LocalApp> {
  const folder = guestFolder(home);
  const options = { home: folder.path, log, baseUrl: NO_SERVER, jobs: 'pause', sessionsOf: home } as const;
  const app = await openApp(options).catch((error: unknown) => {
    folder.remove();
    throw error;
  });
  return {
    ...app,
    engine: guestEngine(app.engine, home, log),
    busy: () => false,
    close: async (limitMs) => {
      const clean = await app.close(limitMs);
      folder.remove();
      return clean;
    },
  };
}

/** Refuses changes: they would be lost with the copy, and the process that holds the data would not know of them. */
function guestEngine(engine: Engine, home: string, log: (line: string) => void): Engine {
  const reads = new Set<string>(OPERATIONS.filter(({ readOnly }) => readOnly).map(({ name }) => name));
  return {
    async run(operation, input, call) {
      if (reads.has(operation)) return engine.run(operation, input, call);
      const holder = holderOf(home);
      const who = holder === undefined || holder === 'unknown' ? 'another process' : `process ${holder.pid}`;
      const message = `Only ${who} can change the data folder ${home}, and it cannot be reached from here. Run this command where it can be reached, or stop that process with: pinhole stop`;
      return failure(new PinholeError('conflict', message, { retryable: true }), call.caller, log);
    },
  };
}
