import { existsSync, readFileSync } from 'node:fs';
import { dataFolder } from '../app/home.ts';
import { logFile } from '../daemon/log.ts';
import type { BuiltIn } from './built-in.ts';
import { readFlags, wholeNumber } from './flags.ts';

export const logs: BuiltIn = {
  usage: 'pinhole logs [--lines N] [--grep TEXT]',
  flags: [
    ['--lines N', 'how many of the last lines (default 50)'],
    ['--grep TEXT', 'only lines with this text, such as the id of an internal error'],
  ],
  examples: ['pinhole logs --lines 200', 'pinhole logs --grep 3fa2b1c0'],
  async run(args) {
    const { values } = readFlags(args, {
      lines: { type: 'string', default: '50' },
      grep: { type: 'string', default: '' },
    });
    const file = logFile(dataFolder());
    if (!existsSync(file)) {
      process.stdout.write('There is no log yet.\n');
      return 0;
    }
    const all = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => line.includes(values.grep));
    const shown = all.slice(-wholeNumber('lines', values.lines, 1, 1_000_000));
    process.stdout.write(shown.length === 0 ? '' : `${shown.join('\n')}\n`);
    return 0;
  },
};
