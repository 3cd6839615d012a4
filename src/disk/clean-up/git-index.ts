const HEAD_BYTES = 12;
/** Times, numbers and the size of a file come before its hash, the flags after it. */
const FACTS_BYTES = 40;
const FLAG_BYTES = 2;
const EXTENDED = 0x4000;
const VERSIONS = [2, 3, 4];

/** How long hashes are in a repository, by its settings. */
export function hashBytes(config: string): number {
  return /^\s*objectformat\s*=\s*"?sha256/im.test(config) ? 32 : 20;
}

/** The paths that a git index holds; undefined where it is of a form that is not understood. */
export function trackedPaths(index: Buffer, hashLength = 20): string[] | undefined {
  if (index.length < HEAD_BYTES || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (!VERSIONS.includes(version)) return undefined;
  const flagsAt = FACTS_BYTES + hashLength;
  const paths: string[] = [];
  let before = Buffer.alloc(0);
  let at = HEAD_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + flagsAt + FLAG_BYTES > index.length) return undefined;
    const extended = (index.readUInt16BE(at + flagsAt) & EXTENDED) !== 0;
    const nameAt = at + flagsAt + FLAG_BYTES * (extended ? 2 : 1);
    // Version 4 tells how much of the path before to take away, and what comes instead.
    const cut = version === 4 ? readOffset(index, nameAt) : { value: before.length, end: nameAt };
    const end = cut === undefined ? -1 : index.indexOf(0, cut.end);
    if (cut === undefined || end < 0 || cut.value > before.length) return undefined;
    const path = Buffer.concat([before.subarray(0, before.length - cut.value), index.subarray(cut.end, end)]);
    paths.push(path.toString('utf8'));
    before = path;
    // Entries of the older versions are filled with one to eight NULs to a multiple of eight bytes.
    at = version === 4 ? end + 1 : at + Math.floor((end - at + 8) / 8) * 8;
  }
  return paths;
}

/** A number in pieces of seven bits, the highest first, each but the last one more than it says. */
function readOffset(index: Buffer, from: number): { value: number; end: number } | undefined {
  let value = -1;
  for (let at = from; at < Math.min(index.length, from + 5); at++) {
    const byte = index[at] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
