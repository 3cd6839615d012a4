import { realpathSync } from 'node:fs';
import { PinholeError } from '../contract/errors.ts';
import { PINNED_PACKAGE } from '../contract/version.ts';
import type { Launch, Scope } from './client.ts';
import { namedOnPath, onPath, type Place, pathRules } from './place.ts';

/**
 * How clients should start Pinhole: by npx and exact version in files that others use too or if it was started through
 * npx, otherwise by absolute paths, because desktop programs do not have the PATH of a shell.
 *
 * @param main the file that runs now
 */
export function defaultLaunch(main: string, place: Place, scope: Scope): Launch {
  return scope === 'user' && isLasting(main, place)
    ? { command: nodeProgram(place), args: [main, 'mcp'] }
    : npxLaunch(place);
}

/** A checkout or an installation; what npx runs is a cache that is deleted at some time. */
function isLasting(main: string, place: Place): boolean {
  const parts = main.split(/[/\\]/);
  return (
    !parts.includes('node_modules') ||
    (!parts.includes('_npx') && onPath('pinhole', withoutNpm(place)) === main)
  );
}

function npxLaunch({ platform }: Place): Launch {
  const words = ['-y', PINNED_PACKAGE, 'mcp'];
  // On Windows, .cmd files can only be started through the shell.
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...words] }
    : { command: 'npx', args: words };
}

/** The Node.js that runs now, by the name that stays when it is updated. */
function nodeProgram(place: Place): string {
  const named = namedOnPath('node', place);
  return named !== undefined && realpathSync(named) === realpathSync(process.execPath)
    ? named
    : process.execPath;
}

/** npx and npm scripts put the folder of the package first on PATH; that is not an installation. */
function withoutNpm(place: Place): Place {
  const { delimiter } = pathRules(place);
  const PATH = (place.env.PATH ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
    .join(delimiter);
  return { ...place, env: { ...place.env, PATH } };
}

/** The words of an entry in a client's settings: the program and its arguments. */
export function entryWords(entry: Readonly<Record<string, unknown>>): readonly string[] {
  return [entry.command, entry.cmd, entry.args].flat().filter((word) => typeof word === 'string');
}

/** The part of a command line that does not exist here: the program, or the script it should run. */
export function missingPart(words: readonly string[], place: Place): string | undefined {
  const { isAbsolute } = pathRules(place);
  const exists = (file: string) => {
    try {
      realpathSync(file);
      return true;
    } catch {
      return false;
    }
  };
  const [program, script] = words;
  if (
    program !== undefined &&
    (isAbsolute(program) ? !exists(program) : onPath(program, place) === undefined)
  )
    return program;
  return script !== undefined && isAbsolute(script) && !exists(script) ? script : undefined;
}

/** Whether the entry starts the package `pinhole`, which is not ours, or ours in whatever version is the newest. */
export function isUnpinned(words: readonly string[]): boolean {
  return (
    words.some((word) => /^(pinhole|@pinhole-tools\/pinhole)(@latest)?$/.test(word)) && words.some(isNpx)
  );
}

function isNpx(word: string): boolean {
  return /(^|[/\\])(npx|bunx|pnpx)(\.cmd)?$/.test(word);
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
