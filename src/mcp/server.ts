import {
  type CallToolResult,
  McpServer,
  type McpServerOptions,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { SESSION_IN_REQUEST } from '../app/session-in-request.data.ts';
import type { Caller, Format, SessionScope } from '../contract/caller.ts';
import type { Answer, Engine } from '../contract/engine.ts';
import { isObject } from '../contract/guards.ts';
import type { RawInput } from '../contract/input.ts';
import { VERSION } from '../contract/version.ts';
import { clientRoots } from './client-roots.ts';
import { instructionsFor } from './instructions.ts';
import { successors } from './old-names.ts';
import { registerPrompt } from './prompt.ts';
import {
  advertised,
  callableTools,
  defersTools,
  isCore,
  listedTools,
  type Tool,
  type ToolChoice,
} from './tool.ts';

export interface McpOptions extends ToolChoice {
  readonly format: Format;
  /** Also send `structuredContent`, with an output schema. */
  readonly structured: boolean;
  readonly budget: number;
  readonly timeoutMs?: number | undefined;
  readonly roots: readonly string[];
  readonly cwd?: string | undefined;
  /** The time zone of the agent's machine. */
  readonly zone?: string | undefined;
  /** Whether the client can be asked for its workspace folders: not over stateless HTTP. */
  readonly askRoots: boolean;
  /** Tells this caller apart from others. */
  readonly caller: string;
  /** Callers that share the limits on calls. */
  readonly limitedWith?: string | undefined;
  /** See {@link Caller}. */
  readonly origin?: string | undefined;
  /** The words that start this program. */
  readonly command: string;
  /** See {@link Caller}. */
  readonly reader?: boolean | undefined;
  /** The projects whose sessions it sees, where a team's token says so. */
  readonly sees?: Caller['sees'];
  /** The name of that token, for the audit. */
  readonly holder?: string | undefined;
  readonly sessions?: SessionScope | undefined;
}

/** Additions to the operations: the fixtures that the conformance suite needs. */
export interface McpExtension {
  readonly options: McpServerOptions;
  readonly register: (server: McpServer) => void;
}

/**
 * An MCP server whose tools are the operations; it only passes calls to the engine. A server for one call has only the
 * tool that it calls, because setting up all of them takes longer than many calls.
 */
export function buildServer(
  engine: Engine,
  tools: readonly Tool[],
  options: McpOptions,
  {
    extension,
    called,
  }: { readonly extension?: McpExtension | undefined; readonly called?: string | undefined } = {},
): McpServer {
  const current = currentTools(tools, options);
  const only = called === undefined ? undefined : current.find(({ name }) => name === called);
  const server = new McpServer(
    { name: 'pinhole', title: 'Pinhole', version: VERSION },
    {
      ...extension?.options,
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false } },
      ...(only === undefined && { instructions: instructionsFor(tools, options) }),
      // Private, because the list is made for the client that asks.
      cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'private' } },
    },
  );
  const declaredRoots = options.askRoots ? clientRoots(server) : async () => [];
  const structured = options.structured && options.format === 'json';
  const call: CallTool = async (operation, input, ctx) => {
    const info = clientInfo(server, ctx);
    const caller: Caller = {
      ...callerOf(info, ctx, options),
      roots: [...options.roots, ...(await declaredRoots())],
      tools: listedTools(tools, options, info.name).map(({ name }) => name),
    };
    return toToolResult(
      await engine.run(operation, input, { caller, signal: ctx.mcpReq.signal }),
      structured,
    );
  };
  for (const tool of only === undefined ? current : [only])
    server.registerTool(tool.name, described(tool, structured), (input, ctx) =>
      call(tool.name, asRecord(input), ctx),
    );
  if (only !== undefined) return server;
  answerFormerNames(server, current, call);
  registerPrompt(server);
  extension?.register(server);
  // The SDK lists whatever is registered, also the fixtures.
  if (extension === undefined) listForClient(server, tools, options, structured);
  return server;
}

/** Old tools are themselves only where they were asked for; otherwise their successors answer. */
function currentTools(tools: readonly Tool[], options: ToolChoice): readonly Tool[] {
  return callableTools(tools, options).filter(
    ({ toolset }) => toolset !== 'legacy' || options.toolsets?.includes('legacy'),
  );
}

type CallTool = (operation: string, input: RawInput, ctx: ServerContext) => Promise<CallToolResult>;

/** A dead end costs an agent a turn, so former names run their successors, or name them. */
function answerFormerNames(server: McpServer, tools: readonly Tool[], call: CallTool): void {
  const names = new Set(tools.map(({ name }) => name));
  for (const [name, translate] of successors(tools)) {
    if (names.has(name)) continue;
    const about = { description: 'A former name.', inputSchema: ANY_INPUT };
    server.registerTool(name, about, async (input, ctx) => {
      const { tools: named, call: next } = translate(asRecord(input));
      if (next !== undefined && names.has(next.operation)) return call(next.operation, next.input, ctx);
      return { content: [text(`${name} is now ${named.join(', ')}: call one of these.`)], isError: true };
    });
  }
}

/** Lists what suits the client. What is not listed still answers when it is called. */
function listForClient(
  server: McpServer,
  tools: readonly Tool[],
  options: McpOptions,
  structured: boolean,
): void {
  server.server.setRequestHandler('tools/list', (_request, ctx) => {
    const { name } = clientInfo(server, ctx);
    const marks = options.toolsets === undefined && defersTools(name);
    return {
      tools: listedTools(tools, options, name).map((tool) => ({
        name: tool.name,
        description: tool.description,
        inputSchema: { ...tool.inputSchema, type: 'object' as const },
        ...(structured ? { outputSchema: tool.outputSchema } : {}),
        annotations: annotationsOf(tool),
        ...(marks && isCore(tool) ? { _meta: ALWAYS_LOADED } : {}),
      })),
    };
  });
}

/** Claude Code then shows its model the whole tool from the start. */
const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true } as const;
const ANY_INPUT = advertised({ type: 'object' });

function described(tool: Tool, structured: boolean) {
  return {
    description: tool.description,
    inputSchema: advertised(tool.inputSchema),
    ...(structured ? { outputSchema: advertised(tool.outputSchema) } : {}),
    annotations: annotationsOf(tool),
  };
}

/** Clients that know a tool only reads ask nothing more about it. */
function annotationsOf({ readOnly }: Tool) {
  return readOnly
    ? { readOnlyHint: true }
    : { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
}

const text = (words: string) => ({ type: 'text' as const, text: words });

function toToolResult(answer: Answer, structured: boolean): CallToolResult {
  const { rendered } = answer;
  const content = [text(rendered.text)];
  if (!answer.ok) return { content, isError: true };
  if (!structured) return { content };
  const { envelope } = answer;
  const meta = { ...envelope.meta, bytes: rendered.bytes, estimated_tokens: rendered.tokens };
  return { content, structuredContent: { ...envelope, meta } };
}

interface ClientInfo {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

/** Who asks: newer clients say it with each request, older ones once. */
function clientInfo(server: McpServer, ctx: ServerContext): ClientInfo {
  const { name, version } = asRecord(
    asRecord(ctx.mcpReq.envelope)['io.modelcontextprotocol/clientInfo'] ?? server.server.getClientVersion(),
  );
  return {
    name: typeof name === 'string' ? name : undefined,
    version: typeof version === 'string' ? version : undefined,
  };
}

function callerOf({ name, version = '' }: ClientInfo, ctx: ServerContext, options: McpOptions): Caller {
  const program = name === undefined ? 'mcp' : `${name} ${version}`.trim().slice(0, 80);
  return {
    door: 'mcp',
    client: (options.holder === undefined ? '' : `${options.holder}: `) + program,
    id: options.caller,
    limitedWith: options.limitedWith,
    roots: options.roots,
    cwd: options.cwd,
    zone: options.zone,
    origin: options.origin,
    budget: options.budget,
    timeoutMs: options.timeoutMs,
    format: options.format,
    reader: options.reader,
    ...(options.sees !== undefined && { sees: options.sees }),
    ...(options.reader === true && { ownCallsOf: options.holder }),
    sessions: options.sessions,
    session: callingSession(asRecord(ctx.mcpReq._meta)),
  };
}

/** The session that is asking, where its agent says so. */
function callingSession(meta: Readonly<Record<string, unknown>>): string | undefined {
  return SESSION_IN_REQUEST.flatMap((place) => {
    const named = asRecord(meta[place.meta]);
    return place.fields.map((field) => named[field]);
  }).find((id) => typeof id === 'string');
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
