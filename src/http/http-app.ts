import { AsyncLocalStorage } from 'node:async_hooks';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { OPERATIONS } from '../app/operations.ts';
import type { Services } from '../app/services.ts';
import { BUDGET } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { buildServer, type McpExtension } from '../mcp/server.ts';
import { DEFAULT_TOOLSETS } from '../mcp/tool.ts';
import { TOOLS } from '../mcp/tools.data.ts';
import { answerErrors } from './answer-errors.ts';
import { answerHeaders } from './answer-headers.ts';
import { limitBody } from './body-limit.ts';
import { codeMatches } from './code-matches.ts';
import { connectionOf } from './connection.ts';
import { diskFiles } from './disk-files.ts';
import { refuseForeign, requireProof } from './guard.ts';
import { highlightRoute } from './highlight.ts';
import { jobEvents } from './job-events.ts';
import { liveEvents } from './live-events.ts';
import { openApi } from './openapi.ts';
import { pageRoutes } from './page-files.ts';
import { restRoutes } from './rest.ts';
import { createSignIn, type SignIn } from './sign-in.ts';

export interface HttpAppOptions {
  readonly engine: Engine;
  readonly services: Services;
  readonly guard: {
    /** Host names that requests may use, without port, such as `127.0.0.1`; undefined: any. */
    readonly hosts: readonly string[] | undefined;
    readonly token: string;
  };
  /** How browsers sign in; made from the token if absent. */
  readonly signIn?: SignIn;
  readonly url: (path: string) => string;
  readonly log: (line: string) => void;
  /** Adds to the routes, after the guard. */
  readonly extend?: (app: Hono) => void;
  /** Additions to each MCP server. */
  readonly mcpExtension?: McpExtension;
}

/** How MCP over HTTP answers; the caller has no workspace folders. */
export const HTTP_MCP = {
  toolsets: DEFAULT_TOOLSETS,
  readOnly: false,
  format: 'json',
  structured: false,
  budget: BUDGET.default,
  roots: [],
  askRoots: false,
} as const;

/** All of HTTP: REST, MCP, events and the page. */
export function createHttpApp(options: HttpAppOptions): Hono {
  const { engine, services, log } = options;
  const signIn = options.signIn ?? createSignIn(options.guard.token);
  const app = new Hono();
  app.use(answerHeaders);
  app.use(refuseForeign(options.guard));
  app.use(limitBody());
  // Everything before the guard is open to everybody, so it must not contain data.
  app.get('/healthz', (c) => c.text('ok\n'));
  signIn.routes(app);
  pageRoutes(app);
  app.use(requireProof({ token: options.guard.token, session: signIn.session }));
  options.extend?.(app);

  // The SDK creates a server per request and does not pass the connection on, so it travels beside the call.
  const connection = new AsyncLocalStorage<string>();
  const mcp = createMcpHandler(() =>
    buildServer(
      engine,
      TOOLS,
      { ...HTTP_MCP, connection: connection.getStore() ?? 'http' },
      options.mcpExtension,
    ),
  );
  app.all('/mcp', (c) => connection.run(connectionOf(c), () => mcp.fetch(c.req.raw)));

  restRoutes(app, engine, OPERATIONS);
  jobEvents(app, services, options.url);
  liveEvents(app, services, options.url);
  diskFiles(app, services);
  codeMatches(app, services);
  app.get('/api/openapi.json', (c) => c.json(openApi(OPERATIONS)));
  highlightRoute(app);
  answerErrors(app, log);
  return app;
}
