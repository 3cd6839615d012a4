import { usableDataFolder } from '../app/home.ts';
import type { OpenApp } from '../app/open-app.ts';
import { OPERATIONS } from '../app/operations.ts';
import type { Caller } from '../contract/caller.ts';
import { findOrStartOwner } from '../daemon/connect.ts';
import type { LocalApp } from '../daemon/local-engine.ts';
import { type RemoteEngine, remoteEngine } from '../daemon/remote-engine.ts';

const CLI_BUDGET = 50_000_000;

/** The engine of this terminal's commands: the background process, or this one when there can be none. */
export function cliEngine(): RemoteEngine {
  const home = usableDataFolder();
  return remoteEngine({
    operations: OPERATIONS,
    connect: () => findOrStartOwner(home),
    openHere: () => localApp(home),
    note: sayAlone,
  });
}

/** Tells a person why this is slower than usual. */
export function sayAlone(reason: string): void {
  process.stderr.write(`pinhole: ${reason} This command answers by itself.\n`);
}

/** Everything in this process; it must be closed. */
export async function localApp(home: string): Promise<OpenApp & LocalApp> {
  const { openLocalApp } = await import('../daemon/local-house.ts');
  const { createLog } = await import('../daemon/log.ts');
  return await openLocalApp(home, createLog(home));
}

/** A person at a terminal may read what their user may read. */
export function cliCaller(format: Caller['format']): Caller {
  return {
    door: 'cli',
    client: 'cli',
    id: `cli#${process.pid}`,
    roots: ['/'],
    cwd: process.cwd(),
    budget: CLI_BUDGET,
    format,
  };
}
