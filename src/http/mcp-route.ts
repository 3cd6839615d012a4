import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Context, Hono } from 'hono';
import { BUDGET } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { isObject } from '../contract/guards.ts';
import { ownCommand } from '../mcp/own-command.ts';
import { buildServer, type McpExtension, type McpOptions } from '../mcp/server.ts';
import { toolGroups } from '../mcp/tool.ts';
import { TOOLS } from '../mcp/tools.data.ts';
import { originOf } from './person.ts';

/** How MCP over HTTP answers; the caller has no workspace folders. */
export const HTTP_MCP = {
  toolsets: undefined,
  readOnly: false,
  format: 'text',
  structured: false,
  budget: BUDGET.default,
  roots: [],
  askRoots: false,
  // Only the token opens this door, so its holder is the caller.
  caller: 'http#token',
  command: ownCommand(process.argv[1] ?? 'pinhole', process.env.PATH ?? ''),
} as const;

/** A request, and its body where that is JSON. */
interface Posted {
  readonly request: Request;
  readonly body?: unknown;
}

/** Serves MCP over HTTP. Each request gets a server of its own, which has only the tool that is called. */
export function mcpRoute(app: Hono, engine: Engine, extension?: McpExtension): void {
  const called = new WeakMap<Request, string>();
  const mcpWith = (who: Partial<McpOptions>) => {
    const serverFor = (request: Request | undefined) =>
      buildServer(
        engine,
        TOOLS,
        { ...HTTP_MCP, ...askedInUrl(request), ...who },
        { extension, called: request && called.get(request) },
      );
    const { fetch } = createMcpHandler(({ requestInfo }) => serverFor(requestInfo));
    return async ({ request, body }: Posted): Promise<Response> => {
      if (body === undefined) return fetch(request);
      return (await isLegacyRequest(request, body))
        ? answerWhole(serverFor(request), request, body)
        : fetch(request, { parsedBody: body });
    };
  };
  const mcp = mcpWith({});
  const mcpForReaders = mcpWith({ reader: true, readOnly: true, caller: 'http#team' });
  app.all('/mcp', async (c) => {
    // Additions to the operations may send something before their result: only the SDK's own way streams.
    const posted = extension === undefined ? await readPosted(c) : { request: c.req.raw };
    const tool = calledTool(posted.body);
    if (tool !== undefined) called.set(posted.request, tool);
    const holder = c.get('holder');
    const reader = c.get('who') === 'reader';
    if (holder === undefined) return (reader ? mcpForReaders : mcp)(posted);
    const { name, projects } = holder;
    return mcpWith({
      reader,
      readOnly: reader,
      caller: `http#${c.get('proof')}`,
      sees: projects ?? 'all',
      holder: name,
      origin: originOf(c),
    })(posted);
  });
}

/** A client that connects to an address has no flags; it says the same in the query: `/mcp?toolsets=all&format=json`. */
function askedInUrl(request: Request | undefined): Partial<McpOptions> {
  if (request === undefined) return {};
  const { origin, searchParams: query } = new URL(request.url);
  const toolsets = toolGroups(query.get('toolsets') ?? '');
  return { origin, ...(toolsets && { toolsets }), ...(query.get('format') === 'json' && { format: 'json' }) };
}

/** Reads the body once; what is not JSON is left to the SDK, which refuses it. */
async function readPosted(c: Context): Promise<Posted> {
  const request = c.req.raw;
  if (c.req.method !== 'POST' || !isJsonContentType(c.req.header('content-type') ?? null)) return { request };
  const text = await c.req.text();
  try {
    return { request, body: JSON.parse(text) };
  } catch {
    return { request: new Request(c.req.url, { method: 'POST', headers: request.headers, body: text }) };
  }
}

/** The tool that a message calls. */
function calledTool(message: unknown): string | undefined {
  if (!isObject(message) || !('method' in message) || message.method !== 'tools/call') return undefined;
  const params = 'params' in message ? message.params : undefined;
  return isObject(params) && 'name' in params && typeof params.name === 'string' ? params.name : undefined;
}

/**
 * Answers clients of 2025 with JSON. The SDK would open a stream of events, which costs more than most calls; our tools
 * send nothing before their result.
 */
async function answerWhole(server: McpServer, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  // Ends the transport too.
  const end = () => void server.close().catch(() => {});
  request.signal.addEventListener('abort', end, { once: true });
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    // Once the SDK knows that the call is over: before that, ending would stop it, which costs more than most calls.
    setImmediate(end);
  }
}
