import { randomUUID } from 'node:crypto';
import {
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Hono } from 'hono';

/**
 * Serves clients of the 2025 revision in sessions. Pinhole itself has no sessions, since it never asks a client
 * anything. The suite's sampling and elicitation scenarios do, and in 2025 the client's answer arrives in a separate
 * request, which has to find the server that asked.
 */
export function serveSessions(app: Hono, build: () => McpServer): void {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  app.all('/mcp', async (c, next) => {
    const request = c.req.raw;
    if (!(await isLegacyRequest(request))) return next();
    const id = c.req.header('mcp-session-id');
    if (id !== undefined) return sessions.get(id)?.handleRequest(request) ?? c.text('No such session', 404);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await build().connect(transport);
    return transport.handleRequest(request);
  });
}
