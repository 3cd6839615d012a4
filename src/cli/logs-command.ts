import { existsSync, readFileSync } from 'node:fs';
import { dataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags, wholeNumber } from '../command/flags.ts';
import { logFile } from '../connect/background-log.ts';

export const logs: BuiltIn = {
  usage: 'pinhole logs [--lines N] [--grep TEXT]',
  flags: [
    ['--lines N', 'show the last N lines (default 50)'],
    ['--grep TEXT', 'only lines that contain this text, e.g. the id of an internal error'],
  ],
  examples: ['pinhole logs --lines 200', 'pinhole logs --grep 3fa2b1c0'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      lines: { type: 'string', default: '50' },
      grep: { type: 'string', default: '' },
    });
    noMoreWords(positionals);
    const file = logFile(dataFolder());
    if (!existsSync(file)) {
      process.stdout.write('There is no log yet.\n');
      return 0;
    }
    const all = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => line.includes(values.grep));
    const shown = all.slice(-wholeNumber('--lines', values.lines, 1, 1_000_000));
    process.stdout.write(shown.length === 0 ? '' : `${shown.join('\n')}\n`);
    return 0;
  },
};
