import { stat, statfs } from 'node:fs/promises';
import type { ScanOptions } from '../tree/disk-tree.ts';

/** File systems that count their inodes, and the inode of their topmost folder: one mounted in part has another. */
const COUNTED: ReadonlyMap<number, number> = new Map([
  [0xef53, 2], // ext2, ext3, ext4
  [0x01021994, 1], // tmpfs
]);

/** How many entries a scan will find, where it is of a whole file system that knows; else undefined. */
export async function entriesOn(root: string, options: ScanOptions): Promise<number | undefined> {
  const { oneFileSystem, followSymlinks, depthLimit, exclude } = options;
  if (!oneFileSystem || followSymlinks || depthLimit !== undefined || exclude.length > 0) return undefined;
  try {
    const { type, files, ffree } = await statfs(root);
    const used = files - ffree;
    return COUNTED.get(type) === (await stat(root)).ino && used > 0 ? used : undefined;
  } catch {
    return undefined;
  }
}
