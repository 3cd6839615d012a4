import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { JSON_ANSWERS, MAIN, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

const place = processHome();
const root = temporaryFolder();
const bridges: ChildProcessWithoutNullStreams[] = [];
afterAll(() => {
  for (const bridge of bridges) bridge.kill('SIGKILL');
});

interface Reply {
  readonly id: number | null;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
}

test('requests from a file are all answered before it ends', async () => {
  const bridge = spawn(process.execPath, [MAIN, 'mcp'], { env: place.env, cwd: root });
  bridges.push(bridge);
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'file', version: '1' },
  };
  const call = { name: 'sql', arguments: { query: 'select 6 * 7 as answer' } };
  const messages = [
    { id: 1, method: 'initialize', params: initialize },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: call },
  ];
  bridge.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  const lines: Reply[] = [];
  for await (const line of createInterface({ input: bridge.stdout })) lines.push(JSON.parse(line));
  expect(lines.map(({ id }) => id)).toEqual([1, 2]);
  expect(lines[1]?.result?.content[0]?.text).toBe('answer\n42');
});

/** A real `pinhole mcp` that is sent raw lines: the official client would not send some of these. */
async function startBridge() {
  const bridge = spawn(process.execPath, [MAIN, 'mcp', ...JSON_ANSWERS], { env: place.env, cwd: root });
  bridges.push(bridge);
  const said: string[] = [];
  bridge.stderr.on('data', (chunk) => said.push(String(chunk)));
  const replies: Reply[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: bridge.stdout }).on('line', (line) => {
    replies.push(JSON.parse(line));
    for (const wake of waiting) wake();
  });
  bridge.on('exit', () => {
    for (const wake of waiting) wake();
  });
  bridge.stdin.on('error', () => {});
  const reply = async (id: number | null): Promise<Reply> => {
    for (;;) {
      const found = replies.find((one) => one.id === id);
      if (found) return found;
      if (bridge.exitCode !== null) throw new Error(`pinhole mcp ended with ${bridge.exitCode}: ${said}`);
      await new Promise<void>((wake) => waiting.add(wake));
    }
  };
  const send = (line: string) => void bridge.stdin.write(`${line}\n`);
  let next = 1;
  const call = (name: string, input: unknown) => {
    const id = next++;
    send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } }));
    return reply(id);
  };
  send(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    }),
  );
  await reply(0);
  send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return { call, send, reply, bridge };
}

const errorOf = ({ result }: Reply) => JSON.parse(result?.content[0]?.text ?? '{}').error;

describe('pinhole mcp and calls that are too large', () => {
  test('5 MB, three small calls, 2 MB, a message of 11 MB, then an ordinary call', async () => {
    const { call, send, reply, bridge } = await startBridge();
    const huge = await call('cd', { path: 'x'.repeat(5_000_000) });
    expect(errorOf(huge)).toEqual({
      code: 'invalid_parameter',
      message: 'The arguments of a call must be at most 1,000,000 bytes of JSON in all. Send less.',
      retryable: false,
    });
    for (let i = 0; i < 3; i++) expect((await call('cd', { path: root })).result?.isError).toBeUndefined();
    expect(errorOf(await call('cd', { path: 'y'.repeat(2_000_000) })).code).toBe('invalid_parameter');
    expect(errorOf(await call('cd', { path: 'z'.repeat(1_000_001) })).code).toBe('invalid_parameter');
    const filler = 'm'.repeat(11_000_000);
    send(
      `{"jsonrpc":"2.0","id":91,"method":"tools/call","params":{"name":"cd","arguments":{"path":"${filler}"}}}`,
    );
    expect((await reply(91)).error).toEqual({
      code: -32600,
      message: 'A message must be at most 8,000,000 bytes. Send less.',
    });
    // Some clients write the id last.
    send(
      `{"method":"tools/call","params":{"id":5,"name":"cd","arguments":{"path":"\\"id\\":6${filler}"}},"jsonrpc":"2.0","id":92}`,
    );
    expect((await reply(92)).error?.code).toBe(-32600);
    const after = await call('cd', { path: root });
    expect(JSON.parse(after.result?.content[0]?.text ?? '').data.cwd).toBe(root);
    expect(bridge.exitCode).toBeNull();
  });

  test.each([101, 5_000, 100_000])('a filter nested %i deep', async (depth) => {
    const { call, send, reply } = await startBridge();
    const filter = `${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const params = `{"name":"cd","arguments":{"filter":${filter}}}`;
    send(`{"jsonrpc":"2.0","id":77,"method":"tools/call","params":${params}}`);
    expect(errorOf(await reply(77))).toEqual({
      code: 'invalid_parameter',
      message: 'The arguments of a call must be nested at most 100 levels deep.',
      retryable: false,
    });
    expect((await call('cd', { path: root })).result?.isError).toBeUndefined();
  });

  test('just within the limit it is an ordinary call', async () => {
    const { call } = await startBridge();
    const error = errorOf(await call('cd', { path: 'x'.repeat(999_000) }));
    expect(error.message).not.toContain('1,000,000');
    expect(error.message).not.toContain('background process');
  });
});
