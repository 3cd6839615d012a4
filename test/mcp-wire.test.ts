import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAIN, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

const place = processHome();
const root = realpathSync(temporaryFolder());
writeFileSync(join(root, 'a.txt'), 'a');

interface Message {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

/** A `pinhole mcp` whose every byte on standard output is seen. */
function start(...args: string[]) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [MAIN, 'mcp', ...args], {
    cwd: root,
    env: place.env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const message: Message = JSON.parse(line);
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  const stderr: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  let id = 0;
  return {
    child,
    lines,
    stderr: () => stderr.join(''),
    exit: once(child, 'exit').then(([code]) => code as number | null),
    write: (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    request(method: string, params: object = {}): { id: number; answer: Promise<Message> } {
      const mine = ++id;
      const answer = new Promise<Message>((resolve) => waiting.set(mine, resolve));
      this.write({ id: mine, method, params });
      return { id: mine, answer };
    },
    async handshake() {
      await this.request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'wire', version: '1' },
      }).answer;
      this.write({ method: 'notifications/initialized' });
    },
  };
}

describe('pinhole mcp as a process', () => {
  test('writes MCP and nothing else to standard output, and ends at end of input', async () => {
    const server = start();
    await server.handshake();
    server.child.stdin.write('this is not JSON\n');
    const { tools } = (await server.request('tools/list').answer).result ?? {};
    expect(tools).toContainEqual(expect.objectContaining({ name: 'regex_search' }));
    const { result } = await server.request('tools/call', { name: 'cd', arguments: { path: root } }).answer;
    expect(JSON.stringify(result)).toContain('a.txt');
    server.child.stdin.end();
    expect(await server.exit).toBe(0);
    expect(server.lines.length).toBeGreaterThanOrEqual(3);
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(server.stderr()).not.toContain('    at ');
  });

  test('ends at end of input even before a word was said', async () => {
    const server = start();
    server.child.stdin.end();
    expect(await server.exit).toBe(0);
    expect(server.lines).toEqual([]);
  });

  test('does not answer a cancelled call, and goes on with the next', async () => {
    const server = start();
    await server.handshake();
    const cancelled = server.request('tools/call', { name: 'cd', arguments: { path: root } });
    server.write({
      method: 'notifications/cancelled',
      params: { requestId: cancelled.id, reason: 'enough' },
    });
    const next = await server.request('tools/call', { name: 'cd', arguments: { path: root } }).answer;
    expect(JSON.stringify(next.result)).toContain('a.txt');
    expect(server.lines.some((line) => JSON.parse(line).id === cancelled.id)).toBe(false);
  });

  test.each([
    ['--toolsets', 'disk,kitchen', '--toolsets must be'],
    ['--format', 'xml', '--format must be text or json'],
    ['--structured', '--format=text', '--structured needs --format json'],
    ['--max-response-bytes', '12', 'from 2000 to 100000'],
  ])('%s %s is refused in words', async (flag, value, words) => {
    const server = start(flag, value);
    expect(await server.exit).toBe(2);
    expect(server.stderr()).toContain(words);
    expect(server.lines).toEqual([]);
  });
});
