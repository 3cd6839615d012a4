import type { BuiltIn } from '../command/built-in.ts';
import { completions } from './completions.ts';

/** Tells a shell what may come next: a line for each, with its meaning after a tab; `:files` asks for names of files. */
export const complete: BuiltIn = {
  usage: 'pinhole complete -- [WORD...]',
  flags: [],
  examples: [],
  async run([, ...words]) {
    const { values, files } = await completions(words);
    for (const { value, text } of values) process.stdout.write(`${value}\t${text}\n`);
    if (files) process.stdout.write(':files\n');
    return 0;
  },
};
