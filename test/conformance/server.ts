import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { accessKeys } from '../../src/app/access-keys.ts';
import { createHttpApp } from '../../src/http/http-app.ts';
import { HTTP_MCP } from '../../src/http/mcp-route.ts';
import { buildServer, type McpExtension } from '../../src/mcp/server.ts';
import { TOOLS } from '../../src/mcp/tools.data.ts';
import { temporaryApp } from '../support.ts';
import { serveSessions } from './sessions.ts';

export interface TestServer {
  /** The MCP endpoint. */
  readonly url: string;
  close(): Promise<void>;
}

const TOKEN = 'the token of these tests';

/** Starts the app as the background process serves it, on a free loopback port with an empty data folder. */
export async function startServer(extension?: McpExtension): Promise<TestServer> {
  const app = await temporaryApp();
  let base = '';
  const routes = createHttpApp({
    engine: app.engine,
    services: app.services,
    url: (path) => base + path,
    log: (line) => app.logged.push(line),
    guard: { hosts: ['127.0.0.1', 'localhost'], keys: accessKeys(TOKEN) },
    ...(extension && {
      mcpExtension: extension,
      extend: (hono) => serveSessions(hono, () => buildServer(app.engine, TOOLS, HTTP_MCP, { extension })),
    }),
  });
  const listener = getRequestListener(routes.fetch);
  const server = createServer((req, res) => {
    // The suite has no way to send our header.
    req.rawHeaders.push('authorization', `Bearer ${TOKEN}`);
    void listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  return {
    url: `${base}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
