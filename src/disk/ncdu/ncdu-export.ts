import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { FLAG, isDir, KIND } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { diskOf, nameOf } from '../tree/tree-nodes.ts';

/* The export format of ncdu 1: [major, minor, about, folder], where a folder is [facts, child, child, …]. */

export const FORMAT_MAJOR = 1;
const FORMAT_MINOR = 2;
const PIECE_CHARACTERS = 64 << 10;

/**
 * Writes a tree in ncdu's format, piece by piece.
 *
 * @param shown how to write names: as they are, or redacted
 */
export function* exportNcdu(
  tree: Tree,
  version: string,
  shown: (name: string) => string = (name) => name,
): Generator<string> {
  const about = { progname: 'pinhole', progver: version, timestamp: Math.floor(tree.meta.scannedAt / 1000) };
  let text = `[${FORMAT_MAJOR},${FORMAT_MINOR},${JSON.stringify(about)}`;
  const links = new Map(Array.from(tree.linkRow, (row, i) => [row, i]));
  /** The last rows of the folders that are not closed yet. */
  const open: number[] = [];
  for (let folder = 0; folder < tree.dirRow.length; folder++) {
    const row = uint32At(tree.dirRow, folder);
    for (let last = open.at(-1); last !== undefined && last < row; last = open.at(-1)) {
      open.pop();
      text += ']';
    }
    open.push(uint32At(tree.dirLast, folder));
    text += `,\n[${JSON.stringify(facts(tree, row, links, shown))}`;
    const files = uint32At(tree.dirFiles, folder);
    for (let file = row + 1; file <= row + files; file++) {
      text += `,\n${JSON.stringify(facts(tree, file, links, shown))}`;
      if (text.length > PIECE_CHARACTERS) {
        yield text;
        text = '';
      }
    }
  }
  yield `${text}${']'.repeat(open.length)}]\n`;
}

function facts(tree: Tree, row: number, links: ReadonlyMap<number, number>, shown: (name: string) => string) {
  const kind = uint8At(tree.kind, row);
  const link = links.get(row);
  const size = float64At(tree.size, row);
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
    mtime: uint32At(tree.mtime, row),
  };
}
