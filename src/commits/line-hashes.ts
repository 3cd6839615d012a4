/** A line with fewer letters and digits says nothing about who wrote it: braces, `else`, `end`. */
const MIN_LETTERS = 6;
const LETTER = /[\p{L}\p{N}]/gu;

/** A number for a line, regardless of its indentation; undefined for a line that anybody might write. */
export function lineHash(line: string): number | undefined {
  const plain = line.trim().replace(/\s+/g, ' ');
  if ((plain.match(LETTER)?.length ?? 0) < MIN_LETTERS) return undefined;
  let hash = 0x811c9dc5;
  for (let at = 0; at < plain.length; at++) hash = Math.imul(hash ^ plain.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The distinct hashes of lines, in order. */
export function lineHashes(lines: Iterable<string>): Uint32Array {
  const hashes = new Set<number>();
  for (const line of lines) {
    const hash = lineHash(line);
    if (hash !== undefined) hashes.add(hash);
  }
  return Uint32Array.from(hashes);
}

/** Converts hashes to a database value; `unpackHashes` converts them back. */
export function packHashes(hashes: Uint32Array): Uint8Array {
  return new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength);
}

export function unpackHashes(value: unknown): Uint32Array {
  if (!(value instanceof Uint8Array)) return new Uint32Array(0);
  // The bytes of a row may be unaligned.
  return new Uint32Array(value.slice().buffer);
}

/** The lines a diff adds and removes; lines that it only moves are neither. */
export function changedLines(diff: string): { readonly added: Uint32Array; readonly removed: Uint32Array } {
  const lines = diff.split('\n');
  const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
  const added = lineHashes(marked('+'));
  const removed = lineHashes(marked('-'));
  return { added: without(added, removed), removed: without(removed, added) };
}

function without(hashes: Uint32Array, others: Uint32Array): Uint32Array {
  const known = new Set(others);
  return hashes.filter((hash) => !known.has(hash));
}
