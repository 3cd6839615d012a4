import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errorText } from '../contract/errors.ts';
import { countOf } from '../contract/format.ts';
import { isObject } from '../contract/guards.ts';
import { redact } from '../contract/redact.ts';
import { entryWords } from '../setup/launch.ts';
import type { Place } from '../setup/place.ts';
import type { ConfiguredServer } from './check-clients.ts';
import type { Finding } from './doctor-finding.ts';

/** npx may have to download the package first. */
const ANSWER_MS = 60_000;
const PROTOCOL = '2025-06-18';
const MAX_STDERR = 300;

/** Starts each configured server as its client would, and asks for its tools. The same command is started only once. */
export async function* checkServers(
  servers: readonly ConfiguredServer[],
  place: Place,
  answerMs = ANSWER_MS,
): AsyncGenerator<Finding> {
  const results = new Map<string, { readonly answer: Promise<number>; readonly startedFor: string }>();
  for (const { client, scope, file, entry } of servers) {
    const words = entryWords(entry);
    const env = isObject(entry.env) ? entry.env : isObject(entry.envs) ? entry.envs : {};
    const key = JSON.stringify([words, env]);
    const started = performance.now();
    const known = results.get(key);
    const answer = known?.answer ?? countTools(words, { ...place.env, ...strings(env) }, place, answerMs);
    if (known === undefined) results.set(key, { answer, startedFor: client.title });
    const where = `${client.title} (${file})`;
    try {
      const tools = await answer;
      const how =
        known === undefined
          ? ` in ${Math.round(performance.now() - started)} ms`
          : `, same command as ${known.startedFor}`;
      yield { check: 'servers', state: 'ok', text: `${where}: ${countOf(tools, 'tool')}${how}` };
    } catch (error) {
      yield {
        check: 'servers',
        state: 'fail',
        text: `${where}: ${redact(words.join(' '))} ${errorText(error)}`,
        fix: `pinhole setup --client ${client.name}${scope === 'project' ? ' --scope project' : ''}`,
      };
    }
  }
}

function strings(env: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
}

/** How many tools a server lists; rejects with what went wrong, as the end of a sentence. */
function countTools(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { cwd }: Place,
  answerMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    const fail = (what: string) => {
      const said = redact(stderr.trim().slice(-MAX_STDERR));
      finish(() => reject(new Error(said === '' ? what : `${what}: ${said}`)));
    };
    const late = setTimeout(() => fail(`did not answer within ${answerMs / 1000} s`), answerMs);
    const finish = (settle: () => void) => {
      clearTimeout(late);
      end(child);
      settle();
    };
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-10 * MAX_STDERR);
    });
    child.on('error', (error) => fail(`could not be started: ${error.message}`));
    child.on('exit', (code) => fail(`ended with exit code ${code}`));
    child.stdin.on('error', () => {});
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = messageIn(line);
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list' });
      } else if (id === 2 && isObject(result) && Array.isArray(result.tools)) {
        const { length } = result.tools;
        finish(() => resolve(length));
      } else if (id === 2) fail('did not list its tools');
    });
    const clientInfo = { name: 'pinhole-doctor', version: '1' };
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: PROTOCOL, capabilities: {}, clientInfo },
    });
  });
}

/** A server that ends when its input ends needs no signal; others get one. */
function end(child: ChildProcess): void {
  child.removeAllListeners('exit');
  child.stdin?.end();
  child.kill();
}

function messageIn(line: string): { readonly id?: unknown; readonly result?: unknown } {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? message : {};
  } catch {
    return {};
  }
}
