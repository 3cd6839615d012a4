/** An index of version 2 with these paths, and nothing true in it but their names. */
export function madeGitIndex(paths: readonly string[]): Buffer {
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(paths.length, 8);
  const entries = paths.map((path) => {
    const name = Buffer.from(path);
    const entry = Buffer.alloc(Math.floor((62 + name.length + 8) / 8) * 8);
    entry.writeUInt16BE(name.length, 60);
    name.copy(entry, 62);
    return entry;
  });
  return Buffer.concat([head, ...entries, Buffer.alloc(20)]);
}
