import { realpathSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { startBackground } from './background.ts';

const home = temporaryFolder();
const background = await startBackground({
  home,
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (background === undefined) throw new Error('no background process');
afterAll(() => background.stop());

test('a second background process for the same data is refused', async () => {
  expect(
    await startBackground({ home, host: '127.0.0.1', port: 0, strictPort: true, idleMs: undefined }),
  ).toBeUndefined();
});

test('a free port replaces one that is taken, unless the port was asked for', async () => {
  const other = await startBackground({
    home: temporaryFolder(),
    host: '127.0.0.1',
    port: background.port,
    strictPort: false,
    idleMs: undefined,
  });
  expect(other?.port).not.toBe(background.port);
  await other?.stop();
  await expect(
    startBackground({
      home: temporaryFolder(),
      host: '127.0.0.1',
      port: background.port,
      strictPort: true,
      idleMs: undefined,
    }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: `Port ${background.port} is taken. Choose another one with --port.`,
  });
});

test('a folder to allow may be read as soon as the server can be reached', async () => {
  const folder = temporaryFolder();
  const started = await startBackground({
    home: temporaryFolder(),
    host: '127.0.0.1',
    port: 0,
    strictPort: true,
    idleMs: undefined,
    allow: folder,
  });
  const answer = await fetch(`http://127.0.0.1:${started?.port}/api/cd?path=${encodeURIComponent(folder)}`, {
    headers: { authorization: `Bearer ${started?.token}` },
  });
  expect(answer.status).toBe(200);
  expect(started?.newlyAllowed).toBe(realpathSync(folder));
  await started?.stop();
});
