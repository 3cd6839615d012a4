import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { countOf, countText, sizeText } from '../../contract/format.ts';
import type { CallContext, ReadonlyData, TextStyle } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { Disk } from '../disk.ts';
import { indexHandle, selectionHandle } from '../handles.ts';
import type { Selection } from '../selections.ts';
import { rowsOfIds, selectionTotal, spansOf } from '../tree/row-spans.ts';
import { dirs, files } from './data-fields.ts';
import { sampled, sampleLines, sampleRestFields, sampleRowsSchema } from './node-sample.ts';

/** A selection as lists show it. */
export const selectionRowSchema = z.object({
  selection_id: z.string(),
  name: z.string(),
  index_id: z.string(),
  counts: z.object({
    nodes: z.int(),
    files,
    dirs,
    gone: z.int().optional().describe('nodes that are no longer on the disk'),
  }),
  total_size: z.int(),
  total_disk_size: z.int(),
  freed: z.int().describe('bytes that deleting it would free'),
  updated_at: z.string(),
});

/** A selection with its largest nodes. */
export const selectionCardSchema = selectionRowSchema.extend({
  sample: sampleRowsSchema.optional().describe('its largest nodes'),
  ...sampleRestFields,
  gone: z
    .array(z.object({ path: z.string(), size: z.int() }))
    .optional()
    .describe('some of the nodes that are no longer on the disk'),
});

type SelectionCard = ReadonlyData<typeof selectionCardSchema>;

const MAX_GONE_SAMPLE = 3;

/** The links of an answer about one selection. */
export function selectionLinks(ctx: CallContext, handle: string) {
  return {
    link: ctx.url(pageLinks.selection(handle)),
    links: { entries: ctx.url(`/api/resource-sets/${handle}/entries`) },
  };
}

/** The totals of a selection in the current generation of its index. Lists show no sample. */
export async function selectionCard(
  ctx: CallContext & { disk: Disk },
  selection: Selection,
  sample: boolean,
): Promise<SelectionCard> {
  const { disk } = ctx;
  const { tree } = await disk.indexes.open(indexHandle(selection.index));
  const rows = rowsOfIds(tree, selection.nodes).filter((row) => row >= 0);
  const total = selectionTotal(tree, spansOf(tree, rows));
  const goneCount = selection.nodes.length - rows.length;
  const gone = sample && goneCount > 0 ? await disk.selections.gone(selection, MAX_GONE_SAMPLE) : [];
  const largest = sample ? sampled(ctx, tree, rows, total.size) : undefined;
  return {
    selection_id: selectionHandle(selection.id),
    name: selection.name,
    index_id: indexHandle(selection.index),
    counts: {
      nodes: selection.nodes.length,
      files: total.files,
      dirs: total.dirs,
      gone: goneCount > 0 ? goneCount : undefined,
    },
    total_size: total.size,
    total_disk_size: total.disk_size,
    freed: total.freed,
    updated_at: new Date(selection.updatedAt).toISOString(),
    // Only scripts follow links from row to row.
    sample: largest?.rows.map((row) =>
      ctx.caller.door === 'rest'
        ? { ...row, link: ctx.url(`/api/indexes/${indexHandle(selection.index)}/nodes/${row.node_id}`) }
        : row,
    ),
    rest: largest?.rest,
    overlap: largest?.overlap,
    gone: gone.length > 0 ? gone.map(({ path, size }) => ({ path, size })) : undefined,
  };
}

export function selectionText(card: SelectionCard, style: TextStyle): string {
  const { counts, sample = [], rest, overlap, gone = [] } = card;
  const { units } = style;
  const lines = [
    `${card.selection_id} ${oneLine(card.name)}  ${card.index_id}  ${countOf(counts.nodes, 'node')} (${countOf(counts.files, 'file')}, ${countOf(counts.dirs, 'folder')})  ${sizeText(card.total_size, units)}, ${sizeText(card.total_disk_size, units)} on disk`,
  ];
  if (card.freed !== card.total_disk_size)
    lines.push(
      `deleting it frees ${sizeText(card.freed, units)}: the rest has hard links outside the selection`,
    );
  if (counts.gone !== undefined) lines.push(`${countText(counts.gone)} no longer on the disk`);
  lines.push(...sampleLines({ rows: sample, rest, overlap }, style));
  for (const row of gone) lines.push(`  gone: ${oneLine(row.path)}`);
  return lines.join('\n');
}
