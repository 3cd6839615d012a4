/*
 * The file of a generation: a head of 32 bytes (magic, version, length and checksum of the facts, checksum of the
 * columns), the facts as JSON, then the columns exactly as in memory, starting at a multiple of 4096.
 */
export const MAGIC = 0x444b4850;
export const VERSION = 2;
/** It has no column `details`; the rest is the same. */
export const VERSION_WITHOUT_DETAILS = 1;
export const HEAD_BYTES = 32;
/** Files are read, written and checked in pieces of this size, so that nothing else waits long. */
export const PIECE_BYTES = 8 << 20;
const PAGE_BYTES = 4096;

/** Where the columns start in the file. */
export function columnsAt(factsBytes: number): number {
  return Math.ceil((HEAD_BYTES + factsBytes) / PAGE_BYTES) * PAGE_BYTES;
}
