import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ServerCommand } from './agents/agent.ts';
import { makeFolder } from './calls.ts';

/** Where one client runs: a project to look at, an empty home, and the server to start. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  /** `pinhole mcp`, with every message written to `log`. */
  readonly server: ServerCommand;
  readonly log: string;
  /** Without this user's settings, and with no network but loopback. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

const MAIN = resolve('dist/main.js');
const NOWHERE = 'http://127.0.0.1:9';

export function makePlace(): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-clients-')));
  const folder = join(base, 'project');
  const home = join(base, 'home');
  const log = join(base, 'wire.log');
  makeFolder(folder);
  mkdirSync(home);
  // The default place: not every client passes the environment on to the server.
  const pinhole = {
    PINHOLE_HOME: join(home, '.local', 'share', 'pinhole'),
    PINHOLE_PORT: '0',
    PINHOLE_IDLE_SECONDS: '300',
  };
  return {
    folder,
    home,
    log,
    server: {
      command: process.execPath,
      args: [resolve('test/clients/tap.mjs'), log, process.execPath, MAIN, 'mcp'],
      env: pinhole,
    },
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CI: 'true',
      DO_NOT_TRACK: '1',
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      NO_PROXY: '127.0.0.1,localhost',
    },
    remove() {
      execFileSync(process.execPath, [MAIN, 'stop'], {
        env: { ...process.env, ...pinhole },
        stdio: 'ignore',
      });
      rmSync(base, { recursive: true, force: true });
    },
  };
}
