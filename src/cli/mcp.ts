import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { usableDataFolder } from '../app/home.ts';
import { BUDGET, FORMATS } from '../contract/caller.ts';
import { PinholeError } from '../contract/errors.ts';
import { TOOLSETS, type Toolset } from '../contract/operation.ts';
import { findOrStartOwner } from '../daemon/connect.ts';
import { closeConnections } from '../daemon/http-client.ts';
import { type LocalApp, localEngine } from '../daemon/local-engine.ts';
import { remoteEngine } from '../daemon/remote-engine.ts';
import { withoutLongLines } from '../mcp/long-lines.ts';
import { buildServer, type McpOptions } from '../mcp/server.ts';
import { TOOLS } from '../mcp/tools.data.ts';
import { DEFAULT_TOOLSETS } from '../mcp/tools.ts';
import type { BuiltIn } from './built-in.ts';
import { readFlags, wholeNumber } from './flags.ts';

export const mcp: BuiltIn = {
  usage: 'pinhole mcp [flags]',
  flags: [
    ['--toolsets LIST', `which tools: ${TOOLSETS.join(', ')} (default ${DEFAULT_TOOLSETS.join(',')})`],
    ['--read-only', 'leave out tools that change state'],
    ['--root PATH', 'a folder that may be read besides the current one; may be repeated'],
    ['--format FORMAT', 'json (default) or text: the same answers in fewer tokens'],
    ['--structured', 'send structuredContent and output schemas too'],
    ['--max-response-bytes N', `${BUDGET.min}..${BUDGET.max} (default ${BUDGET.default})`],
    ['--timeout SECONDS', 'longest an answer may take, 1..600 (default 30)'],
    ['--local', 'do not use the background process'],
  ],
  examples: [
    'claude mcp add pinhole -- pinhole mcp',
    'pinhole mcp --toolsets code,sessions --read-only',
    'pinhole mcp --format text',
  ],
  async run(args) {
    const { values } = readFlags(args, {
      toolsets: { type: 'string' },
      'read-only': { type: 'boolean', default: false },
      root: { type: 'string', multiple: true, default: [] },
      format: { type: 'string', default: 'json' },
      structured: { type: 'boolean', default: false },
      'max-response-bytes': { type: 'string', default: String(BUDGET.default) },
      timeout: { type: 'string', default: '30' },
      local: { type: 'boolean', default: false },
    });
    const options: McpOptions = {
      toolsets: readToolsets(values.toolsets),
      readOnly: values['read-only'],
      format: FORMATS.find((format) => format === values.format) ?? wrong('--format must be json or text.'),
      structured: values.structured,
      budget: wholeNumber('max-response-bytes', values['max-response-bytes'], BUDGET.min, BUDGET.max),
      timeoutMs: wholeNumber('timeout', values.timeout, 1, 600) * 1000,
      roots: startFolders(values.root),
      cwd: process.cwd(),
      askRoots: true,
      connection: randomBytes(4).toString('hex'),
    };
    const home = usableDataFolder();
    // Asked for at once, so that the first call finds it ready; the tool list does not wait for it.
    const early = values.local ? undefined : findOrStartOwner(home);
    early?.catch(() => {});
    const openHere = () => localApp(home);
    const engine = values.local
      ? localEngine(openHere)
      : remoteEngine({ operations: TOOLS, connect: connectOnce(early, home), openHere, note: sayAlone });
    await new Promise<void>((ended) => {
      const messages = process.stdin.pipe(withoutLongLines((reply) => process.stdout.write(reply)));
      serveStdio(() => buildServer(engine, TOOLS, options), {
        transport: new StdioServerTransport(messages),
        onerror: (error) => process.stderr.write(`pinhole: ${error.message}\n`),
      });
      process.stdin.once('end', ended);
      process.stdin.once('close', ended);
    });
    await engine.close(false);
    closeConnections();
    // Whatever is still under way has nobody left to read it.
    setTimeout(() => process.exit(0), 200).unref();
    return 0;
  },
};

/** Loaded only when there is no owner: it brings all operations along. */
async function localApp(home: string): Promise<LocalApp> {
  return (await import('./engine.ts')).localApp(home);
}

function sayAlone(reason: string): void {
  process.stderr.write(`pinhole: ${reason} Calls are answered without it.\n`);
}

function connectOnce(early: ReturnType<typeof findOrStartOwner> | undefined, home: string) {
  let first = early;
  return () => {
    const attempt = first ?? findOrStartOwner(home);
    first = undefined;
    return attempt;
  };
}

/** The folder it was started in, unless that is the root of everything, as desktop programs do it. */
function startFolders(given: readonly string[]): string[] {
  const here = process.cwd();
  return [...(resolve(here) === resolve('/') ? [] : [here]), ...given.map((path) => resolve(path))];
}

function readToolsets(list: string | undefined): readonly Toolset[] {
  if (list === undefined) return DEFAULT_TOOLSETS;
  const names = list.split(',').map((name) => name.trim());
  return TOOLSETS.filter((toolset) => names.includes(toolset) || names.includes('all')).length > 0 &&
    names.every(isToolset)
    ? TOOLSETS.filter((toolset) => names.includes(toolset) || (names.includes('all') && toolset !== 'legacy'))
    : wrong(`--toolsets takes ${TOOLSETS.join(', ')} or all.`);
}

function isToolset(name: string): boolean {
  return name === 'all' || TOOLSETS.some((toolset) => toolset === name);
}

function wrong(message: string): never {
  throw new PinholeError('invalid_parameter', message);
}
