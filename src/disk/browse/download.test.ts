import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { createRoots } from '../../contract/roots.ts';
import { openDownload, parseRange } from './download.ts';

const base = emptyFolder();
const root = join(base, 'root');
const outside = join(base, 'outside');
mkdirSync(join(root, 'real'), { recursive: true });
mkdirSync(outside);
writeFileSync(join(root, 'real/file'), 'inside');
writeFileSync(join(outside, 'file'), 'SECRET');
writeFileSync(join(root, 'digits'), '0123456789');
const roots = await createRoots([root]);

async function read(path: string): Promise<string> {
  const { handle } = await openDownload(roots, path);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Swaps, as fast as it can, what lies at `place` between inside and outside, until it is told to stop. */
const ATTACKER = `
  const fs = require('node:fs');
  const [place, inside, outside] = process.argv.slice(2);
  let swaps = 0;
  process.on('message', () => { process.send(swaps); process.exit(0); });
  (function swap() {
    for (let i = 0; i < 200; i++) {
      const target = i & 1 ? inside : outside;
      fs.symlinkSync(target, place + '.new');
      fs.renameSync(place + '.new', place);
      swaps++;
    }
    setImmediate(swap);
  })();
  process.send('ready');
`;

describe('an attacker who swaps links while files are read', () => {
  test.each([
    ['the file itself', 'swapped', 'real/file', 'file', 'swapped'],
    ['a folder on the way', 'way', 'real', '.', 'way/file'],
  ])('%s: 10,000 reads, not one byte from outside', async (_what, place, inside, beyond, path) => {
    const script = join(base, `attacker-${place}.cjs`);
    writeFileSync(script, ATTACKER);
    const attacker = fork(script, [join(root, place), join(root, inside), join(outside, beyond)]);
    afterAll(() => attacker.kill());
    await new Promise((resolve) => attacker.once('message', resolve));
    const seen = { inside: 0, refused: 0, leaked: 0 };
    for (let i = 0; i < 10_000; i++) {
      const text = await read(join(root, path)).catch(() => undefined);
      if (text === undefined) seen.refused++;
      else if (text === 'inside') seen.inside++;
      else seen.leaked++;
    }
    const swaps = await new Promise<number>((resolve) => {
      attacker.once('message', (count) => resolve(Number(count)));
      attacker.send('stop');
    });
    rmSync(join(root, place));
    expect(seen.leaked).toBe(0);
    // The race was real: both kinds of answers came, and links were swapped all the time.
    expect(seen.inside).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
    expect(swaps).toBeGreaterThan(100);
  });
});

describe('what may be opened', () => {
  test('a link that stays inside is followed, one that leaves is refused', async () => {
    symlinkSync(join(root, 'real/file'), join(root, 'good'));
    symlinkSync(join(outside, 'file'), join(root, 'bad'));
    expect(await read(join(root, 'good'))).toBe('inside');
    await expect(read(join(root, 'bad'))).rejects.toMatchObject({ code: 'path_not_allowed' });
    await expect(read(join(outside, 'file'))).rejects.toMatchObject({ code: 'path_not_allowed' });
    await expect(read(`${root}/../outside/file`)).rejects.toMatchObject({ code: 'path_not_allowed' });
  });

  test('folders and pipes are not files', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(read(join(root, 'real'))).rejects.toMatchObject({ code: 'invalid_parameter' });
    await expect(read(join(root, 'pipe'))).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  test('a range is sent as asked for', async () => {
    const { handle, start, end, part, size } = await openDownload(roots, join(root, 'digits'), {
      range: 'bytes=2-4',
    });
    await handle.close();
    expect({ start, end, part, size }).toEqual({ start: 2, end: 4, part: 'partial', size: 10 });
  });
});

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=5-', { start: 5, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=3-99', { start: 3, end: 9 }],
  ['bytes=10-', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=10-12', 'outside'],
  ['Bytes=0-0', { start: 0, end: 0 }],
  ['bytes=5-4', undefined],
  ['bytes=12-11', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['lines=1-2', undefined],
])('%s of ten bytes', (header, expected) => {
  expect(parseRange(header, 10)).toEqual(expected);
});

test('an empty file has no first byte, and its last bytes are all of it', () => {
  expect(parseRange('bytes=0-', 0)).toBe('outside');
  expect(parseRange('bytes=-5', 0)).toBeUndefined();
});
