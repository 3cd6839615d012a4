import { type Context, Hono } from 'hono';
import type { AccessKeys } from '../app/access-keys.ts';
import { OPERATIONS } from '../app/operations.ts';
import type { Services } from '../app/services.ts';
import type { Engine } from '../contract/engine.ts';
import { createRateLimit } from '../contract/rate.ts';
import type { McpExtension } from '../mcp/server.ts';
import { accessTable, admitByTable } from './access.ts';
import { answerErrors } from './answer-errors.ts';
import { answerHeaders } from './answer-headers.ts';
import { limitBody } from './body-limit.ts';
import { codeMatches } from './code-matches.ts';
import { collectRoute } from './collect.ts';
import { diskFiles } from './disk-files.ts';
import { refuseForeign, requireProof } from './guard.ts';
import { highlightRoute } from './highlight.ts';
import { jobEvents } from './job-events.ts';
import { liveEvents } from './live-events.ts';
import { mcpRoute } from './mcp-route.ts';
import { metricsRoute } from './metrics-route.ts';
import { oauthResource } from './oauth-resource.ts';
import { openApi } from './openapi.ts';
import { pageRoutes } from './page-files.ts';
import { originOf } from './person.ts';
import { restRoutes } from './rest.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { teamSignIn } from './team-sign-in.ts';

export interface HttpAppOptions {
  readonly engine: Engine;
  readonly services: Services;
  readonly guard: {
    /** Host names that requests may use, without port, such as `127.0.0.1`; undefined: any. */
    readonly hosts: readonly string[] | undefined;
    readonly keys: AccessKeys;
  };
  /** How browsers sign in; made from the keys if absent. */
  readonly signIn?: SignIn;
  readonly url: (path: string) => string;
  readonly log: (line: string) => void;
  /** Adds to the routes, after the guard. */
  readonly extend?: (app: Hono) => void;
  /** Additions to each MCP server. */
  readonly mcpExtension?: McpExtension;
}

/** What a team server accepts besides what every Pinhole does. */
function teamProofs(team: Services['team']) {
  if (team === undefined) return {};
  const { access, tokens } = team;
  const takeTurn = createRateLimit(Date.now);
  return {
    oauth: oauthResource(access),
    teamIn: teamSignIn(access),
    holderOf: tokens.holderOf,
    count: (proof: string) => void takeTurn('This server', proof, access.requestsPerMinute),
  };
}

/** All of HTTP: REST, MCP, events and the page. */
export function createHttpApp(options: HttpAppOptions): Hono {
  const { engine, services, log } = options;
  const signIn = options.signIn ?? createSignIn(options.guard.keys);
  const app = new Hono();
  const outside = services.team?.access.address;
  app.use(async (c, next) => {
    c.set('outside', outside);
    await next();
  });
  app.use(answerHeaders);
  app.use(refuseForeign(options.guard));
  app.use(limitBody());
  // Everything before the guard is open to everybody, so it must not contain data.
  app.get('/healthz', (c) => c.text('ok\n'));
  // For load balancers: a node without its database gets no requests.
  app.get('/readyz', async (c) => {
    await services.team?.check();
    return c.text('ok\n');
  });
  const { oauth, teamIn, ...proofs } = teamProofs(services.team);
  signIn.routes(app, teamIn?.end);
  teamIn?.routes(app);
  oauth?.routes(app);
  // The page shows the ways in that there are.
  app.get('/api/sign-in', (c) => c.json({ data: { provider: teamIn !== undefined } }));
  pageRoutes(app);
  const session = async (c: Context) => signIn.session(c) ?? (await teamIn?.session(c));
  app.use(requireProof({ keys: options.guard.keys, session, oauth, ...proofs }));
  options.extend?.(app);
  app.use(admitByTable(accessTable(OPERATIONS), oauth?.challenge));

  mcpRoute(app, engine, options.mcpExtension);
  restRoutes(app, engine, OPERATIONS);
  jobEvents(app, services, options.url);
  liveEvents(app, services, options.url);
  diskFiles(app, services);
  codeMatches(app, services);
  collectRoute(app, services);
  metricsRoute(app, services);
  app.get('/api/openapi.json', (c) => c.json(openApi(OPERATIONS, originOf(c))));
  highlightRoute(app);
  answerErrors(app, log);
  return app;
}
