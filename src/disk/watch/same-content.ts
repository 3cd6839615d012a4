import { readdirSync } from 'node:fs';
import { float64At, uint8At, uint16At, uint32At } from '../../contract/at.ts';
import {
  ctimeMs,
  FACT,
  type FactReader,
  isFolder,
  keptDetails,
  keptMtime,
  modeIn,
} from '../scan/file-facts.ts';
import { linkCountOf } from '../scan/hard-links.ts';
import { FLAG } from '../scan/node-kinds.ts';
import { systemPath } from '../scan/raw-text.ts';
import { filePath } from '../tree/folder-paths.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { childRows, diskOf } from '../tree/tree-nodes.ts';

/** A folder that changed this shortly before a scan may have changed again without a new time stamp. */
export const RACY_MS = 2_000;

/** True if a file matches the index. */
export function sameFile(tree: Tree, row: number, facts: Float64Array): boolean {
  return (
    facts[FACT.size] === tree.size[row] &&
    keptMtime(facts) === tree.mtime[row] &&
    float64At(facts, FACT.blocks) * 512 === diskOf(tree, row) &&
    float64At(facts, FACT.ino) % 2 ** 32 === tree.ino[row] &&
    modeIn(keptDetails(facts)) === modeIn(uint32At(tree.details, row)) &&
    facts[FACT.uid] === tree.meta.owners[uint16At(tree.owner, row)] &&
    facts[FACT.nlink] === linkCountOf(tree, row)
  );
}

/** True if the folder is still the same one. */
export function sameFolder(tree: Tree, folder: number, facts: Float64Array): boolean {
  return isFolder(facts) && float64At(facts, FACT.ino) % 2 ** 32 === tree.ino[uint32At(tree.dirRow, folder)];
}

/** Checks a folder (its path as raw text) and all files in it: true if everything matches the index. */
export function sameContent(tree: Tree, folder: number, path: string, read: FactReader): boolean {
  const row = uint32At(tree.dirRow, folder);
  const time = float64At(tree.dirTime, folder);
  if ((uint8At(tree.kind, row) & FLAG.error) !== 0) return false;
  try {
    const facts = read(systemPath(path));
    if (!sameFolder(tree, folder, facts) || ctimeMs(facts) !== time) return false;
    if (time >= tree.meta.scannedAt - RACY_MS && !sameNames(tree, folder, path)) return false;
    const last = row + uint32At(tree.dirFiles, folder);
    for (let file = row + 1; file <= last; file++) {
      if ((uint8At(tree.kind, file) & FLAG.excluded) !== 0) continue;
      if (!sameFile(tree, file, read(filePath(tree, file, path)))) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** True if a folder has exactly the names in the index; needed where its time stamp cannot tell. */
function sameNames(tree: Tree, folder: number, path: string): boolean {
  const names = new Set(readdirSync(systemPath(path), { encoding: 'latin1' }));
  for (const row of childRows(tree, folder)) {
    if (!names.delete(tree.names.toString('latin1', tree.nameAt[row], tree.nameAt[row + 1]))) return false;
  }
  return names.size === 0;
}
