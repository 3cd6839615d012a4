import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { connectClient, MAIN, onlyText, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

/** Blocks the main thread of the background process for ever, once, when a file says so. */
const BLOCK = `
const { isMainThread } = require('node:worker_threads');
const fs = require('node:fs');
if (isMainThread && process.argv[2] === 'background')
  setInterval(() => {
    try { fs.unlinkSync(process.env.BLOCK_WHEN); } catch { return; }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }, 20).unref();`;

test('a main thread that hangs is ended, and the call that waited is answered by another', async () => {
  const place = processHome();
  const folder = temporaryFolder();
  const [preload, flag] = [join(folder, 'block.cjs'), join(folder, 'block-now')];
  writeFileSync(preload, BLOCK);
  const env = {
    ...place.env,
    NODE_OPTIONS: `--require ${preload}`,
    BLOCK_WHEN: flag,
    PINHOLE_WATCHDOG_SECONDS: '2',
  };
  const client = await connectClient({ env }, { cwd: folder });
  await client.callTool({ name: 'list_sessions', arguments: {} });
  const { pid } = place.background();
  writeFileSync(flag, '');
  await expect.poll(() => isThere(flag)).toBe(false);
  const answer = await client.callTool({ name: 'list_sessions', arguments: {} }, { timeout: 50_000 });
  expect(onlyText(answer)).toContain('No session');
  expect(place.background().pid).not.toBe(pid);
  expect(readFileSync(join(place.home, 'background.log'), 'utf8')).toContain(
    'the main thread did nothing for 2 s: ended by the watchdog',
  );
  await client.close();
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'stop'], { env: place.env });
  expect(stdout).toBe('Pinhole stopped.\n');
});

function isThere(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
