import { type FileHandle, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { systemCode } from '../../contract/errors.ts';
import { columnsAt, HEAD_BYTES, MAGIC, PIECE_BYTES, VERSION } from './snapshot-format.ts';
import type { Tree } from './tree-columns.ts';

/**
 * Writes a generation to a draft and renames it, so a reader finds either the old or the new one, complete. It does
 * not wait for the disk: after a power failure a half-written file fails its checksum and is built again.
 */
export async function saveTree(tree: Tree, file: string): Promise<void> {
  const facts = Buffer.from(JSON.stringify(tree.meta));
  const columns = Buffer.from(tree.buffer);
  const start = columnsAt(facts.length);
  const draft = `${file}.${process.pid}.tmp`;
  const handle = await open(draft, 'w', 0o600);
  try {
    let checksum = 0;
    for (let at = 0; at < columns.length; at += PIECE_BYTES) {
      const piece = columns.subarray(at, at + PIECE_BYTES);
      const written = writeFully(handle, piece, start + at);
      // Computed while the piece is being written.
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

/** Removes the drafts of processes that died while writing. */
export async function removeDrafts(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tmp'));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

/** A disk that fills up accepts part of a write; only the next write reports the error. */
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
  return `There is no space left in '${dirname(file)}' to save the index; the previous one is kept. Free some space, then index again.`;
}
