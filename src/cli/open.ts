import { spawn } from 'node:child_process';
import { usableDataFolder } from '../app/home.ts';
import { findOrStartOwner, pageAddress } from '../daemon/connect.ts';
import type { BuiltIn } from './built-in.ts';
import { readFlags } from './flags.ts';

/** The program of each system that opens an address. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

export const open: BuiltIn = {
  usage: 'pinhole open [--print]',
  flags: [['--print', 'only print the address, which signs a browser in once, within 15 minutes']],
  examples: ['pinhole open', 'pinhole open --print'],
  async run(args) {
    const { values } = readFlags(args, { print: { type: 'boolean', default: false } });
    const address = await pageAddress(await findOrStartOwner(usableDataFolder()));
    process.stdout.write(`${address}\n`);
    if (!values.print) openAddress(address);
    return 0;
  },
};

/** Whoever has no desktop has the printed address. */
function openAddress(address: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
