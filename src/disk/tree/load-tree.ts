import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { float64At } from '../../contract/at.ts';
import { capped, MAX_BLOCKS, MAX_BYTES } from '../sizes.ts';
import { parseMeta } from './parse-tree-meta.ts';
import {
  columnsAt,
  HEAD_BYTES,
  MAGIC,
  PIECE_BYTES,
  VERSION,
  VERSION_WITHOUT_DETAILS,
} from './snapshot-format.ts';
import { type Tree, treeBytes, treeOver, withEmptyDetails } from './tree-columns.ts';

/** A snapshot that cannot be used: the index must be built again. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot';
}

/** Reads a generation, or throws {@link DamagedSnapshot}. Columns that were just written need no check. */
export async function loadTree(file: string, { check = true } = {}): Promise<Tree> {
  const handle = await open(file, 'r');
  try {
    const meta = await loadFacts(handle);
    const buffer = new SharedArrayBuffer(treeBytes(meta.facts, meta.hasDetails));
    const columns = Buffer.from(buffer);
    let checksum = 0;
    for (let at = 0; at < columns.length; at += PIECE_BYTES) {
      const piece = columns.subarray(at, at + PIECE_BYTES);
      await readFully(handle, piece, columnsAt(meta.length) + at);
      if (check) checksum = crc32(piece, checksum);
    }
    if (check && checksum !== meta.columnsChecksum)
      throw new DamagedSnapshot('the checksum of the columns is wrong');
    const whole = meta.hasDetails ? buffer : withEmptyDetails(buffer, meta.facts);
    return withCappedSizes(treeOver(whole, meta.facts));
  } finally {
    await handle.close();
  }
}

/** Snapshots of earlier versions can contain sizes above the limit; the root is the largest node of its tree. */
function withCappedSizes(tree: Tree): Tree {
  if (Math.max(float64At(tree.dirSize, 0), float64At(tree.dirDisk, 0)) <= MAX_BYTES) return tree;
  for (const column of [tree.size, tree.dirSize, tree.dirDisk])
    column.forEach((bytes, at) => {
      column[at] = capped(bytes);
    });
  const big = tree.meta.big.map(([row, blocks]) => [row, Math.min(blocks, MAX_BLOCKS)] as const);
  return treeOver(tree.buffer, { ...tree.meta, big });
}

async function loadFacts(handle: FileHandle) {
  const head = Buffer.alloc(HEAD_BYTES);
  await readFully(handle, head, 0);
  if (head.readUInt32LE(0) !== MAGIC) throw new DamagedSnapshot('not a disk index');
  const version = head.readUInt32LE(4);
  if (version !== VERSION && version !== VERSION_WITHOUT_DETAILS)
    throw new DamagedSnapshot('made by another version');
  const length = head.readUInt32LE(8);
  const { size } = await handle.stat();
  if (length > size) throw new DamagedSnapshot('shorter than its facts');
  const text = Buffer.alloc(length);
  await readFully(handle, text, HEAD_BYTES);
  if (crc32(text) !== head.readUInt32LE(12)) throw new DamagedSnapshot('the checksum of the facts is wrong');
  const facts = parseMeta(text.toString());
  if (facts === undefined) throw new DamagedSnapshot('the facts have another shape');
  return { facts, length, columnsChecksum: head.readUInt32LE(16), hasDetails: version === VERSION };
}

async function readFully(handle: FileHandle, into: Buffer, position: number): Promise<void> {
  let at = 0;
  while (at < into.length) {
    const { bytesRead } = await handle.read(into, at, into.length - at, position + at);
    if (bytesRead === 0) throw new DamagedSnapshot('shorter than it should be');
    at += bytesRead;
  }
}
