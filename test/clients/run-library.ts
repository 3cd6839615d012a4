import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { CALLS } from './calls.ts';
import { install, node22 } from './install.ts';
import type { Observed } from './observed.ts';
import type { Place } from './place.ts';
import { readWire } from './tap.ts';

/** A library or tool that calls MCP servers without its own model. */
export interface Library {
  readonly title: string;
  readonly package: string;
  /** Other packages it needs. */
  readonly more?: readonly string[];
  readonly driver: string;
}

export const LIBRARIES: readonly Library[] = [
  { title: 'AI SDK', package: '@ai-sdk/mcp', driver: 'ai-sdk.mjs' },
  {
    title: 'LangChain adapters',
    package: '@langchain/mcp-adapters',
    more: ['@langchain/core'],
    driver: 'langchain.mjs',
  },
  {
    title: 'MCP Inspector (command line)',
    package: '@modelcontextprotocol/inspector',
    driver: 'inspector.mjs',
  },
];

const greeting = z.object({ tools: z.array(z.string()) });
const reply = z.object({ text: z.string() });

/** Runs a library through all calls and returns what went over the wire and what its user gets. */
export async function runLibrary(library: Library, place: Place): Promise<Observed> {
  const { folder, server, log, env } = place;
  const installed = install(library.package, 'latest', library.more);
  const child = spawn(
    node22(),
    [resolve('test/clients/drivers', library.driver), installed.folder, JSON.stringify(server)],
    { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const stderr: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${library.title} ended early: ${Buffer.concat(stderr).toString('utf8')}`);
    return JSON.parse(value);
  };
  try {
    const { tools } = greeting.parse(await next());
    const shown: string[] = [];
    for (const { tool, input } of CALLS) {
      const answers = readWire(log).calls.map(({ text }) => text);
      child.stdin.write(`${JSON.stringify({ tool, input: input(folder, answers) })}\n`);
      shown.push(reply.parse(await next()).text);
    }
    const output = Buffer.concat(stderr).toString('utf8');
    return { version: installed.version, wire: readWire(log), shown, visible: tools, output };
  } finally {
    child.stdin.end();
    child.kill();
  }
}
