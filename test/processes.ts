import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll } from 'vitest';
import { personHeaders, scriptHeaders } from './sign-in.ts';
import { temporaryFolder } from './support.ts';

/** For tests that check fields. */
export const JSON_ANSWERS = ['--format', 'json'] as const;

/** The built command. */
export const MAIN = resolve('dist/main.js');

export const ERAS = ['modern', 'legacy'] as const;
export type Era = (typeof ERAS)[number];

/** A data folder for real processes, and the environment that makes them use it. */
export interface ProcessHome {
  readonly home: string;
  readonly env: Record<string, string>;
  /** What the running background process wrote to background.json. */
  background(): { readonly pid: number; readonly port: number; readonly token: string };
  /** The header that a script with the token sends. */
  script(): { readonly authorization: string };
  /** The headers that a signed-in page sends. */
  person(): Promise<{ readonly cookie: string; readonly origin: string }>;
}

/** An empty data folder; a background process that uses it is stopped after the tests of this file. */
export function processHome(): ProcessHome {
  const home = temporaryFolder();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    PINHOLE_HOME: home,
    PINHOLE_PORT: '0',
    PINHOLE_IDLE_SECONDS: '120',
  };
  afterAll(
    () => new Promise<void>((done) => void execFile(process.execPath, [MAIN, 'stop'], { env }, () => done())),
  );
  const background = () => JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
  return {
    home,
    env,
    background,
    script: () => scriptHeaders(background()),
    person: async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'open', '--print'], { env });
      const { port, pathname, hash } = new URL(stdout.trim());
      return personHeaders({ port: Number(port), pageLink: () => pathname + hash });
    },
  };
}

/** An official client, connected to its own `pinhole mcp`. */
export async function connectClient(
  { env }: Pick<ProcessHome, 'env'>,
  options: {
    readonly cwd: string;
    readonly args?: readonly string[];
    readonly era?: Era;
    /** The name it introduces itself with. */
    readonly name?: string;
  },
): Promise<Client> {
  const client = new Client(
    { name: options.name ?? 'pinhole-test', version: '1.0.0' },
    {
      capabilities: {},
      versionNegotiation: { mode: options.era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...(options.args ?? [])],
    env,
    cwd: options.cwd,
    stderr: 'pipe',
  });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`pinhole mcp did not start: ${said.join('')}`, { cause: error });
  });
  return client;
}

/** The single text block of a tool result. */
export function onlyText(result: Awaited<ReturnType<Client['callTool']>>): string {
  const [block, ...more] = result.content;
  if (block?.type !== 'text' || more.length > 0) throw new Error('expected one text block');
  return block.text;
}
