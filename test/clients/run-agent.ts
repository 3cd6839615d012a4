import { spawn } from 'node:child_process';
import type { Agent } from './agents/agent.ts';
import { CALLS } from './calls.ts';
import { install } from './install.ts';
import { MARK } from './model/conversation.ts';
import { startModel } from './model/server.ts';
import type { Observed } from './observed.ts';
import type { Place } from './place.ts';
import { readWire } from './tap.ts';

const PATIENCE_MS = 240_000;

/** Runs a client through all calls and returns what went over the wire and what its model was shown. */
export async function runAgent(agent: Agent, place: Place): Promise<Observed> {
  const { folder, home, server, log, env } = place;
  const installed = install(agent.package);
  const model = await startModel(agent.api, (results) => {
    const call = CALLS[results.length];
    return call && { ...agent.named(call.tool), input: call.input(folder, answersIn(log)) };
  });
  try {
    const prompt = `${MARK}: do what the script says.`;
    const launch = agent.prepare({ home, modelUrl: model.url, server, installed, prompt });
    const output = await finish(launch.command, launch.args, folder, { ...env, ...launch.env });
    const last = model.requests.at(-1);
    const wire = readWire(log);
    return {
      version: installed.version,
      wire,
      shown: last?.results ?? [],
      visible: wire.tools.filter((tool) => last?.text.includes(agent.named(tool).name)),
      output,
    };
  } finally {
    await model.close();
  }
}

function answersIn(log: string): string[] {
  return readWire(log).calls.map(({ text }) => text);
}

function finish(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS });
    const said: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    child.once('error', failed);
    child.once('close', () => done(Buffer.concat(said).toString('utf8')));
  });
}
