import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { folderDepths } from '../filter/compile-filter.ts';
import { projectFolders } from '../filter/regenerable.ts';
import { FLAG } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import { depthOf, diskOf, folderAt, parentFolder } from '../tree/tree-nodes.ts';
import type { Group } from './group-totals.ts';
import { furtherNames, inPieces, type Scope } from './row-scope.ts';

export interface FolderGroups {
  /** The row of the folder that levels count from. */
  readonly base: number;
  /** The deepest level to tell apart; undefined: the folder that a file is in; or the project around it. */
  readonly depth: number | 'project' | undefined;
  /** For files that count as a part of a folder: the row of that folder plus one, whose own parent is the group. */
  readonly tops: Uint32Array | undefined;
}

/** Totals of the files that pass, by folder. */
export async function byFolder(
  scope: Scope,
  { base, depth, tops }: FolderGroups,
): Promise<(Omit<Group, 'label'> & { readonly row: number })[]> {
  const { tree, test } = scope;
  const further = furtherNames(scope);
  const group = groupOfFolders(scope, base, depth);
  const files = new Uint32Array(tree.dirRow.length);
  const sizes = new Float64Array(tree.dirRow.length);
  const disks = new Float64Array(tree.dirRow.length);
  await inPieces(scope, (from, to) => {
    for (let row = from; row <= to; row++) {
      if (test !== undefined && !test(row)) continue;
      const top = tops === undefined ? row : uint32At(tops, row) - 1;
      const folder = uint32At(group, uint32At(tree.parent, top));
      files[folder] = uint32At(files, folder) + 1;
      if ((uint8At(tree.kind, row) & FLAG.linked) !== 0 && further.has(row)) continue;
      sizes[folder] = float64At(sizes, folder) + float64At(tree.size, row);
      disks[folder] = float64At(disks, folder) + diskOf(tree, row);
    }
  });
  return Array.from(tree.dirRow.keys())
    .filter((folder) => uint32At(files, folder) > 0)
    .map((folder) => ({
      row: uint32At(tree.dirRow, folder),
      files: uint32At(files, folder),
      size: capped(float64At(sizes, folder)),
      disk_size: capped(float64At(disks, folder)),
    }));
}

/** What is in no project is grouped by the first folders of its path. */
const LEVELS_WITHOUT_PROJECT = 2;

/** The folder that stands for each folder: itself, or the one around it at the deepest level. */
function groupOfFolders(scope: Scope, base: number, depth: FolderGroups['depth']): Uint32Array {
  const { tree } = scope;
  if (depth === 'project') {
    const near = groupOfFolders(scope, base, LEVELS_WITHOUT_PROJECT);
    return Uint32Array.from(projectFolders(tree, scope), (project, folder) =>
      project < 0 ? uint32At(near, folder) : project,
    );
  }
  const group = Uint32Array.from(tree.dirRow.keys());
  if (depth === undefined) return group;
  const depths = folderDepths(tree);
  const deepest = depthOf(tree, base) + depth;
  for (let folder = folderAt(tree, base) + 1; folder < group.length; folder++) {
    if (uint32At(depths, folder) > deepest) group[folder] = uint32At(group, parentFolder(tree, folder));
  }
  return group;
}
