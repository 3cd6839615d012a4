import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { BUILT_INS } from '../src/cli/built-ins.ts';
import { checkTeamSettings } from '../src/team/access/team-settings.ts';

/* The files in deploy/ name flags, variables and routes that the program has. */

const file = (name: string) => readFileSync(join(import.meta.dirname, '../deploy', name), 'utf8');

const service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
});
const compose = z
  .object({
    services: z.record(z.string(), service),
    volumes: z.record(z.string(), z.unknown()),
  })
  .parse(parse(file('compose.yaml'), { merge: true }));

/** The flags of a command line that the program does not have. */
async function unknownFlags([name, ...words]: readonly string[]): Promise<readonly string[]> {
  const command = await BUILT_INS.find((one) => one.name === name)?.load();
  const flags = (command?.flags ?? []).map(([flag]) => flag.split(' ')[0]);
  expect(flags.length).toBeGreaterThan(0);
  return words.filter((word) => word.startsWith('--') && !flags.includes(word));
}

/** Every variable of ours that the sources read. */
const variables = new Set(
  execFileSync('grep', ['-rhoE', 'PINHOLE_[A-Z_]+', join(import.meta.dirname, '../src')], {
    encoding: 'utf8',
  }).split('\n'),
);

test('the compose file starts nodes with flags and variables that exist', async () => {
  const { database, node1, node2, proxy } = compose.services;
  expect(node1?.command).toEqual(node2?.command);
  expect(await unknownFlags(node1?.command ?? [])).toEqual([]);
  for (const name of Object.keys(node1?.environment ?? {}))
    if (name.startsWith('PINHOLE_')) expect(variables).toContain(name);
  expect([database?.image, proxy?.image]).toEqual(['postgres:17', 'caddy:2']);
  // Only the proxy is reached from outside.
  expect([database?.ports, node1?.ports, node2?.ports]).toEqual([undefined, undefined, undefined]);
  for (const { volumes = [] } of Object.values(compose.services))
    for (const [from = ''] of volumes.map((volume) => volume.split(':')))
      if (from.startsWith('./')) expect(existsSync(join(import.meta.dirname, '../deploy', from))).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(from);
});

test('the proxy asks for readiness, and keeps a client on its node', () => {
  const caddy = file('Caddyfile');
  expect(caddy).toContain('reverse_proxy node1:4747 node2:4747');
  expect(caddy).toContain('health_uri /readyz');
  expect(caddy).toMatch(/lb_policy cookie/);
});

test.each(['team.json', 'team-with-provider.json'])('the settings in %s are good', (name) => {
  expect(checkTeamSettings(JSON.parse(file(name)), name).address).toBe('https://pinhole.example.com');
});

test('the unit starts the program with flags and variables that exist', async () => {
  const unit = file('pinhole.service');
  const [, line = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const words = line.split(' ');
  const at = words.findIndex((word) => basename(word) === 'pinhole');
  expect(await unknownFlags(words.slice(at + 1))).toEqual([]);
  for (const [name] of unit.matchAll(/PINHOLE_[A-Z_]+/g)) expect(variables).toContain(name);
  // Behind a proxy on the same machine.
  expect(line).toContain('--host 127.0.0.1');
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
test.runIf(analyze)('the unit passes systemd-analyze verify', () => {
  const { stdout, stderr, status } = spawnSync(
    'systemd-analyze',
    ['verify', join(import.meta.dirname, '../deploy/pinhole.service')],
    { encoding: 'utf8' },
  );
  expect([status, stdout + stderr]).toEqual([0, '']);
});
