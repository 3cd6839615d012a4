import { type FileHandle, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { systemCode } from '../../contract/errors.ts';
import type { Tree } from './disk-tree.ts';
import { columnsAt, HEAD_BYTES, MAGIC, PIECE, VERSION } from './snapshot-format.ts';

/**
 * Writes a generation beside its place and moves it there: a reader finds the old one or the new one whole.
 * It does not wait for the disk: what a power failure leaves half written fails its checksum and is made anew.
 */
export async function saveTree(tree: Tree, file: string): Promise<void> {
  const facts = Buffer.from(JSON.stringify(tree.meta));
  const columns = Buffer.from(tree.buffer);
  const start = columnsAt(facts.length);
  const draft = `${file}.${process.pid}.tmp`;
  const handle = await open(draft, 'w', 0o600);
  try {
    let checksum = 0;
    for (let at = 0; at < columns.length; at += PIECE) {
      const piece = columns.subarray(at, at + PIECE);
      const written = writeFully(handle, piece, start + at);
      // Counted while the piece is on its way.
      checksum = crc32(piece, checksum);
      await written;
    }
    const head = Buffer.alloc(start);
    const numbers = [MAGIC, VERSION, facts.length, crc32(facts), checksum];
    for (const [i, value] of numbers.entries()) head.writeUInt32LE(value, i * 4);
    facts.copy(head, HEAD_BYTES);
    await writeFully(handle, head, 0);
    await handle.close();
    await rename(draft, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await unlink(draft).catch(() => undefined);
    throw isFull(error) ? new Error(fullMessage(file), { cause: error }) : error;
  }
}

/** Takes away what a process that died while writing has left. */
export async function removeDrafts(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tmp'));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

/** A disk that becomes full takes a part of what it is given, and says so only to the one who tries again. */
async function writeFully(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let at = 0;
  while (at < bytes.length) {
    at += (await handle.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemCode(error) ?? '');
}

function fullMessage(file: string): string {
  return `There is no room to save the index in '${dirname(file)}'; the one before is kept. Make room, then index again.`;
}
