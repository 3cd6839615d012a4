import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkSocket, listenPrivately, removeSocket } from './private-socket.ts';

const root = mkdtempSync(join(tmpdir(), 'pinhole-socket-'));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(root, { recursive: true, force: true });
});
const folder = (name: string, mode = 0o700) => {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
};
const newServer = () => {
  const server = createServer();
  servers.push(server);
  return server;
};
const modeOf = (path: string) => statSync(path).mode & 0o777;

test.skipIf(process.platform === 'win32')(
  'only this user reaches it, whatever the data folder lets others do',
  async () => {
    const home = folder('open', 0o777);
    const path = await listenPrivately(newServer(), home);
    expect(path).toBe(join(home, 'run', 'background.sock'));
    expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o600, 0o700]);
    checkSocket(path);
    chmodSync(dirname(path), 0o755);
    expect(() => checkSocket(path)).toThrow('is not a private socket of this user');
  },
);

test.skipIf(process.platform === 'win32')(
  'what a dead process left, or a link in its place, is replaced',
  async () => {
    const home = folder('left');
    const elsewhere = folder('elsewhere');
    symlinkSync(elsewhere, join(home, 'run'));
    const path = await listenPrivately(newServer(), home);
    expect(existsSync(join(elsewhere, 'background.sock'))).toBe(false);
    checkSocket(path);
    // As after a crash: the file is there, and nobody listens.
    const again = await listenPrivately(newServer(), home);
    expect(again).toBe(path);
    checkSocket(again);
  },
);

test.skipIf(process.platform === 'win32')(
  'a path that is too long for a socket: a private folder elsewhere, removed afterwards',
  async () => {
    const home = folder(`long-${'x'.repeat(120)}`);
    const server = newServer();
    const path = await listenPrivately(server, home);
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(103);
    expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o600, 0o700]);
    checkSocket(path);
    server.close();
    await once(server, 'close');
    removeSocket(path);
    expect(existsSync(dirname(path))).toBe(false);
    expect(existsSync(join(home, 'run'))).toBe(false);
  },
);
