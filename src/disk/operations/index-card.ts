import { z } from 'zod';
import type { ReadonlyData } from '../../contract/operation.ts';
import { indexHandle } from '../handles.ts';
import { mayReadIndex, visibleSpans } from '../indexes/index-access.ts';
import type { IndexRow } from '../indexes/index-rows.ts';
import type { DiskContext } from '../services.ts';
import { selectionTotal } from '../tree/row-spans.ts';
import { pathOf } from '../tree/tree-nodes.ts';
import { depth_limit, dirs, disk_size, errors, files, size } from './data-fields.ts';
import { volumeSpace } from './volume-space.ts';

const status = z.enum(['ready', 'scanning', 'not_scanned']);

/** An index as callers see it. */
export const indexCardSchema = z.object({
  index_id: z.string(),
  root: z.string(),
  status: status.describe('not_scanned: its only scan was cancelled or failed'),
  generation: z.int(),
  scanned_at: z.string().optional(),
  files,
  dirs,
  size,
  disk_size,
  errors,
  files_not_rechecked: z.int().optional().describe('files that the last rescan did not read again'),
  verified_at: z.string().optional().describe('when all files were last read'),
  partial: z
    .literal(true)
    .optional()
    .describe('only a part of the index may be read here; root and totals are those of the part'),
  parts: z.array(z.string()).optional().describe('the roots of all readable parts, if there are several'),
  imported: z.literal(true).optional().describe('from another program or machine; the files are not here'),
  depth_limit,
  volume: z
    .object({ size: z.int(), free: z.int() })
    .optional()
    .describe('the file system of the root: its bytes, and those that are free'),
});

export type IndexCard = ReadonlyData<typeof indexCardSchema>;

type Context = Pick<DiskContext, 'disk' | 'roots'>;

/** A card of the part of an index that the caller may read; undefined where there is no such part. */
export async function visibleIndexCard(
  { disk, roots }: Context,
  row: IndexRow,
): Promise<IndexCard | undefined> {
  if (mayReadIndex(row, roots))
    return { ...indexCard(row, await statusOf(disk, row)), volume: await volumeOf(row) };
  if (row.generation === 0) return undefined;
  const { tree } = await disk.indexes.open(indexHandle(row.id));
  const spans = visibleSpans(tree, roots);
  const [first] = spans;
  if (first === undefined) return undefined;
  const { files, dirs, size, disk_size } = selectionTotal(tree, spans);
  return {
    ...indexCard(row, 'ready'),
    root: pathOf(tree, first.from),
    parts: spans.length > 1 ? spans.map(({ from }) => pathOf(tree, from)) : undefined,
    partial: true,
    files,
    dirs,
    size,
    disk_size,
    errors: undefined,
    files_not_rechecked: undefined,
  };
}

/** Nothing for an index of another machine, or where the root is gone. */
async function volumeOf({ root, options }: IndexRow): Promise<IndexCard['volume']> {
  if (options.imported === true) return undefined;
  return volumeSpace(root);
}

async function statusOf({ indexes }: Context['disk'], row: IndexRow): Promise<IndexCard['status']> {
  if (row.generation > 0) return 'ready';
  return (await indexes.scanOf(row)) === undefined ? 'not_scanned' : 'scanning';
}

function indexCard(row: IndexRow, status: IndexCard['status']): IndexCard {
  const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return {
    index_id: indexHandle(row.id),
    root: row.root,
    imported: row.options.imported === true ? true : undefined,
    depth_limit: row.options.depthLimit,
    status,
    generation: row.generation,
    scanned_at: iso(row.scannedAt),
    files: row.files,
    dirs: row.dirs,
    size: row.size,
    disk_size: row.diskSize,
    errors: Object.keys(row.errors).length > 0 ? row.errors : undefined,
    files_not_rechecked: row.filesUnchecked > 0 ? row.filesUnchecked : undefined,
    verified_at: iso(row.verifiedAt),
  };
}
