import { join } from 'node:path';
import { byteLength, oneLine, toJson } from '../../contract/bytes.ts';
import { countText, sizeText } from '../../contract/format.ts';
import type { CallContext, TextStyle } from '../../contract/operation.ts';
import { largestRows, type NodeSample, nodeSample, totalSize } from '../reports/node-rows.ts';
import { sharedSize, sumSizes } from '../sizes.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { glance } from './choose.ts';

/** The largest of many nodes. Sizes of rows and rest together, less what lies in several of them, are the total. */
export interface Sampled {
  readonly rows: readonly NodeSample[];
  readonly rest?: { readonly nodes: number; readonly size: number } | undefined;
  /** Bytes counted more than once: a file and its folder, or two names of one file, are both among the nodes. */
  readonly overlap?: number | undefined;
}

export const MOST_SAMPLED = 10;
/** What the rest of the answer takes of a glance. */
const AROUND_BYTES = 900;

/** Samples nodes of which the whole, each byte once, is `total`. */
export function sampled(
  ctx: CallContext,
  tree: Tree,
  rows: ArrayLike<number>,
  total: number,
  most = MOST_SAMPLED,
): Sampled {
  const budget = glance(ctx);
  let bytes = budget === undefined ? Number.POSITIVE_INFINITY : budget - AROUND_BYTES;
  const list = Array.from(rows);
  const all = sumSizes(list, (row) => totalSize(tree, row));
  const shown: NodeSample[] = [];
  let left = all;
  for (const row of largestRows(tree, list, most)) {
    const sample = nodeSample(tree, row);
    bytes -= byteLength(toJson(sample)) + 1;
    if (bytes < 0) break;
    shown.push(sample);
    left -= sample.size;
  }
  const nodes = rows.length - shown.length;
  return {
    rows: shown,
    rest: nodes > 0 ? { nodes, size: Math.max(0, left) } : undefined,
    overlap: sharedSize(all, total),
  };
}

/** The lines of a sample. */
export function sampleLines({ rows, rest, overlap }: Sampled, { units }: TextStyle): string[] {
  return [
    ...rows.map(
      (row) =>
        `  ${row.node_id} ${sizeText(row.size, units)}  ${oneLine(join(row.in, row.name))}${row.kind === 'dir' ? '/' : ''}${row.disk_size === undefined ? '' : `  (${sizeText(row.disk_size, units)} on disk)`}`,
    ),
    ...(rest ? [`  ... ${countText(rest.nodes)} more, ${sizeText(rest.size, units)}`] : []),
    ...(overlap ? [`  less ${sizeText(overlap, units)} that lies in several of them`] : []),
  ];
}
