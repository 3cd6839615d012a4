import type { Database } from '../../store/database.ts';
import { trigramWords } from '../search/trigrams.ts';
import { type Block, packBlock } from './blocks.ts';

export interface PackedBlock {
  readonly block: Block;
  readonly body: Buffer;
  readonly marks: string;
  readonly words: string;
}

export function packedBlock(block: Block): PackedBlock {
  const { body, marks, text } = packBlock(block);
  return { block, body, marks, words: trigramWords(text) };
}

/** Writes blocks of text with their trigrams. There is one writer at a time, so the next ids are free. */
export async function writeBlocks(
  tx: Database,
  session: number,
  packed: readonly PackedBlock[],
): Promise<void> {
  if (packed.length === 0) return;
  const first = Number((await tx.get('SELECT COALESCE(MAX(id), 0) + 1 AS id FROM blocks'))?.id);
  await tx.batch(
    'INSERT INTO blocks (id, session, first_event, last_event, min_ms, max_ms, size, unfinished) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    packed.map(({ block: { entries, minMs, maxMs, size, unfinished } }, at) => [
      ...[first + at, session, entries[0]?.event ?? 0, entries.at(-1)?.event ?? 0, minMs, maxMs, size],
      unfinished ? 1 : 0,
    ]),
  );
  await tx.batch(
    'INSERT INTO bodies (block, marks, body) VALUES (?, ?, ?)',
    packed.map(({ marks, body }, at) => [first + at, marks, body]),
  );
  await tx.batch(
    'INSERT INTO grams (rowid, codes) VALUES (?, ?)',
    packed.map(({ words }, at) => [first + at, words]),
  );
}
