import type { BuildInput } from './build.ts';
import { lowerBound } from './nodes.ts';
import type { BuildItem } from './plan-build.ts';
import { rootName, type TreeMeta } from './tree.ts';

type Counts = Pick<TreeMeta, 'nodes' | 'dirs' | 'links' | 'nameBytes'>;

/** How large the tree of a plan will be. */
export function countBuild(items: readonly BuildItem[], input: BuildInput): Counts {
  const { stages, earlier } = input;
  let nodes = 0;
  let dirs = 0;
  let links = 0;
  let nameBytes = 0;
  const keep = (from: number, to: number) => {
    if (earlier === undefined) return;
    nodes += to - from;
    nameBytes += (earlier.nameAt[to] ?? 0) - (earlier.nameAt[from] ?? 0);
    links += between(earlier.linkRow, earlier.linkRow.length, from, to);
  };
  for (const item of items) {
    const { source, counterpart } = item;
    if (item.whole && earlier) {
      keep(earlier.dirRow[counterpart] ?? 0, (earlier.dirLast[counterpart] ?? 0) + 1);
      dirs += (earlier.dirDirs[counterpart] ?? 0) + 1;
      continue;
    }
    nodes++;
    dirs++;
    nameBytes += nameLength(item, input);
    if (source.from === 'earlier' && earlier) {
      const row = earlier.dirRow[source.folder] ?? 0;
      keep(row + 1, row + 1 + (earlier.dirFiles[source.folder] ?? 0));
    } else if (source.from === 'stage') {
      const stage = stages[source.stage];
      const { first, files } = source.listing;
      if (stage === undefined) continue;
      nodes += files;
      nameBytes += (stage.nameAt[first + files] ?? 0) - (stage.nameAt[first] ?? 0);
      links += between(stage.linkAt, stage.links, first, first + files);
    }
  }
  return { nodes, dirs, links, nameBytes };
}

function nameLength(item: BuildItem, { stages, earlier, root }: BuildInput): number {
  const nameAt = item.stage >= 0 ? stages[item.stage]?.nameAt : earlier?.nameAt;
  if (nameAt === undefined) return Buffer.byteLength(rootName(root));
  return (nameAt[item.at + 1] ?? 0) - (nameAt[item.at] ?? 0);
}

/** How many values of an ascending column lie in `from..to`. */
function between(column: Uint32Array, length: number, from: number, to: number): number {
  return length === 0 ? 0 : lowerBound(column, to, length) - lowerBound(column, from, length);
}
