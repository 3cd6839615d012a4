import { stat, statfs } from 'node:fs/promises';
import type { ScanOptions } from '../tree/tree-columns.ts';

/** File systems that count their inodes, with the inode of their top folder: a partial mount has another one. */
const TOP_INODES: ReadonlyMap<number, number> = new Map([
  [0xef53, 2], // ext2, ext3, ext4
  [0x01021994, 1], // tmpfs
]);

/** How many entries a scan will find, if it covers a whole file system that counts them; otherwise undefined. */
export async function expectedEntries(root: string, options: ScanOptions): Promise<number | undefined> {
  const { oneFileSystem, followSymlinks, depthLimit, exclude } = options;
  if (!oneFileSystem || followSymlinks || depthLimit !== undefined || exclude.length > 0) return undefined;
  try {
    const { type, files, ffree } = await statfs(root);
    const used = files - ffree;
    return TOP_INODES.get(type) === (await stat(root)).ino && used > 0 ? used : undefined;
  } catch {
    return undefined;
  }
}
