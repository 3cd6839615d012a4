import { join } from 'node:path';
import { z } from 'zod';
import { byteLength, oneLine, toJson } from '../../contract/bytes.ts';
import { countText, sizeText } from '../../contract/format.ts';
import type { CallContext, TextStyle } from '../../contract/operation.ts';
import {
  largestRows,
  type NodeSample,
  nodeSample,
  nodeSampleSchema,
  totalSize,
} from '../reports/node-rows.ts';
import { sharedSize, sumSizes } from '../sizes.ts';
import type { Tree } from '../tree/tree-columns.ts';

/** The largest of many nodes. The sizes of rows and rest add up to the total plus the overlap. */
interface Sampled {
  readonly rows: readonly NodeSample[];
  readonly rest?: { readonly nodes: number; readonly size: number } | undefined;
  readonly overlap?: number | undefined;
}

/** The fields of a sample in the data of an operation. */
export const sampleRowsSchema = z.array(nodeSampleSchema);
export const sampleRestFields = {
  rest: z.object({ nodes: z.int(), size: z.int() }).optional().describe('the nodes that are not listed'),
  overlap: z
    .int()
    .optional()
    .describe('bytes that several of the nodes include, such as a file and its folder; they count once'),
};

const MAX_SAMPLED = 10;
/** The bytes of an answer besides its sample. */
const ENVELOPE_BYTES = 900;

/** Samples nodes whose total size is `total`, counting each byte once. */
export function sampled(
  ctx: Pick<CallContext, 'budget'>,
  tree: Tree,
  rows: ArrayLike<number>,
  total: number,
  limit = MAX_SAMPLED,
): Sampled {
  let bytes = ctx.budget - ENVELOPE_BYTES;
  const list = Array.from(rows);
  const all = sumSizes(list, (row) => totalSize(tree, row));
  const shown: NodeSample[] = [];
  let left = all;
  for (const row of largestRows(tree, list, limit)) {
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
    ...(overlap ? [`  minus ${sizeText(overlap, units)} that several of them include`] : []),
  ];
}
