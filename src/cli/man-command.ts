import type { BuiltIn } from '../command/built-in.ts';
import { manPage } from './man-page.ts';

/** Prints the manual page; the build packs it. */
export const man: BuiltIn = {
  usage: 'pinhole man',
  flags: [],
  examples: ['pinhole man | man -l -'],
  async run() {
    process.stdout.write(await manPage());
    return 0;
  },
};
