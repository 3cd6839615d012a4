import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations.ts';
import { startBackground } from '../../src/daemon/background.ts';
import { routesOf } from '../../src/http/routes.ts';
import { MAIN, processHome } from '../processes.ts';
import { counted, tries } from '../reliability/counted.ts';
import { scriptHeaders } from '../sign-in.ts';
import { temporaryFolder } from '../support.ts';
import { oddText, oddValue } from './odd-values.ts';

/* Random bytes, messages and parameters at the outermost doors: each is answered, and the next call works. */

const RUNS = tries('PINHOLE_FUZZ', 40);
const background = await startBackground({
  home: temporaryFolder(),
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (background === undefined) throw new Error('no background process');
afterAll(() => background.stop());
const base = `http://127.0.0.1:${background.port}`;
const token = scriptHeaders(background);

const text = oddText();
const value = oddValue();
const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
const json = fc.json({ maxDepth: 6 }).map((one) => Buffer.from(one));
/** Messages that are almost right. */
const message = fc
  .record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), text, fc.constant(null), fc.double()),
      method: fc.oneof(
        fc.constantFrom(
          ...[
            'tools/call',
            'tools/list',
            'initialize',
            'ping',
            'resources/read',
            'prompts/get',
            'logging/setLevel',
          ],
          ...[
            'notifications/cancelled',
            'notifications/initialized',
            'completion/complete',
            'sampling/createMessage',
          ],
        ),
        text,
      ),
      params: fc.oneof(
        value,
        fc.record({
          name: fc.oneof(fc.constantFrom(...OPERATIONS.map(({ name }) => name)), text),
          arguments: fc.oneof(value, fc.dictionary(text, value, { maxKeys: 4 })),
          _meta: value,
        }),
      ),
    },
    { requiredKeys: [] },
  )
  .map((one) => Buffer.from(JSON.stringify(one)));
const batch = fc.array(message, { maxLength: 3 }).map((all) => Buffer.from(`[${all.join(',')}]`));
const anything = fc.oneof(noise, json, { arbitrary: message, weight: 4 }, batch);

/** How many cases were tried; an exception names the one that failed. */
async function each<T>(
  cases: fc.Arbitrary<T>,
  runs: number,
  attack: (one: T) => Promise<void>,
): Promise<number> {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      await attack(one);
      tried++;
    }),
    { numRuns: runs },
  );
  return tried;
}

const healthy = async () =>
  (await fetch(`${base}/api/health`, { headers: { ...token, connection: 'close' } })).status === 200;

test('random parameters of every REST route', async ({ task }) => {
  const routes = routesOf(OPERATIONS).filter(({ path }) => path !== '/api/health');
  const request = fc.constantFrom(...routes).chain(({ method, path, operation }) => {
    const fields = [...Object.keys(operation.input.shape), 'format', 'cursor', 'unknown'];
    return fc.record({
      method: fc.constant(method),
      path: fc.constant(path),
      part: text,
      query: fc.array(fc.tuple(fc.constantFrom(...fields), text), { maxLength: 4 }),
      body: fc.oneof(noise, json, fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 4 })),
    });
  });
  const tried = await each(request, RUNS * 4, async ({ method, path, part, query, body }) => {
    const place = path.replace(
      /\{\w+\}/g,
      encodeURIComponent(part.toWellFormed()).replaceAll('.', '%2e') || 'x',
    );
    const search = new URLSearchParams(
      query.map(([name, one]): [string, string] => [name, one.toWellFormed()]),
    );
    const sent = body instanceof Buffer ? body : Buffer.from(JSON.stringify(body));
    const response = await fetch(`${base}${place}?${search}`, {
      method,
      headers: { ...token, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: new Uint8Array(sent) }),
    });
    const answer = await response.text();
    expect(response.status, `${method} ${place}?${search} ${sent}: ${answer}`).toBeLessThan(500);
    if (/json/.test(response.headers.get('content-type') ?? '') && !answer.includes('\n{'))
      JSON.parse(answer);
  });
  expect(await healthy()).toBe(true);
  counted(task, tried, tried);
});

test('random bytes and messages to MCP over HTTP', async ({ task }) => {
  const headers = fc.record({
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-16'),
    accept: fc.constantFrom('application/json, text/event-stream', 'application/json', '*/*'),
  });
  const tried = await each(fc.tuple(anything, headers), RUNS * 2, async ([body, sent]) => {
    const response = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: { ...token, ...sent },
      body: new Uint8Array(body),
    });
    const answer = await response.text();
    expect(response.status, `${body}: ${answer}`).toBeLessThan(500);
  });
  expect(await healthy()).toBe(true);
  counted(task, tried, tried);
});

test('random bytes to the port', async ({ task }) => {
  const first = fc.constantFrom(
    '',
    'GET ',
    'POST /mcp HTTP/1.1\r\n',
    'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n',
    '\x16\x03\x01',
  );
  const tried = await each(fc.tuple(first, noise), RUNS * 2, async ([head, rest]) => {
    const socket = connect(background.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.end(Buffer.concat([Buffer.from(head, 'latin1'), rest]));
    await once(socket, 'close');
  });
  expect(await healthy()).toBe(true);
  counted(task, tried, tried);
});

test('random bytes and messages to pinhole mcp', async ({ task }) => {
  const place = processHome();
  const child = spawn(process.execPath, [MAIN, 'mcp'], { cwd: place.home, env: place.env });
  const waiting = new Map<unknown, (answer: { readonly result?: unknown }) => void>();
  const wrong: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      const answer = JSON.parse(line);
      for (const one of Array.isArray(answer) ? answer : [answer]) waiting.get(one.id)?.(one);
    } catch {
      wrong.push(line);
    }
  });
  child.stderr.resume();
  let calls = 0;
  const ask = (method: string, params: object) =>
    new Promise<{ readonly result?: unknown }>((resolve, reject) => {
      const id = `mine ${calls++}`;
      waiting.set(id, resolve);
      child.once('exit', (code) => reject(new Error(`pinhole mcp ended with ${code}`)));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  child.setMaxListeners(0);
  const clientInfo = { name: 'fuzz', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const several = fc.array(anything, { minLength: 10, maxLength: 10 });
  const tried = await each(several, Math.ceil(RUNS / 8), async (all) => {
    for (const one of all) child.stdin.write(Buffer.concat([one, Buffer.from('\n')]));
    const answer = await ask('tools/call', { name: 'list_sessions', arguments: {} });
    expect(answer.result, all.join('\n')).toBeDefined();
  });
  expect(wrong).toEqual([]);
  child.stdin.end();
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  counted(task, tried * 10, tried * 10);
});
