import { connect, createServer, type Server } from 'node:net';
import { systemCode } from '../contract/errors.ts';

const CONNECT_MS = 1_000;

/**
 * Why no process can be reached over loopback, as in a sandbox without a network; undefined when it works. It is
 * tried for real, because sandboxes differ in what they forbid.
 */
export function whyNoLoopback(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server: Server = createServer((socket) => socket.destroy());
    const finish = (reason: string | undefined) => {
      clearTimeout(timer);
      server.close();
      resolve(reason);
    };
    const failed = (error: Error) => finish(systemCode(error) ?? error.message);
    const timer = setTimeout(() => finish('loopback does not answer'), CONNECT_MS);
    server.once('error', failed);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return finish('no port');
      const client = connect({ host: '127.0.0.1', port: address.port });
      client.once('error', failed);
      client.once('connect', () => {
        client.destroy();
        finish(undefined);
      });
    });
  });
}
