import { FLAG, isDir, KIND } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/disk-tree.ts';
import { diskOf, nameOf } from '../tree/tree-nodes.ts';

/* The export format of ncdu 1: [major, minor, about, folder], a folder being [facts, child, child, …]. */

export const FORMAT_MAJOR = 1;
const FORMAT_MINOR = 2;
const PIECE = 64 << 10;

/**
 * Writes a tree in ncdu's format, piece by piece.
 *
 * @param shown how names go out: as they are, or without secrets
 */
export function* exportNcdu(
  tree: Tree,
  version: string,
  shown: (name: string) => string = (name) => name,
): Generator<string> {
  const about = { progname: 'pinhole', progver: version, timestamp: Math.floor(tree.meta.scannedAt / 1000) };
  let text = `[${FORMAT_MAJOR},${FORMAT_MINOR},${JSON.stringify(about)}`;
  const links = new Map(Array.from(tree.linkRow, (row, i) => [row, i]));
  // Folders are open from their own row to their last one.
  const open: number[] = [];
  for (let folder = 0; folder < tree.dirRow.length; folder++) {
    const row = tree.dirRow[folder] ?? 0;
    while (open.length > 0 && (tree.dirLast[open.at(-1) ?? 0] ?? 0) < row) {
      open.pop();
      text += ']';
    }
    open.push(folder);
    text += `,\n[${JSON.stringify(facts(tree, row, links, shown))}`;
    const files = tree.dirFiles[folder] ?? 0;
    for (let file = row + 1; file <= row + files; file++) {
      text += `,\n${JSON.stringify(facts(tree, file, links, shown))}`;
      if (text.length > PIECE) {
        yield text;
        text = '';
      }
    }
  }
  yield `${text}${']'.repeat(open.length)}]\n`;
}

function facts(tree: Tree, row: number, links: ReadonlyMap<number, number>, shown: (name: string) => string) {
  const kind = tree.kind[row] ?? 0;
  const link = links.get(row);
  const size = tree.size[row] ?? 0;
  const disk = diskOf(tree, row);
  return {
    name: shown(row === 0 ? tree.meta.root : nameOf(tree, row)),
    ...(size > 0 ? { asize: size } : {}),
    ...(disk > 0 ? { dsize: disk } : {}),
    ...(link === undefined ? {} : { ino: tree.linkKey[link], hlnkc: true, nlink: tree.linkCount[link] }),
    ...((kind & FLAG.error) === 0 ? {} : { read_error: true }),
    ...((kind & FLAG.otherFileSystem) === 0 ? {} : { excluded: 'otherfs' }),
    ...((kind & FLAG.excluded) === 0 ? {} : { excluded: 'pattern' }),
    ...(isDir(kind) || (kind & 3) === KIND.file ? {} : { notreg: true }),
    mtime: tree.mtime[row] ?? 0,
  };
}
