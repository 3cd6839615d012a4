/*
 * The file of a generation: 32 bytes of head (magic, version, length and checksum of the facts, checksum of the
 * columns), the facts as JSON, then the columns exactly as they lie in memory, from a multiple of 4096 on.
 */
export const MAGIC = 0x444b4850;
export const VERSION = 1;
export const HEAD_BYTES = 32;
/** Read, written and checked in pieces of this size, so that nothing else waits for long. */
export const PIECE = 8 << 20;
const PAGE = 4096;

/** Where the columns start in the file. */
export function columnsAt(factsBytes: number): number {
  return Math.ceil((HEAD_BYTES + factsBytes) / PAGE) * PAGE;
}
