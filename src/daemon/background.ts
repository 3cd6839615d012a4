import { realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import { getRequestListener, type ServerType, serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { accessKeys, newToken } from '../app/access-keys.ts';
import { closeInTime } from '../app/close-in-time.ts';
import { type OpenApp, openApp } from '../app/open-app.ts';
import { createLog, logFile, startFailureLine } from '../connect/background-log.ts';
import {
  type BackgroundRecord,
  readBackgroundRecord,
  writeBackgroundRecord,
} from '../connect/background-record.ts';
import { callBackground } from '../connect/call-background.ts';
import { holdData } from '../connect/data-holder.ts';
import { listenPrivately, removeSocket } from '../connect/private-socket.ts';
import { errorStack, PinholeError, systemCode } from '../contract/errors.ts';
import { VERSION } from '../contract/version.ts';
import { createHttpApp } from '../http/http-app.ts';
import { answerLongRequests } from '../http/long-request.ts';
import { createSignIn } from '../http/sign-in.ts';
import type { Lock } from '../store/lock.ts';
import { isMemoryScarce, memoryLimit } from '../threads/scarce-memory.ts';
import { trackActivity } from './activity.ts';
import { internalRoutes } from './internal-routes.ts';
import { startWatchdog } from './watchdog.ts';

const REACH_MS = 5_000;
/** How long closing the servers may take, and then the app; `pinhole stop` waits longer than both before it kills. */
const CLOSE_MS = 3_000;

export interface BackgroundOptions {
  readonly home: string;
  readonly host: string;
  /** 0 for any free port. A free port replaces one that is taken, unless `strictPort` is set. */
  readonly port: number;
  readonly strictPort: boolean;
  /** The process ends after this long without a request; undefined: never. */
  readonly idleMs: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** A folder that callers may read from the first request on. */
  readonly allow?: string | undefined;
  /** Set where the process ends with this server: closing gets a time limit, and `kill` is called if something hangs. */
  readonly kill?: (() => void) | undefined;
}

/** The background process, as the program that runs it sees it. */
export interface Background {
  readonly port: number;
  readonly token: string;
  readonly app: OpenApp;
  readonly log: (line: string) => void;
  /** The real path of the folder to allow, if it was not allowed before. */
  readonly newlyAllowed: string | undefined;
  /** Path of the page for a person; it signs in one browser, once. */
  pageLink(): string;
  /** Resolves when it has ended: by `stop`, by request, or because it was idle. */
  readonly ended: Promise<void>;
  /** Work that asks the app: it gets a signal that is aborted when the process begins to end, and is then waited for. */
  during(work: (stopping: AbortSignal) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Makes this process the background process; undefined when another process holds the data. */
export async function startBackground(options: BackgroundOptions): Promise<Background | undefined> {
  const { home, host } = options;
  const lock = holdData(home, 'background');
  if (lock === undefined) return undefined;
  const log = createLog(home);
  try {
    return await openBackground(options, lock, log);
  } catch (error) {
    log(startFailureLine(`${errorStack(error)} (host ${host})`));
    lock.release();
    throw error;
  }
}

async function openBackground(
  options: BackgroundOptions,
  lock: Lock,
  log: (line: string) => void,
): Promise<Background> {
  const { home, host } = options;
  const before = readBackgroundRecord(home);
  // Kept across restarts, so that scripts keep working. But after a crash another program could take the port for a
  // while, and whatever scripts sent there is no longer secret.
  const crashed = before !== undefined && before.pid !== 0;
  if (crashed) {
    log('the last process did not shut down cleanly, so there is a new token (pinhole token)');
    if (isMemoryScarce())
      log(
        `it may have been killed for memory: Pinhole gets ${Math.round(memoryLimit() / 2 ** 20)} MB here and wants 640`,
      );
  }
  const keys = accessKeys(before === undefined || crashed ? newToken() : before.token);
  let port = 0;
  const address = localAddress(host);
  const url = (path: string) => `http://${address.includes(':') ? `[${address}]` : address}:${port}${path}`;
  const app = await openApp({
    home,
    log,
    baseUrl: () => url(''),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  const newlyAllowed = await refuseOpenDoor(app, host)
    .then(() => allowFolder(app, options.allow))
    .catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
  const activity = trackActivity();
  let finish: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const signIn = createSignIn(keys);
  const httpApp = createHttpApp({
    engine: app.engine,
    services: app.services,
    url,
    log,
    signIn,
    guard: { hosts: isLoopback(host) ? hostsOf(host, app) : undefined, keys },
    extend: (hono) => hono.use(activity.counted()),
  });
  let record: BackgroundRecord;
  const rotateToken = (): string => {
    const token = keys.rotate();
    signIn.forgetAll();
    record = { ...record, token };
    writeBackgroundRecord(home, record);
    log('the token was replaced, and every browser signed out');
    return token;
  };
  const internal = internalRoutes({
    app,
    activity,
    log,
    pageLink: signIn.link,
    rotateToken,
    stop: () => void stop(),
  });
  const internalServer = createServer(getRequestListener(internal.fetch));
  removeSocket(before?.socket ?? '');
  const socket = await listenPrivately(internalServer, home).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const server = await listen(httpApp, host, options.port, options.strictPort).catch(
    async (error: unknown) => {
      await closeServer(internalServer);
      removeSocket(socket);
      await app.close();
      if (systemCode(error) !== 'EADDRINUSE') throw error;
      throw new PinholeError('conflict', `Port ${options.port} is taken. Choose another one with --port.`);
    },
  );
  port = server.port;
  record = {
    pid: process.pid,
    host: address,
    port,
    socket,
    version: VERSION,
    token: keys.token(),
    started_at: Date.now(),
    foreground: options.idleMs === undefined,
  };
  const closeServers = async () => {
    await Promise.all([closeServer(server.server), closeServer(internalServer)]);
    removeSocket(socket);
  };
  await reachItself(record).catch(async (error: unknown) => {
    await closeServers();
    await app.close();
    throw error;
  });
  writeBackgroundRecord(home, record);
  log(`pinhole ${VERSION} runs on port ${port} with ${home} (pid ${process.pid})`);

  const watchdog = options.kill && startWatchdog(logFile(home));
  const idleTimer =
    options.idleMs === undefined
      ? undefined
      : setInterval(
          () => {
            const isIdle = activity.idleFor() >= (options.idleMs ?? 0) && !activity.isWatched();
            if (isIdle && !app.services.jobs.busy()) void stop();
          },
          Math.min(30_000, options.idleMs),
        );

  const end = new AbortController();
  let working: Promise<void> | undefined;
  const during: Background['during'] = (work) => {
    working = work(end.signal);
    return working;
  };
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      end.abort();
      clearInterval(idleTimer);
      const parts = {
        record: () => {
          // The data folder itself may be gone; then nobody needs the record.
          if (readBackgroundRecord(home)?.pid === process.pid)
            writeBackgroundRecord(home, { ...record, pid: 0, port: 0, socket: '', started_at: 0 });
        },
        servers: closeServers,
        'work in this process': () => working,
      };
      const limit = options.kill && CLOSE_MS;
      const clean = [await closeInTime(parts, log, limit), await app.close(limit)];
      log(`pinhole ended (pid ${process.pid})`);
      watchdog?.stop();
      // Until the process itself ends it must be seen as holding the data, so that `pinhole stop` can find it.
      if (options.kill === undefined) lock.release();
      else if (clean.includes(false)) options.kill();
      finish();
    })();
    return stopped;
  };
  return { port, token: keys.token(), app, log, newlyAllowed, pageLink: signIn.link, ended, during, stop };
}

/** The names by which requests to this machine may call it; a proxy on it passes on the name for the outside. */
function hostsOf(host: string, { services }: OpenApp): readonly string[] {
  const address = services.team?.access.address;
  return [host, '127.0.0.1', 'localhost', '[::1]', '::1', ...(address ? [new URL(address).hostname] : [])];
}

/** A team server that the network can reach has somebody to answer: a token that was given, or a provider. */
async function refuseOpenDoor({ services: { team } }: OpenApp, host: string): Promise<void> {
  if (team === undefined || isLoopback(host) || team.access.provider !== undefined) return;
  if ((await team.tokens.list()).some(({ revokedMs }) => revokedMs === undefined)) return;
  throw new PinholeError(
    'conflict',
    `This team server has no token and no provider yet, so it does not listen on ${host}. Make a token first: pinhole team token create NAME`,
  );
}

/** Allows a folder before anybody can ask for it; returns its real path if that is new. */
async function allowFolder({ services }: OpenApp, folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const root = await realpath(folder);
  if ((await services.allowed.list()).includes(root)) return undefined;
  await services.allowed.add(root);
  return root;
}

/** A process that cannot be reached would only keep the data from others. */
async function reachItself(record: BackgroundRecord): Promise<void> {
  await callBackground(record, 'GET', '/internal/hello', undefined, { timeoutMs: REACH_MS }).catch(
    (error: unknown) => {
      throw new PinholeError(
        'conflict',
        `The socket ${record.socket} cannot be reached on this machine (${systemCode(error) ?? error}).`,
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
    answerLongRequests(server);
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && !strict && wanted !== 0) resolve(listen(app, host, 0, true));
      else reject(error);
    });
  });
}

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Answers under way get a moment; idle connections and event streams do not delay the end.
    if ('closeIdleConnections' in server) server.closeIdleConnections();
    setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), 500).unref();
  });
}

/** The address at which this machine reaches the server: one that listens everywhere is also on loopback. */
export function localAddress(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
