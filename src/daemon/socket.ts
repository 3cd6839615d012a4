import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/*
 * Our own programs reach the owner through a Unix socket in a folder that only this user can enter (on Windows
 * through a named pipe): the system itself proves both sides, so no secret is sent, and nothing on the network can
 * take its place.
 */

/** The system's own limit for the path of a socket, less the closing NUL: 108 on Linux, 104 elsewhere. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;
const NAME = 'owner.sock';
const PIPES = '\\\\.\\pipe\\';
const PRIVATE = 0o700;
const OTHERS = 0o077;

/** Lets a server listen where only this user can reach it; gives the place, which differs from process to process. */
export async function listenPrivately(server: Server, home: string): Promise<string> {
  let problem: unknown;
  for (const place of places(home)) {
    try {
      const path = place();
      if (Buffer.byteLength(path) > LONGEST_PATH) {
        removeSocket(path);
        continue;
      }
      await listen(server, path);
      if (!path.startsWith(PIPES)) chmodSync(path, 0o600);
      return path;
    } catch (error) {
      // Some file systems know no sockets; the next place is on another one.
      problem = error;
    }
  }
  throw new Error('no place for a private socket was found', { cause: problem });
}

function places(home: string): (() => string)[] {
  if (process.platform === 'win32') return [() => `${PIPES}pinhole-${randomBytes(16).toString('hex')}`];
  const fresh = (parent: string) => () => join(mkdtempSync(join(parent, 'pinhole-')), NAME);
  const runtime = process.env.XDG_RUNTIME_DIR;
  return [() => inDataFolder(home), ...(runtime ? [fresh(runtime)] : []), fresh(tmpdir())];
}

/** The caller owns the data folder, so whatever is left of a process before can go. */
function inDataFolder(home: string): string {
  const folder = join(home, 'run');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: PRIVATE });
  return join(folder, NAME);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // A full queue refuses callers at once here, where on the network they wait.
    server.listen({ path, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Throws unless the socket was made by this user, in a folder that nobody else can enter. */
export function checkSocket(path: string): void {
  if (process.platform === 'win32') {
    if (!path.startsWith(PIPES)) throw new Error('this is no named pipe');
    return;
  }
  const user = process.getuid?.();
  const folder = lstatSync(dirname(path));
  const socket = lstatSync(path);
  const isOurs =
    folder.isDirectory() &&
    folder.uid === user &&
    (folder.mode & OTHERS) === 0 &&
    socket.isSocket() &&
    socket.uid === user;
  if (!isOurs)
    throw Object.assign(new Error(`${path} is not a private socket of this user`), { code: 'EACCES' });
}

/** Removes a socket, and its folder, that a process of this user left. */
export function removeSocket(path: string): void {
  if (path === '' || path.startsWith(PIPES)) return;
  try {
    checkSocket(path);
    rmSync(path);
  } catch {
    // It is gone, or it is not ours.
  }
  try {
    rmdirSync(dirname(path));
  } catch {
    // Something else is in it.
  }
}
