import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { usableDataFolder } from './home.ts';

const before = process.env.PINHOLE_HOME;
afterEach(() => {
  if (before === undefined) delete process.env.PINHOLE_HOME;
  else process.env.PINHOLE_HOME = before;
});

const used = (home: string) => {
  process.env.PINHOLE_HOME = home;
  return usableDataFolder();
};

test('a data folder that is missing is created with the folders above it', () => {
  const home = join(temporaryFolder(), 'a', 'b');
  expect(used(home)).toBe(home);
});

test('a link of our own to a folder of our own is fine', () => {
  const folder = temporaryFolder();
  const link = join(folder, 'link');
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), link);
  expect(used(link)).toBe(link);
});

const STRANGER = 65_534;
if (process.getuid?.() !== 0) process.stderr.write('Not root: folders of other users are not tested.\n');
describe.skipIf(process.getuid?.() !== 0)('a data folder that another user controls is refused', () => {
  test('a link of theirs', () => {
    const folder = temporaryFolder();
    const link = join(folder, 'link');
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), link);
    lchownSync(link, STRANGER, STRANGER);
    expect(() => used(link)).toThrow(
      `The data folder ${link} is a link that belongs to another user. Set PINHOLE_HOME to a folder of your own.`,
    );
  });

  test('a folder of theirs that everybody can write to', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    chownSync(folder, STRANGER, STRANGER);
    expect(() => used(folder)).toThrow('is open to its owner, another user, and to others');
  });
});
