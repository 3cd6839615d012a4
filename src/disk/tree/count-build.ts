import { rootName, type Tree, type TreeMeta } from './disk-tree.ts';
import type { Listings } from './listings.ts';
import type { BuildPlan } from './plan-build.ts';
import { lowerBound } from './tree-nodes.ts';

type Counts = Pick<TreeMeta, 'nodes' | 'dirs' | 'links' | 'nameBytes'>;

/** How large the tree of a plan will be. */
export function countBuild(
  plan: BuildPlan,
  listings: Listings,
  earlier: Tree | undefined,
  root: string,
): Counts {
  let nodes = 0;
  let dirs = 0;
  let links = 0;
  let nameBytes = 0;
  const keep = (from: number, to: number) => {
    if (earlier === undefined) return;
    nodes += to - from;
    nameBytes += (earlier.nameAt[to] ?? 0) - (earlier.nameAt[from] ?? 0);
    links += between(earlier.linkRow, from, to);
  };
  for (let item = 0; item < plan.count; item++) {
    if (plan.whole[item] === 1 && earlier) {
      const folder = plan.counterpart[item] ?? 0;
      keep(earlier.dirRow[folder] ?? 0, (earlier.dirLast[folder] ?? 0) + 1);
      dirs += (earlier.dirDirs[folder] ?? 0) + 1;
      continue;
    }
    nodes++;
    dirs++;
    const at = plan.rowAt[item] ?? 0;
    const nameAt = (listings.chunks[plan.rowChunk[item] ?? -1] ?? earlier)?.nameAt;
    nameBytes += nameAt ? (nameAt[at + 1] ?? 0) - (nameAt[at] ?? 0) : Buffer.byteLength(rootName(root));
    const source = plan.source[item] ?? -1;
    const was = plan.earlierSource(item);
    if (was >= 0 && earlier) {
      const row = earlier.dirRow[was] ?? 0;
      keep(row + 1, row + 1 + (earlier.dirFiles[was] ?? 0));
    } else if (source >= 0) {
      const { chunk, first, files } = listings.get(source);
      nodes += files;
      nameBytes += (chunk.nameAt[first + files] ?? 0) - (chunk.nameAt[first] ?? 0);
      links += between(chunk.view.linkAt, first, first + files);
    }
  }
  return { nodes, dirs, links, nameBytes };
}

/** How many values of an ascending column lie in `from..to`. */
function between(column: Uint32Array, from: number, to: number): number {
  const { length } = column;
  return length === 0 ? 0 : lowerBound(column, to, length) - lowerBound(column, from, length);
}
