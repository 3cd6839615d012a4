import { sep } from 'node:path';
import { PinholeError } from '../contract/errors.ts';
import type { Launch } from './clients.ts';
import { onPath, type Place } from './place.ts';

/**
 * How clients should start Pinhole: by name if it is installed globally, by `npx` if it was started through npm, and
 * by path if it runs from a checkout.
 *
 * @param main the file that runs now
 */
export function defaultLaunch(main: string, place: Place): Launch {
  if (!main.split(sep).includes('node_modules')) return { command: process.execPath, args: [main, 'mcp'] };
  // npx and npm scripts put the folder of the package first on PATH; that is not an installation.
  const isGlobal = !main.includes(`${sep}_npx${sep}`) && onPath('pinhole', withoutNpm(place)) === main;
  const words = isGlobal ? ['pinhole', 'mcp'] : ['npx', '-y', 'pinhole', 'mcp'];
  // On Windows, .cmd files can only be started through the shell.
  const [command = 'npx', ...args] = place.platform === 'win32' ? ['cmd', '/c', ...words] : words;
  return { command, args };
}

function withoutNpm(place: Place): Place {
  const parts = (place.env.PATH ?? '').split(place.platform === 'win32' ? ';' : ':');
  const PATH = parts
    .filter((part) => !part.includes('node_modules'))
    .join(place.platform === 'win32' ? ';' : ':');
  return { ...place, env: { ...place.env, PATH } };
}

/** Splits a command line at spaces outside of quotes. */
export function splitCommand(line: string): Launch {
  const words = [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/["']/g, ''),
  );
  const [command, ...args] = words;
  if (command === undefined) throw new PinholeError('invalid_parameter', '--command must name a program.');
  return { command, args };
}
