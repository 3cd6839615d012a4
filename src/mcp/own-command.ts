import { delimiter, parse } from 'node:path';

/**
 * The words that start this program again, for a reader in another shell.
 *
 * @param script the file that runs now, as `process.argv[1]` has it
 * @param path the folders where commands are looked up
 */
export function ownCommand(script: string, path: string): string {
  const { dir, base, ext } = parse(script);
  const quoted = /^[\w@%+=:,./~\\-]+$/.test(script) ? script : `"${script}"`;
  if (ext !== '' && ext !== '.cmd') return `node ${quoted}`;
  // npx and npm scripts put folders on PATH that other shells do not have.
  const installed = !dir.includes('node_modules') && path.split(delimiter).includes(dir);
  return installed ? base : quoted;
}
