import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const entry = z.object({ pid: z.number(), from: z.enum(['client', 'server']), line: z.string() });
const envelope = z.looseObject({ 'io.modelcontextprotocol/protocolVersion': z.string().optional() });
const message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      arguments: z.looseObject({}).optional(),
      protocolVersion: z.string().optional(),
      _meta: envelope.optional(),
    })
    .optional(),
  result: z
    .looseObject({
      protocolVersion: z.string().optional(),
      tools: z.array(z.looseObject({ name: z.string() })).optional(),
      content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).optional(),
      isError: z.boolean().optional(),
    })
    .optional(),
});

/** One tool call as it went over the wire. */
export interface WireCall {
  readonly tool: string;
  /** What Pinhole answered, to the byte. */
  readonly text: string;
  readonly isError: boolean;
}

/** What a client and Pinhole said to each other. */
export interface Wire {
  /** The MCP revision that the calls used. */
  readonly protocol: string;
  readonly tools: readonly string[];
  readonly calls: readonly WireCall[];
}

/** Reads what tap.mjs wrote. */
export function readWire(log: string): Wire {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  const entries = lines.map((line) => entry.parse(JSON.parse(line)));
  const asked = new Map<string, z.infer<typeof message>>();
  const calls: WireCall[] = [];
  let protocol = 'none';
  let tools: readonly string[] = [];
  for (const { pid, from, line } of entries) {
    const said = message.parse(JSON.parse(line));
    const key = `${pid}:${said.id}`;
    if (from === 'client') {
      if (said.method !== undefined && said.id !== undefined) asked.set(key, said);
      protocol = said.params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? protocol;
      continue;
    }
    const question = asked.get(key);
    if (question?.method === 'initialize') protocol = said.result?.protocolVersion ?? protocol;
    if (question?.method === 'tools/list') tools = said.result?.tools?.map(({ name }) => name) ?? [];
    if (question?.method === 'tools/call') {
      calls.push({
        tool: question.params?.name ?? '',
        text: said.result?.content?.map(({ text = '' }) => text).join('\n') ?? '',
        isError: said.result?.isError === true,
      });
    }
  }
  return { protocol, tools, calls };
}
