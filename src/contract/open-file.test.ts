import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  isInPlace,
  listFolder,
  NotOpened,
  openFile,
  openFolder,
  openHandle,
  openUnplaced,
  readStart,
  readWhole,
  type Whereabouts,
} from './open-file.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-open-')));
const at = (...parts: string[]) => join(base, ...parts);
beforeAll(() => {
  mkdirSync(at('in/deep'), { recursive: true });
  mkdirSync(at('out'));
  writeFileSync(at('in/deep/file'), 'inside');
  writeFileSync(at('out/file'), 'outside');
  symlinkSync(at('in/deep/file'), at('in/link'));
  symlinkSync(at('out/file'), at('in/escape'));
  symlinkSync(at('out'), at('in/away'));
  symlinkSync(at('in'), at('entry'));
  symlinkSync('/dev/zero', at('in/zero'));
  execFileSync('mkfifo', [at('in/pipe')]);
});
afterAll(() => rmSync(base, { recursive: true }));

const read = (path: string | Buffer, where: Whereabouts) => {
  try {
    return readWhole(path, where, 100).toString();
  } catch (error) {
    return error instanceof NotOpened ? error.why : String((error as { code?: string }).code);
  }
};

describe('which files are opened', () => {
  it.each<[string, string, Whereabouts, string]>([
    ['a file', 'in/deep/file', 'exact', 'inside'],
    ['a link', 'in/link', 'exact', 'ELOOP'],
    ['a file behind a linked folder', 'in/away/file', 'exact', 'elsewhere'],
    ['a file below a folder that is a link', 'entry/deep/file', { below: at('entry') }, 'inside'],
    ['a link below it', 'entry/link', { below: at('entry') }, 'ELOOP'],
    ['a linked folder below it', 'entry/away/file', { below: at('entry') }, 'elsewhere'],
    ['a link that stays', 'in/link', { within: [at('in')] }, 'inside'],
    ['a link that leaves', 'in/escape', { within: [at('in')] }, 'elsewhere'],
    [
      'a link that leaves, to another allowed folder',
      'in/escape',
      { within: [at('in'), at('out')] },
      'outside',
    ],
    ['a link anywhere', 'in/escape', 'anywhere', 'outside'],
    ['a folder', 'in/deep', 'anywhere', 'kind'],
    ['a pipe', 'in/pipe', 'exact', 'kind'],
    ['a device', 'in/zero', 'anywhere', 'kind'],
    ['nothing', 'in/nothing', 'exact', 'ENOENT'],
  ])('%s', (_name, path, where, expected) => {
    expect(read(at(path), where)).toBe(expected);
    expect(read(Buffer.from(at(path)), where)).toBe(expected);
  });
});

it.skipIf(process.platform === 'win32')('a socket is no plain file', async () => {
  const path = at('in/socket');
  const server = createServer();
  await new Promise<void>((done) => void server.listen(path, done));
  expect(() => openFile(path, 'exact')).toThrow(NotOpened);
  await expect(openHandle(path, 'exact')).rejects.toThrow('not a plain file');
  await new Promise<void>((done) => void server.close(() => done()));
});

it('names that are no text', () => {
  const name = Buffer.concat([Buffer.from(at('in/')), Buffer.from([0xff, 0x41])]);
  writeFileSync(name, 'odd');
  expect(read(name, 'exact')).toBe('odd');
  unlinkSync(name);
});

it('no more bytes than are wanted', () => {
  expect(readStart(at('in/deep/file'), 'exact', 3).bytes.toString()).toBe('ins');
  expect(() => readWhole(at('in/deep/file'), 'exact', 5)).toThrow('larger than such a file may be');
  expect(readWhole(at('in/deep/file'), 'exact', 6).toString()).toBe('inside');
  // A file that tells no size.
  if (process.platform === 'linux')
    expect(readWhole('/proc/self/status', 'anywhere', 1 << 20).length).toBeGreaterThan(100);
});

it('a file that is replaced while it is open is still the one that was there', () => {
  writeFileSync(at('in/old'), 'old');
  const { fd } = openUnplaced(at('in/old'), 'exact');
  writeFileSync(at('in/new'), 'new');
  renameSync(at('in/new'), at('in/old'));
  expect(isInPlace(fd, at('in/old'), 'exact')).toBe(true);
  closeSync(fd);
});

it('a file that is moved while it is open is no longer in its place', () => {
  writeFileSync(at('in/here'), 'x');
  const { fd } = openUnplaced(at('in/here'), 'exact');
  renameSync(at('in/here'), at('in/there'));
  expect(isInPlace(fd, at('in/here'), 'exact')).toBe(false);
  closeSync(fd);
});

it('a folder stays the same whatever becomes of its path', () => {
  mkdirSync(at('in/shown'));
  writeFileSync(at('in/shown/a'), '');
  const folder = openFolder(at('in/shown'));
  renameSync(at('in/shown'), at('in/moved'));
  symlinkSync(at('out'), at('in/shown'));
  if (process.platform === 'linux') expect(readdirSync(folder.path)).toEqual(['a']);
  closeSync(folder.fd);
  expect(() => listFolder(at('in/shown'))).toThrow();
  expect(() => listFolder(at('in/away'))).toThrow();
  expect(listFolder(at('in/moved')).map(({ name }) => name)).toEqual(['a']);
});

it('descriptors of what is refused are closed', async () => {
  const count = () => readdirSync('/proc/self/fd').length;
  if (process.platform !== 'linux') return;
  const before = count();
  for (const path of ['in/pipe', 'in/zero', 'in/escape', 'in/deep'])
    for (let time = 0; time < 20; time++) {
      expect(() => openFile(at(path), { within: [at('in')] })).toThrow(NotOpened);
      if (path !== 'in/deep')
        await expect(openHandle(at(path), { within: [at('in')] })).rejects.toThrow(NotOpened);
    }
  expect(count()).toBeLessThan(before + 10);
});
