import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { OPERATIONS } from '../../src/app/operations.ts';
import { logFile } from '../../src/connect/background-log.ts';
import { readBackgroundRecord } from '../../src/connect/background-record.ts';
import { callBackground } from '../../src/connect/call-background.ts';
import { MAIN, type ProcessHome } from '../processes.ts';

const START_MS = 60_000;
const NAMES = new Set<string>(OPERATIONS.map(({ name }) => name));

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
type Answered = { readonly ok: boolean; readonly envelope?: any; readonly error?: any };

/** A background process to be killed and restarted. */
export function createVictim(place: ProcessHome, cwd: string) {
  let child: ChildProcess | undefined;

  /** Starts it; resolves when it answers, or at once if `answering` is false. */
  async function start(answering = true): Promise<void> {
    const started = spawn(process.execPath, [MAIN, 'background'], { env: place.env, stdio: 'ignore' });
    child = started;
    const until = Date.now() + START_MS;
    while (answering) {
      const record = readBackgroundRecord(place.home);
      if (record !== undefined && record.pid === started.pid && record.socket !== '') {
        const reply = await callBackground(record, 'GET', '/internal/hello').catch(() => undefined);
        if (reply?.status === 200) return;
      }
      if (started.exitCode !== null)
        throw new Error(
          `The background process ended with ${started.exitCode}: ${readFileSync(logFile(place.home), 'utf8').slice(-2_000)}`,
        );
      if (Date.now() > until) throw new Error('The background process does not answer.');
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** Asks it to exit, as `pinhole stop` does. */
  async function stop(): Promise<void> {
    const record = readBackgroundRecord(place.home);
    const ended = child === undefined ? undefined : once(child, 'exit');
    child = undefined;
    if (record !== undefined) await callBackground(record, 'POST', '/internal/stop');
    await ended;
  }

  async function kill(): Promise<void> {
    const dying = child;
    child = undefined;
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return;
    dying.kill('SIGKILL');
    await once(dying, 'exit');
  }

  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  /** One call as a person at a terminal; undefined if the process died meanwhile. */
  async function run(operation: string, input: Record<string, unknown>): Promise<Answered | undefined> {
    if (!NAMES.has(operation)) throw new Error(`There is no operation ${operation}.`);
    const record = readBackgroundRecord(place.home);
    if (record === undefined || record.socket === '') return undefined;
    const caller = {
      ...{ door: 'cli', client: 'test', id: 'test', limitedWith: `${Math.random()}` },
      ...{ roots: ['/'], cwd, budget: 1_000_000, format: 'json' },
    };
    try {
      const reply = await callBackground(record, 'POST', '/internal/run', { operation, input, caller });
      return JSON.parse(reply.body);
    } catch {
      return undefined;
    }
  }

  return { start, stop, kill, run, isAlive };
}
