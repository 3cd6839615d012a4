import { usableDataFolder } from '../app/home.ts';
import { findOrStartOwner } from '../daemon/connect.ts';
import { stopOwner } from '../daemon/stop-owner.ts';
import type { BuiltIn } from './built-in.ts';

export const restart: BuiltIn = {
  usage: 'pinhole restart',
  flags: [],
  examples: ['pinhole restart'],
  async run() {
    const home = usableDataFolder();
    await stopOwner(home);
    const owner = await findOrStartOwner(home);
    process.stdout.write(`Pinhole runs at http://${owner.host}:${owner.port} (pid ${owner.pid})\n`);
    return 0;
  },
};
