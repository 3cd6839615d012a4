import { AsyncLocalStorage } from 'node:async_hooks';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { OPERATIONS } from '../app/operations.ts';
import type { Services } from '../app/services.ts';
import { BUDGET } from '../contract/caller.ts';
import { type Engine, errorAnswer } from '../contract/engine.ts';
import { ERROR_STATUS, PinholeError } from '../contract/errors.ts';
import { INPUT_BYTES } from '../contract/input-limits.ts';
import { buildServer, type McpExtension } from '../mcp/server.ts';
import { TOOLS } from '../mcp/tools.data.ts';
import { DEFAULT_TOOLSETS } from '../mcp/tools.ts';
import { answerHeaders } from './answer-headers.ts';
import { codeMatches } from './code-matches.ts';
import { connectionOf } from './connection.ts';
import { diskFiles } from './disk-files.ts';
import { jobEvents } from './events.ts';
import { type GuardOptions, guard } from './guard.ts';
import { highlightRoute } from './highlight.ts';
import { liveEvents } from './live.ts';
import { openApi } from './openapi.ts';
import { pageRoutes } from './page.ts';
import { restRoutes } from './rest.ts';
import { createSignIn, type SignIn } from './sign-in.ts';

export interface AppOptions {
  readonly engine: Engine;
  readonly services: Services;
  readonly guard: Omit<GuardOptions, 'holdsCookie'>;
  /** How browsers get in where the token is needed; made of the token if not given. */
  readonly signIn?: SignIn;
  readonly url: (path: string) => string;
  readonly log: (line: string) => void;
  /** More routes, such as those of the owner process. */
  readonly extend?: (app: Hono) => void;
  /** Adds to each MCP server. */
  readonly mcpExtension?: McpExtension;
}

/** The arguments of a call, and what our own programs send along with them. */
const BODY_LIMIT = INPUT_BYTES + 100_000;

/** How MCP over HTTP answers; a caller brings no folders along. */
export const HTTP_MCP = {
  toolsets: DEFAULT_TOOLSETS,
  readOnly: false,
  format: 'json',
  structured: false,
  budget: BUDGET.default,
  roots: [],
  askRoots: false,
} as const;

/** The whole HTTP side: REST, MCP, events and the page. */
export function createApp(options: AppOptions): Hono {
  const { engine, services, log } = options;
  const signIn = options.signIn ?? createSignIn(options.guard.token);
  const app = new Hono();
  app.use(answerHeaders);
  app.use(guard({ ...options.guard, holdsCookie: signIn.holdsCookie }));
  app.use(
    bodyLimit({
      maxSize: BODY_LIMIT,
      onError: (c) =>
        c.json(
          new PinholeError(
            'invalid_parameter',
            `A body must be at most ${BODY_LIMIT.toLocaleString('en')} bytes. Send less.`,
          ).toBody(),
          413,
        ),
    }),
  );
  options.extend?.(app);

  // The SDK makes a server for each request and does not hand on the connection: it travels beside the call.
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

  signIn.routes(app);
  restRoutes(app, engine, OPERATIONS);
  jobEvents(app, services, options.url);
  liveEvents(app, services, options.url);
  diskFiles(app, services);
  codeMatches(app, services);
  app.get('/api/openapi.json', (c) => c.json(openApi(OPERATIONS)));
  highlightRoute(app);
  pageRoutes(app);
  app.notFound((c) =>
    c.json(
      new PinholeError('not_found', 'There is nothing here; /api/openapi.json lists the routes.').toBody(),
      404,
    ),
  );
  app.onError((error, c) => {
    const answer = errorAnswer(error, BUDGET.default, log);
    return c.body(answer.text, ERROR_STATUS[answer.code ?? 'internal_error'], {
      'content-type': 'application/json; charset=utf-8',
    });
  });
  return app;
}
