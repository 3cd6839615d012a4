import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { capped, MOST_BLOCKS, MOST_BYTES } from '../sizes.ts';
import { type Tree, treeBytes, treeOver } from './disk-tree.ts';
import { parseMeta } from './parse-tree-meta.ts';
import { columnsAt, HEAD_BYTES, MAGIC, PIECE, VERSION } from './snapshot-format.ts';

/** A snapshot that cannot be used; the index has to be made anew. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot';
}

/** Reads a generation, or throws {@link DamagedSnapshot}. Columns need no check when they were written just now. */
export async function loadTree(file: string, { check = true } = {}): Promise<Tree> {
  const handle = await open(file, 'r');
  try {
    const meta = await loadFacts(handle);
    const buffer = new SharedArrayBuffer(treeBytes(meta.facts));
    const columns = Buffer.from(buffer);
    let checksum = 0;
    for (let at = 0; at < columns.length; at += PIECE) {
      const piece = columns.subarray(at, at + PIECE);
      await readFully(handle, piece, columnsAt(meta.length) + at);
      if (check) checksum = crc32(piece, checksum);
    }
    if (check && checksum !== meta.columnsChecksum)
      throw new DamagedSnapshot('the columns do not fit their checksum');
    return withCappedSizes(treeOver(buffer, meta.facts));
  } finally {
    await handle.close();
  }
}

/** Snapshots of earlier versions can hold more than can be told; the root is the largest in its tree. */
function withCappedSizes(tree: Tree): Tree {
  if (Math.max(tree.dirSize[0] ?? 0, tree.dirDisk[0] ?? 0) <= MOST_BYTES) return tree;
  for (const column of [tree.size, tree.dirSize, tree.dirDisk])
    column.forEach((bytes, at) => {
      column[at] = capped(bytes);
    });
  const big = tree.meta.big.map(([row, blocks]) => [row, Math.min(blocks, MOST_BLOCKS)] as const);
  return treeOver(tree.buffer, { ...tree.meta, big });
}

async function loadFacts(handle: FileHandle) {
  const head = Buffer.alloc(HEAD_BYTES);
  await readFully(handle, head, 0);
  if (head.readUInt32LE(0) !== MAGIC) throw new DamagedSnapshot('not a disk index');
  if (head.readUInt32LE(4) !== VERSION) throw new DamagedSnapshot('made by another version');
  const length = head.readUInt32LE(8);
  const { size } = await handle.stat();
  if (length > size) throw new DamagedSnapshot('shorter than its facts');
  const text = Buffer.alloc(length);
  await readFully(handle, text, HEAD_BYTES);
  if (crc32(text) !== head.readUInt32LE(12)) throw new DamagedSnapshot('the facts do not fit their checksum');
  const facts = parseMeta(text.toString());
  if (facts === undefined) throw new DamagedSnapshot('the facts have another shape');
  return { facts, length, columnsChecksum: head.readUInt32LE(16) };
}

async function readFully(handle: FileHandle, into: Buffer, position: number): Promise<void> {
  let at = 0;
  while (at < into.length) {
    const { bytesRead } = await handle.read(into, at, into.length - at, position + at);
    if (bytesRead === 0) throw new DamagedSnapshot('shorter than it should be');
    at += bytesRead;
  }
}
