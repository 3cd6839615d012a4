import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { PinholeError, systemCode } from '../contract/errors.ts';

/** Where Pinhole keeps its data: `PINHOLE_HOME`, or the XDG data folder. Nothing is written elsewhere. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.PINHOLE_HOME) return resolve(env.PINHOLE_HOME);
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'pinhole');
}

/** The data folder, created if missing and checked; the error says what to do. */
export function usableDataFolder(): string {
  const home = dataFolder();
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return home;
  } catch (error) {
    const reason = systemCode(error) ?? String(error);
    throw new PinholeError(
      'conflict',
      `The data folder ${home} is not writable (${reason}). Set PINHOLE_HOME to a writable folder.`,
    );
  }
}
