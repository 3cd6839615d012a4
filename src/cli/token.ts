import { usableDataFolder } from '../app/home.ts';
import { findOrStartOwner } from '../daemon/connect.ts';
import { closeConnections } from '../daemon/http-client.ts';
import type { BuiltIn } from './built-in.ts';

export const token: BuiltIn = {
  usage: 'pinhole token',
  flags: [],
  examples: ['curl -H "Authorization: Bearer $(pinhole token)" http://127.0.0.1:4747/api/health'],
  async run() {
    const owner = await findOrStartOwner(usableDataFolder());
    closeConnections();
    process.stdout.write(`${owner.token}\n`);
    return 0;
  },
};
