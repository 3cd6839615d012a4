import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { readFlags, wholeNumber } from '../command/flags.ts';
import { closeConnections } from '../connect/call-background.ts';
import { findOrStartBackground } from '../connect/find-or-start.ts';
import { type LocalApp, localEngine } from '../connect/local-engine.ts';
import { remoteEngine } from '../connect/remote-engine.ts';
import { systemZone } from '../connect/system-zone.ts';
import { BUDGET, FORMATS, type Format, SESSION_SCOPES, type SessionScope } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { PinholeError } from '../contract/errors.ts';
import { withoutLongLines } from './long-lines.ts';
import { ownCommand } from './own-command.ts';
import { buildServer, type McpOptions } from './server.ts';
import { TOOL_GROUPS, type ToolGroup, toolGroups } from './tool.ts';
import { TOOLS } from './tools.data.ts';

const SETTLE_MS = 20;
/** How long calls may still take after the client has closed its end. */
const MAX_WAIT_MS = 10_000;

export const mcp: BuiltIn = {
  usage: 'pinhole mcp [flags]',
  flags: [
    ['--toolsets LIST', `tools to list: ${TOOL_GROUPS.join(', ')} (default: what suits the client)`],
    ['--read-only', 'refuse operations that change anything'],
    ['--root PATH', 'another folder that may be read, besides the current one; can be repeated'],
    ['--sessions SCOPE', 'agent sessions it may see: all (default), or project: only those of its folders'],
    ['--format FORMAT', 'text (default) or json: the same facts with all fields, links and sizes'],
    ['--structured', 'json, and also structuredContent and output schemas'],
    ['--max-response-bytes N', `${BUDGET.min}..${BUDGET.max} (default ${BUDGET.default})`],
    ['--timeout SECONDS', 'time limit per call, 1..600 (default 30)'],
    ['--local', 'run without the background process'],
  ],
  values: { '--toolsets': TOOL_GROUPS, '--format': FORMATS },
  examples: [
    'claude mcp add pinhole -- pinhole mcp',
    'pinhole mcp --toolsets code,sessions --read-only',
    'pinhole mcp --format json',
  ],
  async run(args) {
    const { values } = readFlags(args, {
      toolsets: { type: 'string' },
      'read-only': { type: 'boolean', default: false },
      root: { type: 'string', multiple: true, default: [] },
      sessions: { type: 'string', default: 'all' },
      format: { type: 'string' },
      structured: { type: 'boolean', default: false },
      'max-response-bytes': { type: 'string', default: String(BUDGET.default) },
      timeout: { type: 'string', default: '30' },
      local: { type: 'boolean', default: false },
    });
    const options: McpOptions = {
      toolsets: readToolsets(values.toolsets),
      readOnly: values['read-only'],
      format: readFormat(values.format, values.structured),
      structured: values.structured,
      sessions: readSessions(values.sessions),
      budget: wholeNumber('--max-response-bytes', values['max-response-bytes'], BUDGET.min, BUDGET.max),
      timeoutMs: wholeNumber('--timeout', values.timeout, 1, 600) * 1000,
      roots: startFolders(values.root),
      cwd: process.cwd(),
      zone: systemZone(),
      askRoots: true,
      caller: `stdio#${randomBytes(4).toString('hex')}`,
      // An agent that connects again is the same caller.
      limitedWith: `stdio in ${process.cwd()}`,
      command: ownCommand(process.argv[1] ?? 'pinhole', process.env.PATH ?? ''),
    };
    const home = usableDataFolder();
    // Started right away, so that it is ready for the first call; the tool list does not wait for it.
    const early = values.local ? undefined : findOrStartBackground(home);
    early?.catch(() => {});
    const openHere = () => localApp(home);
    const engine = values.local
      ? localEngine(openHere)
      : remoteEngine({ operations: TOOLS, connect: connectOnce(early, home), openHere, onLocal: sayLocal });
    const { counted, settled } = countedCalls(engine);
    await new Promise<void>((ended) => {
      const messages = process.stdin.pipe(
        withoutLongLines((reply) => process.stdout.write(reply)),
        { end: false },
      );
      serveStdio(() => buildServer(counted, TOOLS, options), {
        transport: new StdioServerTransport(messages),
        onerror: (error) => process.stderr.write(`pinhole: ${error.message}\n`),
      });
      process.stdin.once('end', ended);
      process.stdin.once('close', ended);
    });
    // A client that wrote all its requests and closed its end still reads the answers.
    await settled();
    await engine.close(false);
    closeConnections();
    // Nobody is left to read what is still under way.
    setTimeout(() => process.exit(0), 200).unref();
    return 0;
  },
};

/** The engine, and a wait until all its calls so far are answered. */
function countedCalls(engine: Engine): { readonly counted: Engine; settled(): Promise<void> } {
  const calls = new Set<Promise<unknown>>();
  const run: Engine['run'] = (...call) => {
    const answer = engine.run(...call);
    calls.add(answer);
    const done = () => calls.delete(answer);
    answer.then(done, done);
    return answer;
  };
  return {
    counted: { ...engine, run },
    async settled() {
      const late = new Promise((end) => setTimeout(end, MAX_WAIT_MS).unref());
      // What was read last may not have become a call yet, nor the answer a message.
      for (let again = 0; again < 2; again++) {
        await new Promise((next) => setTimeout(next, SETTLE_MS));
        await Promise.race([Promise.allSettled(calls), late]);
      }
    },
  };
}

/** Loaded only when there is no background process, because it loads all operations. */
async function localApp(home: string): Promise<LocalApp> {
  const { openLocalApp } = await import('../connect/local-app.ts');
  const { createLog } = await import('../connect/background-log.ts');
  return openLocalApp(home, createLog(home));
}

function sayLocal(reason: string): void {
  process.stderr.write(`pinhole: ${reason} Calls run without it.\n`);
}

function connectOnce(early: ReturnType<typeof findOrStartBackground> | undefined, home: string) {
  let first = early;
  return () => {
    const attempt = first ?? findOrStartBackground(home);
    first = undefined;
    return attempt;
  };
}

/** The folder it was started in, unless that is the root folder, where desktop programs start their servers. */
function startFolders(given: readonly string[]): string[] {
  const here = process.cwd();
  return [...(resolve(here) === resolve('/') ? [] : [here]), ...given.map((path) => resolve(path))];
}

function readToolsets(list: string | undefined): readonly ToolGroup[] | undefined {
  if (list === undefined) return undefined;
  return toolGroups(list) ?? wrong(`--toolsets must be a list of ${TOOL_GROUPS.join(', ')}.`);
}

function readSessions(word: string): SessionScope {
  return (
    SESSION_SCOPES.find((scope) => scope === word) ??
    wrong(`--sessions must be ${SESSION_SCOPES.join(' or ')}.`)
  );
}

/** Structured content is JSON, so the text beside it is the same JSON. */
function readFormat(given: string | undefined, structured: boolean): Format {
  const word = given ?? (structured ? 'json' : 'text');
  const format = FORMATS.find((each) => each === word) ?? wrong('--format must be text or json.');
  return structured && format === 'text' ? wrong('--structured needs --format json.') : format;
}

function wrong(message: string): never {
  throw new PinholeError('invalid_parameter', message);
}
