import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Child } from './child.ts';
import type { CallContext } from './messages.ts';
import { type Remote, RemoteEnded, type RemoteOptions } from './remote.ts';
import { Thread } from './thread.ts';

type TryMethods = {
  add(numbers: { a: number; b: number }): number;
  fail(message: string): never;
  count(to: number, context: CallContext<number>): Promise<number>;
  until(_: undefined, context: CallContext<string>): Promise<never>;
  block(ms: number): void;
  size(bytes: ArrayBuffer): number;
  announce(news: string): void;
  die(code: number): void;
};

/** Runs in the other thread or process. */
const WORKER = `
  import { serve } from ${JSON.stringify(join(import.meta.dirname, 'serve.ts'))};
  class TooMuch extends Error { name = 'TooMuch'; }
  const tell = serve({
    add: ({ a, b }) => a + b,
    fail: (message) => { throw new TooMuch(message); },
    async count(to, { tell }) { for (let i = 1; i <= to; i++) tell(i); return to; },
    until: (_, { signal, tell }) => new Promise((_, reject) => {
      tell('begun');
      signal.addEventListener('abort', () => { tell('gave up'); reject(signal.reason); });
    }),
    block: (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); },
    size: (bytes) => bytes.byteLength,
    announce: (news) => tell(news),
    die: (code) => process.exit(code),
  });
`;

let folder = '';
let source = new URL('file:///');
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pinhole-threads-'));
  mkdirSync(join(folder, 'workers'));
  await build({
    stdin: { contents: WORKER, resolveDir: folder },
    outfile: join(folder, 'workers', 'try.worker.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  source = pathToFileURL(join(folder, 'try.worker.ts'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const open: Remote<TryMethods, string>[] = [];
afterEach(async () => {
  for (const remote of open.splice(0)) await remote.stop();
});

const kinds = {
  thread: (options: RemoteOptions<string>) => new Thread<TryMethods, string>(source, options),
  process: (options: RemoteOptions<string>) => new Child<TryMethods, string>(source, options),
};

describe.each(['thread', 'process'] as const)('a %s', (kind) => {
  const start = (options: RemoteOptions<string> = {}) => {
    const remote = kinds[kind](options);
    open.push(remote);
    return remote;
  };

  it('answers calls in their order', async () => {
    const remote = start();
    expect(remote.running).toBe(false);
    const sums = [1, 2, 3].map((a) => remote.call('add', { a, b: 10 }));
    expect(remote.busy).toBe(true);
    expect(await Promise.all(sums)).toEqual([11, 12, 13]);
    expect([remote.busy, remote.running]).toEqual([false, true]);
  });

  it('hands errors over with their name', async () => {
    const remote = start();
    await expect(remote.call('fail', 'no')).rejects.toMatchObject({ name: 'TooMuch', message: 'no' });
    expect(await remote.call('add', { a: 1, b: 1 })).toBe(2);
  });

  it('tells events before the answer, and news without a call', async () => {
    const news: string[] = [];
    const remote = start({ onNews: (text) => news.push(text) });
    const events: number[] = [];
    expect(await remote.call('count', 3, { onEvent: (event) => events.push(event) })).toBe(3);
    expect(events).toEqual([1, 2, 3]);
    await remote.call('announce', 'hello');
    expect(news).toEqual(['hello']);
  });

  it('a cancelled call gives up and rejects with the reason', async () => {
    const remote = start();
    const abort = new AbortController();
    const events: string[] = [];
    const reason = new Error('not needed');
    const call = remote.call('until', undefined, {
      signal: abort.signal,
      onEvent: (event) => {
        events.push(event);
        abort.abort(reason);
      },
    });
    await expect(call).rejects.toBe(reason);
    expect(events).toEqual(['begun', 'gave up']);
    await expect(remote.call('add', { a: 1, b: 1 }, { signal: abort.signal })).rejects.toBe(reason);
    expect(await remote.call('add', { a: 1, b: 1 })).toBe(2);
  });

  it('work that does not look at its signal is ended', async () => {
    const remote = start({ endOnCancel: true });
    await remote.call('add', { a: 1, b: 1 });
    const started = performance.now();
    await expect(remote.call('block', 20_000, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(remote.running).toBe(false);
  });

  it('its death is reported to everybody who waits; the next call starts another', async () => {
    let gone = 0;
    const remote = start({ onGone: () => gone++ });
    const calls = [remote.call('die', 3), remote.call('add', { a: 1, b: 1 })];
    for (const call of calls) await expect(call).rejects.toThrow(/ended with 3/);
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(RemoteEnded);
    expect(gone).toBe(1);
    expect(await remote.call('add', { a: 1, b: 1 })).toBe(2);
  });

  it('ends when it is stopped, after one call, and when it is idle', async () => {
    const stopped = start();
    const call = stopped.call('until', undefined);
    await Promise.all([expect(call).rejects.toBeInstanceOf(RemoteEnded), stopped.stop()]);
    const once = start();
    expect(await once.once('add', { a: 2, b: 2 })).toBe(4);
    expect(once.running).toBe(false);
    const idle = start({ idleMs: 20 });
    await idle.call('add', { a: 1, b: 1 });
    await expect.poll(() => idle.running).toBe(false);
  });

  it('what cannot be sent rejects that call only', async () => {
    const remote = start();
    const wrong = { a: 1, b: 1, toString: () => '' };
    await expect(remote.call('add', wrong)).rejects.toThrow(/could not be cloned/);
    expect(await remote.call('add', { a: 1, b: 1 })).toBe(2);
  });
});

it('memory moves to a thread', async () => {
  const remote = new Thread<TryMethods, string>(source);
  open.push(remote);
  const bytes = new ArrayBuffer(1 << 16);
  expect(await remote.call('size', bytes, { transfer: [bytes] })).toBe(1 << 16);
  expect(bytes.byteLength).toBe(0);
});
