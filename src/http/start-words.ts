import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { PINNED_PACKAGE } from '../contract/version.ts';

/**
 * The words that start this Pinhole again from another shell, for the lines that the page shows to copy.
 *
 * @param main the file that runs now, as `process.argv[1]` has it
 * @param path the folders where commands are looked up
 */
export function startWords(main: string, path: string): readonly string[] {
  const npx = ['npx', '-y', PINNED_PACKAGE];
  const parts = main.split(/[/\\]/);
  // What npx runs is in a cache that is deleted at some time.
  if (basename(main) !== 'main.js' || parts.includes('_npx')) return npx;
  if (!parts.includes('node_modules')) return ['node', main];
  const installed = path
    .split(delimiter)
    .some((folder) => !folder.includes('node_modules') && existsSync(join(folder, 'pinhole')));
  return installed ? ['pinhole'] : npx;
}
