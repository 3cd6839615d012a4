import { usableDataFolder } from '../app/home.ts';
import type { OpenApp } from '../app/open-app.ts';
import { withColdStart } from '../connect/cold-start.ts';
import { findOrStartBackground, staysLocal } from '../connect/find-or-start.ts';
import type { LocalApp } from '../connect/local-engine.ts';
import { type RemoteEngine, remoteEngine } from '../connect/remote-engine.ts';
import { systemZone } from '../connect/system-zone.ts';
import type { Caller } from '../contract/caller.ts';
import { COMMANDS } from './commands.data.ts';
import { UNLIMITED_BYTES } from './max-bytes.ts';
import { terminal } from './terminal.ts';

/** The engine of the commands: the background process, or this process if there is none. */
export function cliEngine(): RemoteEngine {
  const home = usableDataFolder();
  const remote = remoteEngine({
    operations: COMMANDS,
    connect: () => findOrStartBackground(home),
    openHere: () => localApp(home),
    onLocal: sayLocal,
  });
  return withColdStart(remote, home);
}

/** Tells the person why this command is slower than usual, unless they asked for it. */
export function sayLocal(reason: string): void {
  if (staysLocal()) return;
  process.stderr.write(`pinhole: ${reason} This command runs without it.\n`);
}

/** The app in this process; it must be closed. */
export async function localApp(home: string): Promise<OpenApp & LocalApp> {
  const { openLocalApp } = await import('../connect/local-app.ts');
  const { createLog } = await import('../connect/background-log.ts');
  return await openLocalApp(home, createLog(home));
}

/** A person at a terminal may read whatever their user may read. */
export function cliCaller(format: Caller['format'], budget = UNLIMITED_BYTES): Caller {
  return {
    door: 'cli',
    client: 'cli',
    id: `cli#${process.pid}`,
    roots: ['/'],
    cwd: process.cwd(),
    budget,
    format,
    terminal: terminal(),
    zone: systemZone(),
  };
}
