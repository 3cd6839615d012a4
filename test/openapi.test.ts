import { execFile, spawn } from 'node:child_process';
import { createWriteStream, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { accessKeys } from '../src/app/access-keys.ts';
import { OPERATIONS } from '../src/app/operations.ts';
import { startBackground } from '../src/daemon/background.ts';
import { createHttpApp } from '../src/http/http-app.ts';
import { openApi } from '../src/http/openapi.ts';
import { claude, lines, writeLog } from './fixtures/sessions/logs.ts';
import { temporaryFolder } from './support.ts';

const SESSION = '5e55a001-0000-4000-8000-000000000001';
const folder = realpathSync(temporaryFolder());
writeFileSync(join(folder, 'retry.ts'), 'export function withRetries() {\n  return 3;\n}\n');
const logs = temporaryFolder();
process.env.CLAUDE_CONFIG_DIR = logs;
process.env.CODEX_HOME = join(logs, 'none');
process.env.GEMINI_CLI_HOME = join(logs, 'none');
writeLog(
  join(logs, 'projects', 'p', `${SESSION}.jsonl`),
  lines([claude({ id: SESSION }).prompt('add retries'), claude({ id: SESSION }).answer('msg_1', [])]),
);
const background = await startBackground({
  home: temporaryFolder(),
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (background === undefined) throw new Error('no background process');
afterAll(() => background.stop());
await background.app.services.allowed.add(folder);
await background.app.services.sessions.reading.refresh();
const document = openApi(OPERATIONS, 'http://127.0.0.1:4747');

const described = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }),
    ),
  ),
});
const { paths } = described.parse(document);
const all = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, route]) => ({ path, method, ...route })),
);

test('the linter finds nothing', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test('every route has a name of its own, without numbers, an answer, and errors by status', () => {
  const ids = all.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+(_[a-z]+)*$/.test(id))).toEqual([]);
  for (const { path, responses } of all) {
    expect(path).not.toContain('?');
    expect(Object.keys(responses), path).toContain('200');
    expect(Object.keys(responses), path).toContain('401');
    expect(Object.keys(responses), path).not.toContain('default');
  }
});

test('a moment has one of three names: start_time and end_time, timestamp, or what happened with _at', () => {
  const moments = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && typeof value.properties === 'object')
      for (const name of Object.keys(value.properties ?? {}))
        if (/(^|_)(time|at|timestamp|date)$/.test(name)) moments.add(name);
    for (const part of Object.values(value)) collect(part);
  };
  collect(document);
  expect(moments.size).toBeGreaterThan(10);
  // Not moments: the axis of a timeline, events where something happened, and a number of files.
  const others = ['time', 'diverge_at', 'looked_at', 'compacted_at'];
  const named = /^(start_time|end_time|timestamp|[a-z_]+_at)$/;
  expect([...moments].filter((name) => !others.includes(name) && !named.test(name))).toEqual([]);
});

test('every route that is served is described', () => {
  const { engine, services } = background.app;
  const guard = { hosts: undefined, keys: accessKeys('x') };
  const app = createHttpApp({ engine, services, guard, url: (path) => path, log: () => {} });
  const served = app.routes
    .filter(({ method, path }) => path.startsWith('/api/') && !['ALL', 'HEAD'].includes(method))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const known = new Set(all.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
  expect([...new Set(served)].filter((route) => !known.has(route))).toEqual([]);
  expect(served.length).toBeGreaterThan(70);
});

test('a client generated from it compiles, and calls 25 routes', async () => {
  const here = 'test/rest-client';
  const generator = spawn(process.execPath, [join(here, 'generate.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  generator.stdin.end(JSON.stringify(document));
  await pipeline(generator.stdout, createWriteStream(join(here, 'schema.d.ts')));
  const compiled = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', here]);
  await compiled.catch((error: { stdout: string }) => expect(error.stdout).toBe(''));
  // Compiled above by its own settings; the address is not a literal, so that ours do not look at it.
  const calls = pathToFileURL(resolve(here, 'calls.ts')).href;
  const { callEverything } = (await import(calls)) as {
    callEverything(place: Record<string, string>): Promise<Record<string, unknown>>;
  };
  const answers = await callEverything({
    base: `http://127.0.0.1:${background.port}`,
    token: background.token,
    folder,
    session: SESSION,
  });
  expect(answers).toMatchObject({
    indexes: true,
    index: true,
    job: 'done',
    jobs: true,
    search: true,
    cd: ['retry.ts'],
    selection: 'sources',
    sessions: [SESSION.slice(0, 8)],
    event: true,
    health: true,
    audit: 2,
    matches: expect.stringContaining('withRetries'),
    missing: 'index_not_found',
  });
  for (const [name, answer] of Object.entries(answers))
    expect(typeof answer === 'number' ? answer < 400 : answer !== undefined, name).toBe(true);
});
