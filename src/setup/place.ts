import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

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

/** The real file of a program on PATH, or undefined. */
export function onPath(program: string, { env, platform }: Place): string | undefined {
  const endings = platform === 'win32' ? ['.cmd', '.exe', ''] : [''];
  for (const folder of (env.PATH ?? '').split(delimiter).filter((part) => part !== '')) {
    for (const ending of endings) {
      const file = join(folder, program + ending);
      try {
        accessSync(file, constants.X_OK);
        return realpathSync(file);
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}

export function anyExists(paths: readonly string[]): boolean {
  return paths.some((path) => existsSync(path));
}

/** Where programs keep a user's settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
export function applicationFolder({ home, env, platform }: Place): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
