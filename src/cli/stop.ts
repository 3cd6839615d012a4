import { dataFolder } from '../app/home.ts';
import { stopOwner } from '../daemon/stop-owner.ts';
import type { BuiltIn } from './built-in.ts';

export const stop: BuiltIn = {
  usage: 'pinhole stop',
  flags: [],
  examples: ['pinhole stop'],
  async run() {
    const stopped = await stopOwner(dataFolder());
    process.stdout.write(stopped ? 'Pinhole has ended.\n' : 'Pinhole was not running.\n');
    return 0;
  },
};
