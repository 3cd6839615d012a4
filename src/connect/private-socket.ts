import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/*
 * Our own programs reach the background process through a Unix socket in a folder that only this user can enter (on
 * Windows through a named pipe). The system itself vouches for both sides, so no secret is sent, and no program on the
 * network can impersonate the background process.
 */

/** The system's limit for a socket path, without the closing NUL: 108 on Linux, 104 elsewhere. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
const SOCKET_NAME = 'background.sock';
const PIPE_PREFIX = '\\\\.\\pipe\\';
const PRIVATE_MODE = 0o700;
const OTHERS_MASK = 0o077;

/** Makes a server listen where only this user can reach it; returns the path, which can differ between processes. */
export async function listenPrivately(server: Server, home: string): Promise<string> {
  let problem: unknown;
  for (const place of places(home)) {
    try {
      const path = place();
      if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
        removeSocket(path);
        continue;
      }
      await listen(server, path);
      if (!path.startsWith(PIPE_PREFIX)) chmodSync(path, 0o600);
      return path;
    } catch (error) {
      // Some file systems do not support sockets; the next place is on another one.
      problem = error;
    }
  }
  throw new Error('No folder here is suitable for a private socket.', { cause: problem });
}

function places(home: string): (() => string)[] {
  if (process.platform === 'win32')
    return [
      () =>
        `${PIPE_PREFIX}pinhole-${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`,
    ];
  const fresh = (parent: string) => () => join(mkdtempSync(join(parent, 'pinhole-')), SOCKET_NAME);
  const runtime = process.env.XDG_RUNTIME_DIR;
  return [() => inDataFolder(home), ...(runtime ? [fresh(runtime)] : []), fresh(tmpdir())];
}

/** The caller holds the data folder, so anything that an earlier process left can be deleted. */
function inDataFolder(home: string): string {
  const folder = join(home, 'run');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: PRIVATE_MODE });
  return join(folder, SOCKET_NAME);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // A Unix socket with a full queue refuses callers at once; on the network they would wait.
    server.listen({ path, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Throws unless this user made the socket, in a folder that nobody else can enter. */
export function checkSocket(path: string): void {
  if (process.platform === 'win32') {
    if (!path.startsWith(PIPE_PREFIX)) throw new Error('this is not a named pipe');
    return;
  }
  const user = process.getuid?.();
  const folder = lstatSync(dirname(path));
  const socket = lstatSync(path);
  const isOurs =
    folder.isDirectory() &&
    folder.uid === user &&
    (folder.mode & OTHERS_MASK) === 0 &&
    socket.isSocket() &&
    socket.uid === user;
  if (!isOurs)
    throw Object.assign(new Error(`${path} is not a private socket of this user`), { code: 'EACCES' });
}

/** Removes a socket that a process of this user left, and its folder. */
export function removeSocket(path: string): void {
  if (path === '' || path.startsWith(PIPE_PREFIX)) return;
  try {
    checkSocket(path);
    rmSync(path);
  } catch {
    // It is gone, or it belongs to another user.
  }
  try {
    rmdirSync(dirname(path));
  } catch {
    // It is not empty.
  }
}
