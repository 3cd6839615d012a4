import { spawn } from 'node:child_process';
import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { findOrStartBackground, pageAddress } from '../connect/find-or-start.ts';

/** The program that opens an address, by system. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

export const open: BuiltIn = {
  usage: 'pinhole open [--print]',
  flags: [['--print', 'only print the address; it signs in one browser, once, within 15 minutes']],
  examples: ['pinhole open', 'pinhole open --print'],
  async run(args) {
    const { values, positionals } = readFlags(args, { print: { type: 'boolean', default: false } });
    noMoreWords(positionals);
    const address = await pageAddress(await findOrStartBackground(usableDataFolder()));
    process.stdout.write(`${address}\n`);
    if (!values.print) openAddress(address);
    return 0;
  },
};

/** Without a desktop nothing opens; the address was printed before. */
function openAddress(address: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
