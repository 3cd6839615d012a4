/** A git index with these paths; nothing else in it is real. */
export function madeGitIndex(paths: readonly string[], version: 2 | 4 = 2, hashLength = 20): Buffer {
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(version, 4);
  head.writeUInt32BE(paths.length, 8);
  const nameAt = 42 + hashLength;
  const entries = paths.map((path, i) => {
    if (version === 4) {
      // Each path first removes the whole previous one.
      const before = Buffer.byteLength(paths[i - 1] ?? '');
      const cut = before < 128 ? [before] : [0x80 + ((before - 128) >> 7), (before - 128) & 0x7f];
      return Buffer.concat([Buffer.alloc(nameAt), Buffer.from(cut), Buffer.from(`${path}\0`)]);
    }
    const name = Buffer.from(path);
    const entry = Buffer.alloc(Math.floor((nameAt + name.length + 8) / 8) * 8);
    entry.writeUInt16BE(name.length, nameAt - 2);
    name.copy(entry, nameAt);
    return entry;
  });
  return Buffer.concat([head, ...entries, Buffer.alloc(hashLength)]);
}
