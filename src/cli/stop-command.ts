import { dataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { stopBackground } from '../connect/stop-background.ts';

export const stop: BuiltIn = {
  usage: 'pinhole stop',
  flags: [],
  examples: ['pinhole stop'],
  async run(args) {
    noMoreWords(readFlags(args, {}).positionals);
    const stopped = await stopBackground(dataFolder());
    process.stdout.write(stopped ? 'Pinhole stopped.\n' : 'Pinhole was not running.\n');
    return 0;
  },
};
