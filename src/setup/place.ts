import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { type PlatformPath, posix, win32 } from 'node:path';

/** The machine as setup sees it; tests pass their own. */
export interface Place {
  readonly home: string;
  /** The project folder, for project settings. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export function thisPlace(): Place {
  return { home: homedir(), cwd: process.cwd(), env: process.env, platform: process.platform };
}

/** The path rules of the machine. */
export function pathRules({ platform }: Pick<Place, 'platform'>): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/** Joins parts of a path by the rules of the machine. */
export function under(place: Pick<Place, 'platform'>, ...parts: readonly string[]): string {
  return pathRules(place).join(...parts);
}

/** The real file of a program on PATH, or undefined. */
export function onPath(program: string, place: Place): string | undefined {
  const file = namedOnPath(program, place);
  return file === undefined ? undefined : realpathSync(file);
}

/** The file of a program on PATH, as PATH names it: a link there stays the same when the program is updated. */
export function namedOnPath(program: string, place: Place): string | undefined {
  const endings = place.platform === 'win32' ? ['.cmd', '.exe', ''] : [''];
  return (place.env.PATH ?? '')
    .split(pathRules(place).delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => under(place, folder, program + ending)))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function anyExists(paths: readonly string[]): boolean {
  return paths.some((path) => existsSync(path));
}

/** Where desktop programs keep a user's settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
export function applicationFolder(place: Place): string {
  if (place.platform === 'win32') return place.env.APPDATA || under(place, place.home, 'AppData', 'Roaming');
  if (place.platform === 'darwin') return under(place, place.home, 'Library', 'Application Support');
  return configFolder(place);
}

/** Where programs of the terminal keep a user's settings, on every system: `~/.config`. */
export function configFolder(place: Place): string {
  return place.env.XDG_CONFIG_HOME || under(place, place.home, '.config');
}
