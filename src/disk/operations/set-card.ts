import { oneLine } from '../../contract/bytes.ts';
import { countOf, countText, sizeText } from '../../contract/format.ts';
import type { CallContext, TextStyle } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { Disk } from '../disk.ts';
import { indexHandle, setHandle } from '../handles.ts';
import type { ResourceSet } from '../sets.ts';
import { rowsOfIds, selectionTotal, spansOf } from '../tree/row-spans.ts';
import { glance } from './choose.ts';
import { type Sampled, sampled, sampleLines } from './sample.ts';

/** A set as callers see it. */
export interface SetCard {
  readonly selection_id: string;
  readonly name: string;
  readonly index_id: string;
  readonly counts: {
    readonly nodes: number;
    readonly files: number;
    readonly dirs: number;
    readonly gone?: number | undefined;
  };
  readonly total_size: number;
  readonly total_disk_size: number;
  /** What removing it would free. */
  readonly freed: number;
  readonly updated_at: string;
  /** Its largest nodes; with the rest, less what lies in several of them, they are the total size. */
  readonly sample?: Sampled['rows'] | undefined;
  readonly rest?: Sampled['rest'];
  readonly overlap?: Sampled['overlap'];
  readonly gone?: readonly { readonly path: string; readonly size: number }[] | undefined;
}

const GONE_SAMPLE = 3;

/** What an answer with one set carries besides it. */
export function setExtras(ctx: CallContext, set: string) {
  return {
    link: ctx.url(pageLinks.selection(set)),
    links: { entries: entriesUrl(ctx, set) },
    budget: glance(ctx),
  };
}

export const entriesUrl = (ctx: CallContext, set: string) => ctx.url(`/api/resource-sets/${set}/entries`);

/** Sums a set over its index as it is now. The sample is left out of lists. */
export async function setCard(
  ctx: CallContext & { disk: Disk },
  set: ResourceSet,
  sample: boolean,
): Promise<SetCard> {
  const { disk } = ctx;
  const { tree } = await disk.indexes.open(indexHandle(set.index));
  const rows = rowsOfIds(tree, set.nodes).filter((row) => row >= 0);
  const total = selectionTotal(tree, spansOf(tree, rows));
  const goneCount = set.nodes.length - rows.length;
  const gone = sample && goneCount > 0 ? await disk.sets.gone(set, GONE_SAMPLE) : [];
  const largest = sample ? sampled(ctx, tree, rows, total.size) : undefined;
  return {
    selection_id: setHandle(set.id),
    name: set.name,
    index_id: indexHandle(set.index),
    counts: {
      nodes: set.nodes.length,
      files: total.files,
      dirs: total.dirs,
      gone: goneCount > 0 ? goneCount : undefined,
    },
    total_size: total.size,
    total_disk_size: total.disk_size,
    freed: total.freed,
    updated_at: new Date(set.updatedAt).toISOString(),
    sample: largest?.rows,
    rest: largest?.rest,
    overlap: largest?.overlap,
    gone: gone.length > 0 ? gone.map(({ path, size }) => ({ path, size })) : undefined,
  };
}

export function setText(card: SetCard, style: TextStyle): string {
  const { counts, sample = [], rest, overlap, gone = [] } = card;
  const { units } = style;
  const lines = [
    `${card.selection_id} ${oneLine(card.name)}  ${card.index_id}  ${countOf(counts.nodes, 'node')} (${countOf(counts.files, 'file')}, ${countOf(counts.dirs, 'folder')})  ${sizeText(card.total_size, units)}, ${sizeText(card.total_disk_size, units)} on disk`,
  ];
  if (card.freed !== card.total_disk_size)
    lines.push(`removing it frees ${sizeText(card.freed, units)}: the rest has other names`);
  if (counts.gone !== undefined) lines.push(`${countText(counts.gone)} no longer on the disk`);
  lines.push(...sampleLines({ rows: sample, rest, overlap }, style));
  for (const row of gone) lines.push(`  gone: ${oneLine(row.path)}`);
  return lines.join('\n');
}
