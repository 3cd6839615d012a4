import { randomUUID } from 'node:crypto';
import {
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Hono } from 'hono';

/**
 * Serves clients of 2025 in sessions. Pinhole itself keeps none: it never asks a client anything. The suite's
 * sampling and elicitation scenarios do, and in 2025 the client's answer comes in a request of its own, which
 * has to find the server that asked.
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
