import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { routesOf } from '../../src/http/routes.ts';
import { claude, lines, writeLog } from '../fixtures/sessions/logs.ts';
import { MAIN, processHome } from '../processes.ts';
import { temporaryFolder } from '../support.ts';
import { networkCalls, requireStrace, tracedBy } from './traced.ts';

/* Every operation through every door, indexing included: nothing connects to another machine. */

requireStrace();
const place = processHome();
const root = realpathSync(temporaryFolder());
const SESSION = 'aaaaaaaa-1111-4111-8111-111111111111';
mkdirSync(join(root, 'src'));
for (let n = 0; n < 40; n++)
  writeFileSync(
    join(root, 'src', `file${n}.ts`),
    `// See https://example.com/${n}\nimport 'left-pad';\n/** Finds it. */\nexport function needle${n}() {}\n`,
  );
writeFileSync(join(root, 'package.json'), '{"name":"x","repository":"https://example.com/x.git"}');
writeLog(
  join(place.home, '.claude/projects/p', `${SESSION}.jsonl`),
  lines([claude({ id: SESSION, cwd: root }).prompt('a needle at https://example.com/log')]),
);

/** A value for any input by its name; what does not fit is refused, which is an answer too. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ path: root, root, under: root, file: join(root, 'src/file1.ts'), folder: root },
  ...{ pattern: 'needle', query: 'needle', name: 'needle1', error: 'Error: needle' },
  ...{ session_id: SESSION, a: SESSION, b: SESSION, turn_index: 0, event_index: 0, index_id: 'i1' },
  ...{ node_id: 'i1:n1', selection_id: 's1', query_id: 'q1', plan_id: 'p1', job_id: 'j1', shell: 'sh1' },
};

function inputOf(operation: Operation<never>): Record<string, unknown> {
  const fields = Object.entries(operation.input.shape).flatMap(([name, schema]) =>
    !schema.safeParse(undefined).success || ['path', 'under'].includes(name) ? [name] : [],
  );
  if (operation.name === 'sql') return { query: 'select count(*) from files' };
  return Object.fromEntries(fields.map((name) => [name, VALUES[name] ?? 'x']));
}

/** Changes that would end the work of the others. */
const CHANGES: ReadonlySet<string> = new Set(['disk_index_delete', 'disk_plan_run', 'allow']);
const asked = OPERATIONS.filter(({ name }) => !CHANGES.has(name));

/** Runs a command under strace to its end. */
function traced(file: string, words: readonly string[]): Promise<void> {
  const [command, ...args] = [...tracedBy(file), process.execPath, MAIN, ...words];
  return new Promise((resolve) => {
    execFile(command, args, { env: place.env, cwd: root, maxBuffer: 1 << 26 }, () => resolve());
  });
}

test('no operation connects to another machine, whatever the door', async () => {
  const trace = join(temporaryFolder(), 'trace');
  // Under strace, a command that starts the background process would not end before it does.
  const [tracer, ...rest] = [...tracedBy(trace), process.execPath, MAIN, 'start', root, '--port', '0'];
  const started = spawn(tracer, rest, { env: place.env, cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  for await (const chunk of started.stdout) {
    said += chunk;
    if (said.includes('code index of')) break;
  }
  expect(said).toMatch(/disk index of .*: done[\s\S]*code index of .*: done/);
  const { port } = place.background();
  const base = `http://127.0.0.1:${port}`;

  let answered = 0;
  for (const { method, path, when, operation } of routesOf(asked)) {
    const input = inputOf(operation);
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(VALUES[name])));
    const url = new URL(base + target);
    for (const [name, value] of Object.entries({ ...when, ...(method === 'GET' ? input : {}) }))
      url.searchParams.set(name, String(value));
    const body = method === 'GET' ? {} : { body: JSON.stringify(input) };
    const headers = { ...place.script(), 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, ...body });
    await response.text();
    if (response.ok) answered++;
  }
  expect(answered).toBeGreaterThan(asked.length / 2);
  for (const path of ['/', '/code', '/sessions', '/api/openapi.json', '/healthz'])
    await (await fetch(base + path, { headers: place.script() })).text();

  const http = new Client({ name: 'network', version: '1' });
  await http.connect(
    new StreamableHTTPClientTransport(new URL(`${base}/mcp?toolsets=all`), {
      requestInit: { headers: place.script() },
    }),
  );
  const stdio = new Client({ name: 'network', version: '1' });
  const [command, ...args] = [...tracedBy(trace), process.execPath, MAIN, 'mcp', '--toolsets', 'all'];
  await stdio.connect(
    new StdioClientTransport({ command, args, env: place.env, cwd: root, stderr: 'ignore' }),
  );
  for (const client of [http, stdio]) {
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(20);
    for (const operation of asked.filter(({ name }) => tools.some((tool) => tool.name === name)))
      await client.callTool({ name: operation.name, arguments: inputOf(operation) });
    await client.close();
  }

  const commands = asked.flatMap((operation) => {
    const { command: typed } = operation;
    if (typed === undefined) return [];
    const { positional = [] } = typed;
    const input = Object.entries(inputOf(operation));
    const first = positional.flatMap((name) =>
      input.flatMap(([field, value]) => (field === name ? [String(value)] : [])),
    );
    const flags = input.flatMap(([name, value]) =>
      positional.includes(name) ? [] : [`--${name.replaceAll('_', '-')}`, String(value)],
    );
    return [[...typed.words.split(' '), ...first, ...flags]];
  });
  expect(commands.length).toBeGreaterThan(20);
  for (const words of [...commands, ['grep', 'needle'], ['doctor'], ['logs'], ['token'], ['stop']])
    await traced(trace, words);

  const { all, connects, away } = networkCalls(trace);
  console.log(
    `${asked.length} operations: ${routesOf(asked).length} REST routes, MCP over HTTP and stdio, ${commands.length} commands; ${all} calls about the network, ${connects} connections, ${away.length} to another machine`,
  );
  expect(away).toEqual([]);
  // It was watched: commands and the bridge reached the background process through its socket.
  expect(readFileSync(trace, 'utf8')).toMatch(/connect\(.*AF_UNIX.*background\.sock/);
});
