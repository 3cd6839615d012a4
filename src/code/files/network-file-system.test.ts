import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { isRemote, isRemoteKind } from './network-file-system.ts';

it('knows network file systems by their number, whatever its sign', () => {
  expect([0x6969, 0xff534d42, 0xff534d42 | 0, 0x65735546].map(isRemoteKind)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  // ext4, btrfs, tmpfs, overlayfs
  expect([0xef53, 0x9123683e, 0x01021994, 0x794c7630].map(isRemoteKind)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it('takes a folder that is gone for a local one: the walk will tell', async () => {
  expect(await isRemote(`${tmpdir()}/there-is-no-such-folder`)).toBe(false);
});
