import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { readBackgroundRecord } from '../connect/background-record.ts';
import { findBackground } from '../connect/find-background.ts';
import { startBackground } from './background.ts';

async function shared(host: string) {
  const home = temporaryFolder();
  const background = await startBackground({ home, host, port: 0, strictPort: true, idleMs: undefined });
  if (background === undefined) throw new Error('no background process');
  afterAll(() => background.stop());
  const ask = (address: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((done, failed) => {
      const req = request({ host: address, port: background.port, path: '/api/health', headers }, (res) => {
        res.resume();
        done(res.statusCode);
      });
      req.on('error', failed);
      req.end();
    });
  return { home, background, ask, token: { authorization: `Bearer ${background.token}` } };
}

test('listening for others: any name of this machine, but only with the token', async () => {
  const { home, background, ask, token } = await shared('0.0.0.0');
  expect(await ask('127.0.0.1', { host: 'box.example' })).toBe(401);
  expect(await ask('127.0.0.1', { host: 'localhost' })).toBe(401);
  expect(await ask('127.0.0.1', { host: 'box.example', ...token })).toBe(200);
  expect(await ask('127.0.0.1', { host: 'box.example', ...token, origin: 'https://evil.example' })).toBe(403);
  expect(readBackgroundRecord(home)?.host).toBe('127.0.0.1');
  expect((await findBackground(home))?.port).toBe(background.port);
});

// A machine without any network has no such address.
const [outside] = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4');

test.runIf(outside !== undefined)('on one address: commands of this machine find it there', async () => {
  const address = outside?.address ?? '';
  const { home, background, ask, token } = await shared(address);
  expect(await ask(address, {})).toBe(401);
  expect(await ask(address, token)).toBe(200);
  expect((await findBackground(home))?.port).toBe(background.port);
});
