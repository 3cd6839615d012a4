import { uint8At } from '../../contract/at.ts';

const HEAD_BYTES = 12;
/** The times, numbers and size of a file come before its hash, the flags after it. */
const STAT_BYTES = 40;
const FLAG_BYTES = 2;
const EXTENDED_FLAG = 0x4000;
const KNOWN_VERSIONS = [2, 3, 4];

/** The length of the hashes in a repository, from its settings. */
export function hashBytes(config: string): number {
  return /^\s*objectformat\s*=\s*"?sha256/im.test(config) ? 32 : 20;
}

/** The paths in a git index; undefined if its format is unknown. */
export function trackedPaths(index: Buffer, hashLength = 20): string[] | undefined {
  if (index.length < HEAD_BYTES || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (!KNOWN_VERSIONS.includes(version)) return undefined;
  const flagsAt = STAT_BYTES + hashLength;
  const paths: string[] = [];
  let before = Buffer.alloc(0);
  let at = HEAD_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + flagsAt + FLAG_BYTES > index.length) return undefined;
    const extended = (index.readUInt16BE(at + flagsAt) & EXTENDED_FLAG) !== 0;
    const nameAt = at + flagsAt + FLAG_BYTES * (extended ? 2 : 1);
    // Version 4 says how much to cut off the previous path, and what to append.
    const cut = version === 4 ? readOffset(index, nameAt) : { value: before.length, end: nameAt };
    const end = cut === undefined ? -1 : index.indexOf(0, cut.end);
    if (cut === undefined || end < 0 || cut.value > before.length) return undefined;
    const path = Buffer.concat([before.subarray(0, before.length - cut.value), index.subarray(cut.end, end)]);
    paths.push(path.toString('utf8'));
    before = path;
    // In older versions an entry is padded with one to eight NULs to a multiple of eight bytes.
    at = version === 4 ? end + 1 : at + Math.floor((end - at + 8) / 8) * 8;
  }
  return paths;
}

/** Git's variable-length number: seven bits per byte, highest first, plus one for each byte but the last. */
function readOffset(index: Buffer, from: number): { value: number; end: number } | undefined {
  let value = -1;
  for (let at = from; at < Math.min(index.length, from + 5); at++) {
    const byte = uint8At(index, at);
    value = (value + 1) * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
