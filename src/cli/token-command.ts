import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { closeConnections } from '../connect/call-background.ts';
import { findOrStartBackground } from '../connect/find-or-start.ts';

export const token: BuiltIn = {
  usage: 'pinhole token',
  flags: [],
  examples: ['curl -H "Authorization: Bearer $(pinhole token)" http://127.0.0.1:4747/api/health'],
  async run(args) {
    noMoreWords(readFlags(args, {}).positionals);
    const background = await findOrStartBackground(usableDataFolder());
    closeConnections();
    process.stdout.write(`${background.token}\n`);
    return 0;
  },
};
