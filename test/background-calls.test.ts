import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readBackgroundRecord } from '../src/connect/background-record.ts';
import { callBackground } from '../src/connect/call-background.ts';
import { MAIN, processHome } from './processes.ts';

const { home, env } = processHome();

// An error that nobody listens to would end this process, and fail this file.
test('a connection that breaks while a body is sent fails that call and nothing else', async () => {
  execFileSync(process.execPath, [MAIN, 'health'], { env });
  const background = readBackgroundRecord(home);
  if (background === undefined) throw new Error('no background process');
  const send = (bytes: number) =>
    callBackground(background, 'POST', '/internal/run', { text: 'x'.repeat(bytes) });
  for (let i = 0; i < 4; i++) {
    const large = await send(5_000_000).catch((error: NodeJS.ErrnoException) => error.code);
    if (typeof large === 'object') {
      expect(large.status).toBe(413);
      expect(JSON.parse(large.body).error.code).toBe('invalid_parameter');
    } else expect(['EPIPE', 'ECONNRESET']).toContain(large);
    for (let j = 0; j < 3; j++) {
      // One that is sent on a connection that is about to close fails, too; the callers repeat it.
      const small = await callBackground(background, 'GET', '/internal/hello').catch((error: Error) => error);
      if (!(small instanceof Error)) expect(small.status).toBe(200);
    }
    await send(2_000_000).catch(() => {});
  }
  await expect
    .poll(() => callBackground(background, 'GET', '/internal/hello').then(({ status }) => status, String))
    .toBe(200);
});
