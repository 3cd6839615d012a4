import { McpServer, type McpServerOptions, type ServerContext } from '@modelcontextprotocol/server';
import { SESSION_IN_REQUEST } from '../app/session-in-request.data.ts';
import type { Caller, Format } from '../contract/caller.ts';
import type { Answer, Engine } from '../contract/engine.ts';
import { isObject } from '../contract/guards.ts';
import { VERSION } from '../contract/version.ts';
import { clientRoots } from './client-roots.ts';
import { instructions } from './instructions.ts';
import { registerPrompt } from './prompt.ts';
import { advertised, type Tool, type ToolChoice, toolsFor } from './tool.ts';

export interface McpOptions extends ToolChoice {
  readonly format: Format;
  /** Also send `structuredContent`, with an output schema. */
  readonly structured: boolean;
  readonly budget: number;
  readonly timeoutMs?: number | undefined;
  readonly roots: readonly string[];
  readonly cwd?: string | undefined;
  /** Whether the client can be asked for its workspace folders: not over stateless HTTP. */
  readonly askRoots: boolean;
  /** Distinguishes this connection from others of the same client. */
  readonly connection: string;
}

/** Additions to the operations: the fixtures that the conformance suite needs. */
export interface McpExtension {
  readonly options: McpServerOptions;
  readonly register: (server: McpServer) => void;
}

/** An MCP server whose tools are the operations; it only passes calls to the engine. */
export function buildServer(
  engine: Engine,
  tools: readonly Tool[],
  options: McpOptions,
  extension?: McpExtension,
): McpServer {
  const server = new McpServer(
    { name: 'pinhole', title: 'Pinhole', version: VERSION },
    {
      ...extension?.options,
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false } },
      instructions: instructions(options.toolsets, options.budget),
      cacheHints: { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' } },
    },
  );
  const declaredRoots = options.askRoots ? clientRoots(server) : async () => [];
  const structured = options.structured && options.format === 'json';
  for (const tool of toolsFor(tools, options)) {
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: advertised(tool.inputSchema),
        ...(structured ? { outputSchema: advertised(tool.outputSchema) } : {}),
        annotations: {
          readOnlyHint: tool.readOnly,
          openWorldHint: false,
          ...(tool.readOnly ? {} : { destructiveHint: false }),
        },
      },
      async (input, ctx) => {
        const caller = callerOf(server, ctx, {
          ...options,
          roots: [...options.roots, ...(await declaredRoots())],
        });
        const answer = await engine.run(tool.name, asRecord(input), {
          caller,
          signal: ctx.mcpReq.signal,
        });
        return toToolResult(answer, structured);
      },
    );
  }
  registerPrompt(server);
  extension?.register(server);
  return server;
}

function toToolResult(answer: Answer, structured: boolean) {
  const { text, bytes, tokens } = answer.rendered;
  const content = [{ type: 'text' as const, text }];
  if (!answer.ok) return { content, isError: true };
  if (!structured) return { content };
  const { envelope } = answer;
  const meta = { ...envelope.meta, bytes, estimated_tokens: tokens };
  return { content, structuredContent: { ...envelope, meta } };
}

function callerOf(server: McpServer, ctx: ServerContext, options: McpOptions): Caller {
  const info = asRecord(
    asRecord(ctx.mcpReq.envelope)['io.modelcontextprotocol/clientInfo'] ?? server.server.getClientVersion(),
  );
  const client =
    typeof info.name === 'string' ? `${info.name} ${info.version ?? ''}`.trim().slice(0, 80) : 'mcp';
  return {
    door: 'mcp',
    client,
    id: `${client}#${options.connection}`,
    roots: options.roots,
    cwd: options.cwd,
    budget: options.budget,
    timeoutMs: options.timeoutMs,
    format: options.format,
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
