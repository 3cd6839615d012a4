import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { temporaryFolder } from '../support.ts';
import { freePort } from './nodes.ts';
import { sharedPostgres } from './postgres.ts';

/* deploy/compose.yaml: what it says is checked, and its commands are run as it says, without containers. */

const service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))])
    .optional(),
  healthcheck: z
    .object({ test: z.array(z.string()), interval: z.string(), timeout: z.string(), retries: z.int() })
    .optional(),
  restart: z.literal('unless-stopped'),
});

const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }));

test('services, volumes and files that the file names are there', () => {
  const { services, volumes } = compose;
  expect(Object.keys(services)).toEqual(['database', 'node1', 'node2', 'proxy']);
  for (const { volumes: mounted, depends_on } of Object.values(services)) {
    for (const [from = ''] of mounted.map((volume) => volume.split(':')))
      expect({
        from,
        known: from.startsWith('./') ? existsSync(join('deploy', from)) : from in volumes,
      }).toEqual({
        from,
        known: true,
      });
    for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on ?? {}))
      expect(services).toHaveProperty(name);
  }
  // Only a service with a health check can be waited for.
  expect(services.node1?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
  expect(services.database?.healthcheck?.test).toEqual(['CMD', 'pg_isready', '-U', 'pinhole']);
  expect(services.database?.environment?.POSTGRES_PASSWORD).toBe('$' + '{DATABASE_PASSWORD:?}');
});

test('a node starts and becomes healthy with the commands of the file', async () => {
  const url = await (await sharedPostgres()).database();
  const { command = [], environment = {}, healthcheck } = compose.services.node1 ?? {};
  const port = String(await freePort());
  const settings = compose.services.node1?.volumes[0]?.split(':') ?? [];
  expect(settings[1]).toBe(environment.PINHOLE_TEAM_SETTINGS);
  const env = {
    ...process.env,
    ...environment,
    PINHOLE_DATABASE_URL: url,
    PINHOLE_TEAM_SETTINGS: join('deploy', settings[0] ?? ''),
    PINHOLE_HOME: temporaryFolder(),
    HOME: temporaryFolder(),
  };
  // The first command at the head of the file.
  const words = ['team', 'token', 'create', 'ann-laptop', '--scope', 'collect'];
  expect(execFileSync(process.execPath, ['dist/main.js', ...words], { env, encoding: 'utf8' })).toContain(
    'pinhole_',
  );
  const atPort = (word: string) => word.replaceAll('4747', port);
  const node = spawn(process.execPath, ['dist/main.js', ...command.map(atPort)], { env, stdio: 'pipe' });
  try {
    const [, program = '', ...check] = healthcheck?.test ?? [];
    expect(program).toBe('node');
    let healthy = false;
    for (let tries = 0; tries < 60 && !healthy; tries++) {
      healthy = spawnSync(process.execPath, check.map(atPort), { env }).status === 0;
      if (!healthy) await sleep(500);
    }
    expect(healthy).toBe(true);
  } finally {
    node.kill('SIGTERM');
    if (node.exitCode === null) await once(node, 'exit');
  }
});
