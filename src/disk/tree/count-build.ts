import { int32At, uint32At } from '../../contract/at.ts';
import type { Listings } from './listings.ts';
import type { BuildPlan } from './plan-build.ts';
import { rootName, type Tree, type TreeMeta } from './tree-columns.ts';
import { lowerBound } from './tree-nodes.ts';

type Counts = Pick<TreeMeta, 'nodes' | 'dirs' | 'links' | 'nameBytes'>;

/** The size of the tree that a plan will produce. */
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
    nameBytes += uint32At(earlier.nameAt, to) - uint32At(earlier.nameAt, from);
    links += between(earlier.linkRow, from, to);
  };
  for (let item = 0; item < plan.count; item++) {
    if (plan.whole[item] === 1 && earlier) {
      const folder = int32At(plan.counterpart, item);
      keep(uint32At(earlier.dirRow, folder), uint32At(earlier.dirLast, folder) + 1);
      dirs += uint32At(earlier.dirDirs, folder) + 1;
      continue;
    }
    nodes++;
    dirs++;
    const at = uint32At(plan.rowAt, item);
    const nameAt = (listings.chunks[int32At(plan.rowChunk, item)] ?? earlier)?.nameAt;
    nameBytes += nameAt ? uint32At(nameAt, at + 1) - uint32At(nameAt, at) : Buffer.byteLength(rootName(root));
    const source = int32At(plan.source, item);
    const was = plan.earlierSource(item);
    if (was >= 0 && earlier) {
      const row = uint32At(earlier.dirRow, was);
      keep(row + 1, row + 1 + uint32At(earlier.dirFiles, was));
    } else if (source >= 0) {
      const { chunk, first, files } = listings.get(source);
      nodes += files;
      nameBytes += uint32At(chunk.nameAt, first + files) - uint32At(chunk.nameAt, first);
      links += between(chunk.view.linkAt, first, first + files);
    }
  }
  return { nodes, dirs, links, nameBytes };
}

/** How many values of an ascending column are in `from..to`. */
function between(column: Uint32Array, from: number, to: number): number {
  const { length } = column;
  return length === 0 ? 0 : lowerBound(column, to, length) - lowerBound(column, from, length);
}
