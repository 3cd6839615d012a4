import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener, type ServerType, serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { closeInTime } from '../app/close-in-time.ts';
import { type OpenApp, openApp } from '../app/open-app.ts';
import { PinholeError, systemCode } from '../contract/errors.ts';
import { VERSION } from '../contract/version.ts';
import { createApp } from '../http/app.ts';
import { createSignIn } from '../http/sign-in.ts';
import type { Lock } from '../store/lock.ts';
import { trackActivity } from './activity.ts';
import { holdData } from './holder.ts';
import { callOwner } from './http-client.ts';
import { innerApp } from './inner-app.ts';
import { createLog, failureLine } from './log.ts';
import { type OwnerRecord, readOwner, writeOwner } from './owner-file.ts';
import { listenPrivately, removeSocket } from './socket.ts';

export const DEFAULT_PORT = 4747;

const REACH_MS = 5_000;
/** How long closing the doors may take, and then the house; `pinhole stop` waits longer than both before it kills. */
const CLOSE_MS = 3_000;

export interface OwnerOptions {
  readonly home: string;
  readonly host: string;
  /** 0 for any free one; a port that is taken is replaced by a free one unless `strictPort`. */
  readonly port: number;
  readonly strictPort: boolean;
  /** Ends the process after so long without a call; undefined: never. */
  readonly idleMs: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** For a process that ends with its owner: closing has a time limit, and `kill` is called when something did not close. */
  readonly kill?: (() => void) | undefined;
}

export interface Owner {
  readonly port: number;
  readonly token: string;
  readonly house: OpenApp;
  readonly log: (line: string) => void;
  /** Path of the page for a person; signs in, once. */
  pageLink(): string;
  /** Resolves when the owner has ended, by idleness, by request or by `stop`. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Becomes the process that owns the data; undefined when another one already is. */
export async function becomeOwner(options: OwnerOptions): Promise<Owner | undefined> {
  const { home, host } = options;
  const lock = holdData(home, 'background');
  if (lock === undefined) return undefined;
  const log = createLog(home);
  try {
    return await startOwner(options, lock, log);
  } catch (error) {
    log(
      failureLine(
        `${error instanceof Error ? (error.stack ?? error.message) : String(error)} (host ${host})`,
      ),
    );
    lock.release();
    throw error;
  }
}

async function startOwner(options: OwnerOptions, lock: Lock, log: (line: string) => void): Promise<Owner> {
  const { home, host } = options;
  const before = readOwner(home);
  // Kept over restarts, so that scripts go on.
  const token = before?.token ?? randomBytes(24).toString('base64url');
  let port = 0;
  const url = (path: string) => `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  const house = await openApp({
    home,
    log,
    baseUrl: () => url(''),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  const activity = trackActivity();
  let finish: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const signIn = createSignIn(token);
  const app = createApp({
    engine: house.engine,
    services: house.services,
    url,
    log,
    signIn,
    guard: { hosts: isLoopback(host) ? [host, '127.0.0.1', 'localhost', '[::1]', '::1'] : undefined, token },
    extend: (hono) => hono.use(activity.counted()),
  });
  const inner = innerApp({ house, activity, log, pageLink: signIn.link, stop: () => void stop() });
  const innerServer = createServer(getRequestListener(inner.fetch));
  removeSocket(before?.socket ?? '');
  const socket = await listenPrivately(innerServer, home).catch(async (error: unknown) => {
    await house.close();
    throw error;
  });
  const server = await listen(app, host, options.port, options.strictPort).catch(async (error: unknown) => {
    await closeServer(innerServer);
    removeSocket(socket);
    await house.close();
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    throw new PinholeError('conflict', `Port ${options.port} is taken; choose another with --port.`);
  });
  port = server.port;
  const record: OwnerRecord = {
    pid: process.pid,
    host: localAddress(host),
    port,
    socket,
    version: VERSION,
    token,
    started_at: Date.now(),
  };
  const closeServers = async () => {
    await Promise.all([closeServer(server.server), closeServer(innerServer)]);
    removeSocket(socket);
  };
  await reachItself(record).catch(async (error: unknown) => {
    await closeServers();
    await house.close();
    throw error;
  });
  writeOwner(home, record);
  log(`pinhole ${VERSION} owns ${home} on port ${port} (pid ${process.pid})`);

  const idleTimer =
    options.idleMs === undefined
      ? undefined
      : setInterval(
          () => {
            const isIdle = activity.idleFor() >= (options.idleMs ?? 0) && !activity.isWatched();
            if (isIdle && !house.services.jobs.busy()) void stop();
          },
          Math.min(30_000, options.idleMs),
        );

  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      clearInterval(idleTimer);
      const parts = {
        record: () => {
          // The data folder itself may be gone by now; then nobody needs the record.
          if (readOwner(home)?.pid === process.pid)
            writeOwner(home, { ...record, pid: 0, port: 0, socket: '', started_at: 0 });
        },
        servers: closeServers,
      };
      const limit = options.kill && CLOSE_MS;
      const clean = [await closeInTime(parts, log, limit), await house.close(limit)];
      log(`pinhole ended (pid ${process.pid})`);
      // The end of the process gives up the data: as long as it runs, it is the one to stop.
      if (options.kill === undefined) lock.release();
      else if (clean.includes(false)) options.kill();
      finish();
    })();
    return stopping;
  };
  return { port, token, house, log, pageLink: signIn.link, ended, stop };
}

/** One that cannot be reached would only keep others from the data. */
async function reachItself(record: OwnerRecord): Promise<void> {
  await callOwner(record, 'GET', '/internal/hello', undefined, { timeoutMs: REACH_MS }).catch(
    (error: unknown) => {
      throw new PinholeError(
        'conflict',
        `No program can reach ${record.socket} here (${systemCode(error) ?? error}).`,
      );
    },
  );
}

function listen(
  app: Hono,
  host: string,
  wanted: number,
  strict: boolean,
): Promise<{ server: ServerType; port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port: wanted }, (info) =>
      resolve({ server, port: info.port }),
    );
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && !strict && wanted !== 0) resolve(listen(app, host, 0, true));
      else reject(error);
    });
  });
}

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Answers under way get a moment; idle keep-alive connections and event streams do not hold us up.
    if ('closeIdleConnections' in server) server.closeIdleConnections();
    setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), 500).unref();
  });
}

/** Where this machine reaches what listens on an address: all addresses include loopback. */
function localAddress(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
