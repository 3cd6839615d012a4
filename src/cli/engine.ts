import { usableDataFolder } from '../app/home.ts';
import type { House } from '../app/house.ts';
import { OPERATIONS } from '../app/operations.ts';
import type { Caller } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { findOrStartOwner } from '../daemon/connect.ts';
import { remoteEngine } from '../daemon/remote-engine.ts';

const CLI_BUDGET = 50_000_000;

/** The engine of this terminal's commands: the background process, or this one when there can be none. */
export function cliEngine(): Engine {
  return remoteEngine({
    operations: OPERATIONS,
    connect: () => findOrStartOwner(usableDataFolder()),
    fallback: localEngine,
  });
}

/** An engine in this process, on the same data. */
export async function localEngine(): Promise<Engine> {
  return (await localHouse()).engine;
}

/** Everything in this process, on the same data. */
export async function localHouse(): Promise<House> {
  const { openHouse } = await import('../app/house.ts');
  const { createLog } = await import('../daemon/log.ts');
  const home = usableDataFolder();
  return await openHouse({ home, log: createLog(home), baseUrl: () => 'http://127.0.0.1:4747' });
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
