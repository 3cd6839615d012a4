import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openTeamStore } from '../../src/team/team-store.ts';
import { teamTokens } from '../../src/team/team-tokens.ts';
import { temporaryFolder } from '../support.ts';
import { startPostgres } from './postgres.ts';

/* Two nodes, five collectors, one PostgreSQL; all of them are killed at random while logs grow. */

const SECONDS = Number(process.env.PINHOLE_TEAM_SECONDS ?? 60);
/** Nothing new arrived for this long: the rest is lost. */
const SETTLE_MS = 120_000;
const COLLECTORS = 5;
const PROGRAM = join(import.meta.dirname, '../../dist/main.js');

interface Part {
  readonly name: string;
  running(): boolean;
  start(): void;
  kill(): void;
}

const parts: Part[] = [];
afterAll(() => {
  for (const part of parts) part.kill();
});

function program(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Part {
  let child: ChildProcess | undefined;
  const part: Part = {
    name,
    running: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    start() {
      child = spawn(process.execPath, [PROGRAM, ...args], {
        env: { ...process.env, ...env },
        stdio: 'ignore',
      });
    },
    kill() {
      child?.kill('SIGKILL');
    },
  };
  parts.push(part);
  part.start();
  return part;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

test(`kills for ${SECONDS} s: every event is there, and only once`, async () => {
  const pg = await startPostgres();
  const url = await pg.database();
  const db = await openTeamStore(url, { log: () => {} });
  const token = await teamTokens(db).create({ name: 'collectors', scopes: ['collect'], projects: undefined });
  await db.close();
  const ports = [await freePort(), await freePort()];
  for (const [at, port] of ports.entries())
    program(`node ${at}`, ['start', '--no-index', '--port', String(port), '--database', url], {
      PINHOLE_HOME: temporaryFolder(),
    });
  const homes = Array.from({ length: COLLECTORS }, (_, at) => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.claude/projects/-srv-app'), { recursive: true });
    const to = `http://127.0.0.1:${ports[at % ports.length]}`;
    program(`collector ${at}`, ['collect', '--to', to, '--watch', '--person', `person-${at}`], {
      HOME: home,
      PINHOLE_HOME: join(home, 'data'),
      PINHOLE_COLLECT_TOKEN: token,
    });
    return home;
  });

  const written = new Map<string, number>();
  const kills = new Map<string, number>();
  const until = performance.now() + SECONDS * 1_000;
  const idOf = (at: number, log: number) => `c0ffee${at}${log}-0000-4000-8000-000000000000`;
  async function write(at: number): Promise<void> {
    for (let number = 0; performance.now() < until; number++) {
      const id = idOf(at, number % 3);
      const record = {
        type: 'user',
        uuid: `${id}-${number}`,
        sessionId: id,
        cwd: '/srv/app',
        timestamp: new Date().toISOString(),
        message: { role: 'user', content: `event ${number} of ${id}` },
      };
      appendFileSync(
        join(homes[at] ?? '', `.claude/projects/-srv-app/${id}.jsonl`),
        `${JSON.stringify(record)}\n`,
      );
      written.set(id, (written.get(id) ?? 0) + 1);
      await sleep(Math.random() * 40);
    }
  }
  async function kill(): Promise<void> {
    while (performance.now() < until) {
      await sleep(300 + Math.random() * 1_500);
      const one = Math.floor(Math.random() * (parts.length + 1));
      const part = parts[one];
      kills.set(part?.name ?? 'database', (kills.get(part?.name ?? 'database') ?? 0) + 1);
      if (part === undefined) {
        await pg.kill();
        await sleep(Math.random() * 1_000);
        await pg.start();
      } else {
        part.kill();
        await sleep(Math.random() * 500);
        part.start();
      }
    }
  }
  await Promise.all([...homes.map((_, at) => write(at)), kill()]);
  // Programs that could not start without the database.
  const settled = await openTeamStore(url, { log: () => {} });
  const total = [...written.values()].reduce((sum, count) => sum + count, 0);
  const count = async () => Number((await settled.get('SELECT COUNT(*) AS n FROM events'))?.n);
  // As long as something arrives: how fast depends on the machine.
  let [arrived, since] = [await count(), performance.now()];
  while (arrived < total && performance.now() - since < SETTLE_MS) {
    for (const part of parts) if (!part.running()) part.start();
    await sleep(1_000);
    const now = await count();
    if (now > arrived) [arrived, since] = [now, performance.now()];
  }
  const rows = await settled.all('SELECT id, events FROM sessions WHERE copy_of IS NULL ORDER BY id');
  const lines = await settled.get('SELECT COUNT(*) AS n FROM lines');
  console.log(`${arrived} of ${total} events in ${written.size} logs; kills: ${JSON.stringify([...kills])}`);
  for (const part of parts) part.kill();
  await settled.close();
  await pg.stop();
  expect(Object.fromEntries(rows.map((row) => [row.id, row.events]))).toEqual(Object.fromEntries(written));
  expect(lines?.n).toBe(total);
});
