const HEAD_BYTES = 12;
const ENTRY_BYTES = 62;
const EXTENDED = 0x4000;

/** The paths that a git index holds; undefined where it is of a form that is not understood. */
export function trackedPaths(index: Buffer): string[] | undefined {
  if (index.length < HEAD_BYTES || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  // Version 4 shortens paths by those before them; it is rare and has to be asked for.
  if (version !== 2 && version !== 3) return undefined;
  const paths: string[] = [];
  let at = HEAD_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + ENTRY_BYTES > index.length) return undefined;
    const start = at + ENTRY_BYTES + ((index.readUInt16BE(at + 60) & EXTENDED) === 0 ? 0 : 2);
    const end = index.indexOf(0, start);
    if (end < 0) return undefined;
    paths.push(index.toString('utf8', start, end));
    // Entries are filled with one to eight NULs to a multiple of eight bytes.
    at += Math.floor((end - at + 8) / 8) * 8;
  }
  return paths;
}
