import { readdirSync } from 'node:fs';
import { ctimeMs, FACT, type FactReader, isFolder, keptMtime } from '../scan/file-facts.ts';
import { linkCountOf } from '../scan/hard-links.ts';
import { FLAG } from '../scan/node-kinds.ts';
import { systemPath } from '../scan/raw-text.ts';
import type { Tree } from '../tree/disk-tree.ts';
import { filePath } from '../tree/folder-paths.ts';
import { childRows, diskOf } from '../tree/tree-nodes.ts';

/** A folder that changed within this time before a scan may have changed again without a new time stamp. */
export const RACY_MS = 2_000;

/** True when a file is as the index has it. */
export function sameFile(tree: Tree, row: number, facts: Float64Array): boolean {
  return (
    facts[FACT.size] === tree.size[row] &&
    keptMtime(facts) === tree.mtime[row] &&
    (facts[FACT.blocks] ?? 0) * 512 === diskOf(tree, row) &&
    (facts[FACT.ino] ?? 0) % 2 ** 32 === tree.ino[row] &&
    facts[FACT.uid] === tree.meta.owners[tree.owner[row] ?? 0] &&
    facts[FACT.nlink] === linkCountOf(tree, row)
  );
}

/** True when a folder stands where it stood. */
export function sameFolder(tree: Tree, folder: number, facts: Float64Array): boolean {
  return isFolder(facts) && (facts[FACT.ino] ?? 0) % 2 ** 32 === tree.ino[tree.dirRow[folder] ?? 0];
}

/** Looks at a folder (its path as raw text) and at all files in it: true when nothing differs from the index. */
export function sameContent(tree: Tree, folder: number, path: string, read: FactReader): boolean {
  const row = tree.dirRow[folder] ?? 0;
  const time = tree.dirTime[folder] ?? 0;
  if (((tree.kind[row] ?? 0) & FLAG.error) !== 0) return false;
  try {
    const facts = read(systemPath(path));
    if (!sameFolder(tree, folder, facts) || ctimeMs(facts) !== time) return false;
    if (time >= tree.meta.scannedAt - RACY_MS && !sameNames(tree, folder, path)) return false;
    const last = row + (tree.dirFiles[folder] ?? 0);
    for (let file = row + 1; file <= last; file++) {
      if (((tree.kind[file] ?? 0) & FLAG.excluded) !== 0) continue;
      if (!sameFile(tree, file, read(filePath(tree, file, path)))) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** True when a folder holds exactly the names that the index has: asked for where its time stamp cannot tell. */
function sameNames(tree: Tree, folder: number, path: string): boolean {
  const names = new Set(readdirSync(systemPath(path), { encoding: 'latin1' }));
  for (const row of childRows(tree, folder)) {
    if (!names.delete(tree.names.toString('latin1', tree.nameAt[row], tree.nameAt[row + 1]))) return false;
  }
  return names.size === 0;
}
