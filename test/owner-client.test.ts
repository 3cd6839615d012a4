import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callOwner } from '../src/daemon/http-client.ts';
import { readOwner } from '../src/daemon/owner-file.ts';
import { MAIN, processHome } from './processes.ts';

const { home, env } = processHome();

// An error that nobody listens to would end this process, and fail this file.
test('a connection that breaks while a body is sent fails that call and nothing else', async () => {
  execFileSync(process.execPath, [MAIN, 'health'], { env });
  const owner = readOwner(home);
  if (owner === undefined) throw new Error('there is no owner');
  const send = (bytes: number) => callOwner(owner, 'POST', '/internal/run', { text: 'x'.repeat(bytes) });
  for (let i = 0; i < 4; i++) {
    const large = await send(5_000_000).catch((error: NodeJS.ErrnoException) => error.code);
    if (typeof large === 'object') {
      expect(large.status).toBe(413);
      expect(JSON.parse(large.body).error.code).toBe('invalid_parameter');
    } else expect(['EPIPE', 'ECONNRESET']).toContain(large);
    for (let j = 0; j < 3; j++) {
      // One that is sent on a connection that is about to close fails, too; the callers repeat it.
      const small = await callOwner(owner, 'GET', '/internal/hello').catch((error: Error) => error);
      if (!(small instanceof Error)) expect(small.status).toBe(200);
    }
    await send(2_000_000).catch(() => {});
  }
  await expect
    .poll(() => callOwner(owner, 'GET', '/internal/hello').then(({ status }) => status, String))
    .toBe(200);
});
