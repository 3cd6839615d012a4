import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { findOrStartBackground } from '../connect/find-or-start.ts';
import { stopBackground } from '../connect/stop-background.ts';

export const restart: BuiltIn = {
  usage: 'pinhole restart',
  flags: [],
  examples: ['pinhole restart'],
  async run(args) {
    noMoreWords(readFlags(args, {}).positionals);
    const home = usableDataFolder();
    await stopBackground(home);
    const background = await findOrStartBackground(home);
    process.stdout.write(
      `Pinhole is running at http://${background.host}:${background.port} (pid ${background.pid})\n`,
    );
    return 0;
  },
};
