import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where Pinhole keeps its data: `PINHOLE_HOME`, or the XDG data folder. Nothing is written elsewhere. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.PINHOLE_HOME) return resolve(env.PINHOLE_HOME);
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'pinhole');
}
